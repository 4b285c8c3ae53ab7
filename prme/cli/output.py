"""Where pages and JSON go: standard output for results, standard error for remarks, plain text when piped."""

from __future__ import annotations

import io
import re
import sys
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


def show(page: RenderableType) -> None:
    """Print a page to standard output, without the blanks that fill its lines."""
    console = _console(sys.stdout)
    with console.capture() as printed:
        console.print(page)
    sys.stdout.write(re.sub(r"[ ]+$", "", printed.get(), flags=re.MULTILINE))
    sys.stdout.flush()


def width() -> int:
    """Return the width of standard output in characters."""
    return _console(sys.stdout).width


def show_json(value: Any) -> None:
    """Print one JSON document to standard output, in UTF-8, with unsafe characters as JSON escapes."""
    import json

    from pydantic_core import to_jsonable_python

    from prme.cli.safe_text import safe_json

    text = json.dumps(to_jsonable_python(value), ensure_ascii=False, indent=2)
    show_bytes(safe_json(text).encode("utf-8"))


def show_bytes(data: bytes) -> None:
    """Write bytes and a line break to standard output, whatever its encoding."""
    sys.stdout.flush()
    sys.stdout.buffer.write(data + b"\n")
    sys.stdout.buffer.flush()


def remarks() -> Console:
    """Return a console on standard error, for what is not the result: progress and refusals."""
    return _console(sys.stderr)


def _console(stream: TextIO) -> Console:
    from rich.console import Console

    if isinstance(stream, io.TextIOWrapper):
        # A terminal that cannot show a letter gets its escape rather than a traceback.
        stream.reconfigure(errors="backslashreplace")
    return Console(file=stream, markup=False, emoji=False, highlight=False)

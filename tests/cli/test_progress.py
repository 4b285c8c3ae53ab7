"""Progress is drawn on a terminal only; failures are printed anywhere."""

from __future__ import annotations

import io
import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator

import pytest
from rich.console import Console

from prme.cli.ingestion import EntryFailure, EntryOutcome, Tally
from prme.cli.message_lines import Line
from prme.cli.progress import IngestProgress
from prme.model.receipt import IngestReceipt
from tests.cli.conftest import PROGRAM


def drawn(*, terminal: bool, total: int | None = 10) -> str:
    stream, tally = io.StringIO(), Tally()
    receipt = IngestReceipt(event_id="e", status="published", claims=("a", "b"), retired=("c",))
    failure = EntryFailure(place="line 2", line=2, kind="refused", reason="not JSON (column 1)")
    with IngestProgress(Console(file=stream, force_terminal=terminal, width=90), total=total) as progress:
        for outcome in (
            EntryOutcome(Line(1, b"", 5), "sam", receipt),
            EntryOutcome(Line(2, b"", 5), failure=failure),
        ):
            tally.add(outcome)
            progress.show(outcome, tally)
    return stream.getvalue()


@pytest.mark.parametrize("total", [10, None])
def test_a_terminal_shows_counts(total: int | None):
    assert "1 published, 1 failed, 1 retired" in drawn(terminal=True, total=total)


def test_a_pipe_shows_failures_only():
    assert drawn(terminal=False) == "line 2: refused: not JSON (column 1)\n"


class Terminal:
    """A terminal of its own, on which a program writes its remarks."""

    def __init__(self) -> None:
        self._ours, self.theirs = os.openpty()
        self.shown = ""

    def wait_for(self, text: str) -> None:
        """Read until the terminal shows a text, for at most half a minute."""
        while text not in self.shown:
            ready, _, _ = select.select([self._ours], [], [], 30)
            assert ready, f"{text!r} is not shown, but {self.shown[-300:]!r}"
            self.shown += os.read(self._ours, 65_536).decode()

    def close(self) -> None:
        os.close(self._ours)
        os.close(self.theirs)


@pytest.fixture
def terminal() -> Iterator[Terminal]:
    opened = Terminal()
    yield opened
    opened.close()


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals there")
def test_the_counts_grow_on_a_terminal_while_the_file_is_still_being_read(terminal, environment, tmp_path):
    said = {"user_id": "sam", "first_person_owner": True}
    texts = ["I use Figma.", "I don't use Figma anymore.", *(f"Hello {number}." for number in range(97))]
    lines = [*(json.dumps({"content": text, **said}) for text in texts), "no message"]
    child = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "ingest", "-"],
        cwd=tmp_path,
        env={**environment, "TERM": "xterm", "COLUMNS": "100"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=terminal.theirs,
        text=True,
    )
    assert child.stdin is not None
    child.stdin.write("".join(f"{line}\n" for line in lines))
    child.stdin.flush()

    terminal.wait_for("99 published, 1 failed, 1 retired")
    out, _ = child.communicate("no message either\n", timeout=30)

    terminal.wait_for("99 published, 2 failed, 1 retired")
    assert "line 100: refused: not JSON" in terminal.shown
    assert child.returncode == 1
    assert re.search(r"^2 lines refused$", out, re.MULTILINE)
    assert "\x1b" not in out

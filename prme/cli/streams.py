"""The three standard streams of the process: what becomes of those that were closed, and of those nobody reads."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import TextIO

READER_GONE = 141
"""What a shell reports for a program that ended because nobody reads its output any more: 128 and SIGPIPE."""

_NAMES = ("stdin", "stdout", "stderr")


def open_closed_streams() -> None:
    """Open standard streams that were closed before the program began, as streams to and from nowhere.

    Otherwise the next file to be opened, the database among them, would get the number of a closed stream, and whatever
    writes to that stream would write into the file.
    """
    for descriptor, name in enumerate(_NAMES):
        if getattr(sys, name) is None:
            setattr(sys, name, _nowhere(descriptor))


def discard_output() -> None:
    """Let what is still buffered for standard output and error go nowhere: whoever read it has gone."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        # A stream that is no file, as in tests, has no reader that could go away.
        with contextlib.suppress(OSError):
            os.dup2(nowhere, stream.fileno())


def _nowhere(descriptor: int) -> TextIO:
    # The lowest free number is taken, and going up from 0 that is the number of the closed stream.
    opened = os.open(os.devnull, os.O_RDWR)
    return open(opened, "r" if descriptor == 0 else "w", encoding="utf-8", closefd=False)

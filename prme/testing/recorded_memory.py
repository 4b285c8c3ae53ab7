"""A memory for tests that does not go on when a recording is missing."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, NoReturn, TypeVar

from prme.client import MemoryClient
from prme.clock import Clock
from prme.testing.recording import RecordingExtractor

T = TypeVar("T")


class RecordedMemory(MemoryClient):
    """A `MemoryClient` in memory; the call that met a message without a recording ends by `fail`.

    Without this the message would be stored as failed, and the test would fail later, about something else.
    """

    def __init__(self, extractor: RecordingExtractor, clock: Clock, check: Callable[[], None]) -> None:
        """Open an empty store; `check` is called after every call and raises what ends the test."""
        self._check = check
        super().__init__(":memory:", extractor=extractor, clock=clock)

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        answer = super()._run(work)
        self._check()
        return answer


def fail_for_unanswered(extractor: RecordingExtractor, asked: str | None, fail: Callable[[str], NoReturn]) -> None:
    """Call `fail` with what to do when messages got no answer since the last call.

    `asked` is the name of the extractor that is recorded from, None when none is.
    """
    unanswered = extractor.take_unanswered()
    if not unanswered:
        return
    file = f"{extractor.file.parent.name}/{extractor.file.name}"
    listed = "".join(f"\n  {message.role}: {message.content!r}" for message in unanswered)
    if asked is None:
        fail(
            f"no extraction is recorded in {file} for:{listed}\n"
            "record it with pytest --prme-record=EXTRACTOR, such as --prme-record=lexical, and review the file"
        )
    fail(f"{asked} gave no usable answer, so nothing is recorded in {file} for:{listed}")

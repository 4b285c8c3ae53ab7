"""The progress of a replay on a terminal; elsewhere it shows nothing."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from prme.replay.replay import Watch


class ReplayProgress(Watch):
    """A bar over the bytes that are read, and then one over the records that are used."""

    def __init__(self, console: Console, *, total_bytes: int | None, doing: str) -> None:
        """Draw on a console, if it is a terminal; an unknown total draws a bar without an end."""
        words = TextColumn("{task.description}", markup=False)
        self._progress = Progress(
            words, BarColumn(), TaskProgressColumn(), console=console, disable=not console.is_terminal, transient=True
        )
        self._doing = doing
        self._done = 0
        self._task = self._progress.add_task("reading", total=total_bytes)

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the bar."""
        self._progress.stop()

    def read(self, size: int) -> None:
        """Move the first bar."""
        self._progress.advance(self._task, size)

    def begin(self, records: int) -> None:
        """Begin the second bar."""
        self._progress.update(self._task, visible=False)
        self._task = self._progress.add_task(self._counts(), total=records)

    def done(self, records: int) -> None:
        """Move the second bar."""
        self._done += records
        self._progress.update(self._task, advance=records, description=self._counts())

    def _counts(self) -> str:
        return f"{self._done:,} records {self._doing}"

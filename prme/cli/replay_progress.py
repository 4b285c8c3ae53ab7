"""The progress of a replay on a terminal; elsewhere it shows nothing."""

from __future__ import annotations

from rich.console import Console

from prme.cli.bar import TerminalBar
from prme.replay.replay import Watch


class ReplayProgress(TerminalBar, Watch):
    """A bar over the bytes that are read, and then one over the records that are used."""

    def __init__(self, console: Console, *, total_bytes: int | None, doing: str) -> None:
        """Draw on a console, if it is a terminal; an unknown total draws a bar without an end."""
        super().__init__(console, "reading", total=total_bytes)
        self._doing = doing
        self._done = 0

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

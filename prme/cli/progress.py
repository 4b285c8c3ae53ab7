"""The progress of an ingestion on a terminal; elsewhere it shows nothing."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn

from prme.cli.ingest_view import failure_line
from prme.cli.ingestion import LineOutcome, Tally


class IngestProgress:
    """A bar over the bytes of a file with counts of what was published, failed and retired; failures go above it."""

    def __init__(self, console: Console, *, total_bytes: int | None) -> None:
        """Draw on a console, if it is a terminal; an unknown total draws a bar without an end."""
        self._console = console
        counts = TextColumn("{task.description}", markup=False)
        self._progress = Progress(
            counts, BarColumn(), TaskProgressColumn(), console=console, disable=not console.is_terminal, transient=True
        )
        self._task = self._progress.add_task(_counts(Tally()), total=total_bytes)

    def __enter__(self) -> Self:
        """Begin to draw."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the bar."""
        self._progress.stop()

    def show(self, outcome: LineOutcome, tally: Tally) -> None:
        """Draw the state after an outcome, and print its failure."""
        if outcome.failure is not None:
            self._console.print(failure_line(outcome.failure), soft_wrap=True)
        self._progress.update(self._task, advance=outcome.line.size, description=_counts(tally))


def _counts(tally: Tally) -> str:
    return f"{tally.published:,} published, {tally.failed + tally.refused:,} failed, {tally.retired:,} retired"

"""The progress of an ingestion on a terminal; elsewhere it shows nothing."""

from __future__ import annotations

from rich.console import Console

from prme.cli.bar import TerminalBar
from prme.cli.ingest_view import failure_line
from prme.cli.ingestion import EntryOutcome, Tally


class IngestProgress(TerminalBar):
    """A bar over the entries of a file with counts of what was published, failed and retired; failures go above it."""

    def __init__(self, console: Console, *, total: int | None) -> None:
        """Draw on a console, if it is a terminal; an unknown total draws a bar without an end."""
        super().__init__(console, _counts(Tally()), total=total)
        self._console = console

    def show(self, outcome: EntryOutcome, tally: Tally) -> None:
        """Draw the state after an outcome, and print its failure."""
        if outcome.failure is not None:
            self._console.print(failure_line(outcome.failure), soft_wrap=True)
        self._progress.update(self._task, advance=outcome.entry.size, description=_counts(tally))


def _counts(tally: Tally) -> str:
    return f"{tally.published:,} published, {tally.failed + tally.refused:,} failed, {tally.retired:,} retired"

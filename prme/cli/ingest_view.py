"""How an ingestion is reported: a line for each failure, and the summary."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from prme.cli.ingestion import IngestSummary, LineFailure
from prme.cli.layout import line, page
from prme.cli.phrasing import counted, short_digest
from prme.cli.safe_text import safe_text
from prme.cli.wording import FAILURES, in_words

MOST_OWNERS_SHOWN = 5


def failure_line(failure: LineFailure) -> str:
    """Return why a line did not do its work, and what to do about a failed one."""
    if failure.kind == "refused":
        return safe_text(f"line {failure.line}: refused: {failure.reason}")
    words = f"{in_words(FAILURES, failure.reason)} ({failure.reason})"
    return safe_text(f"line {failure.line}: stored, but {words}; run the file again to try again")


def summary_page(summary: IngestSummary) -> RenderableType:
    """Return the counts and where the journals stand now."""
    return page(line(text, level=0) for text in _summary_lines(summary))


def _summary_lines(summary: IngestSummary) -> Iterator[str]:
    counts = [
        counted(summary.published, "published", "published"),
        counted(summary.duplicates, "duplicate"),
        counted(summary.failed, "failed", "failed"),
    ]
    yield f"{counted(summary.messages, 'message')}: {', '.join(counts)}"
    yield f"{counted(summary.claims, 'claim')} admitted, {summary.retired:,} retired"
    if summary.refused:
        yield f"{counted(summary.refused, 'line')} refused"
    for owner, head in list(summary.journal.items())[:MOST_OWNERS_SHOWN]:
        entries = counted(head.seq, "entry", "entries")
        yield f"journal of {safe_text(owner)}: {entries}, head {short_digest(head.digest)}"
    if len(summary.journal) > MOST_OWNERS_SHOWN:
        yield f"and {counted(len(summary.journal) - MOST_OWNERS_SHOWN, 'more owner')}; prme verify lists them all"

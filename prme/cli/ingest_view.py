"""How an ingestion is reported: a line for each failure, and the summary."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from prme.cli.dry_run import FileEstimate
from prme.cli.ingestion import EntryFailure, IngestSummary
from prme.cli.layout import line, page
from prme.cli.phrasing import counted, short_digest
from prme.cli.safe_text import safe_text
from prme.cli.wording import FAILURES, in_words

MOST_OWNERS_SHOWN = 5
SKIPPED: Mapping[str, tuple[str, str]] = {
    "hidden": ("hidden message", "hidden messages"),
    "no_text": ("message without text", "messages without text"),
    "other_branch": ("message of another branch", "messages of other branches"),
    "part": ("part that is no text", "parts that are no text"),
    "repeated": ("message that another conversation has, too", "messages that another conversation has, too"),
    "system": ("system message", "system messages"),
    "tool": ("message of or to a tool", "messages of or to a tool"),
}
"""What is skipped of an export, by the reason that counts it."""


def failure_line(failure: EntryFailure) -> str:
    """Return why an entry did not do its work, and what to do about a failed one."""
    if failure.kind == "refused":
        return safe_text(f"{failure.place}: refused: {failure.reason}")
    words = f"{in_words(FAILURES, failure.reason)} ({failure.reason})"
    return safe_text(f"{failure.place}: stored, but {words}; run the file again to try again")


def summary_page(summary: IngestSummary) -> RenderableType:
    """Return the counts and where the journals stand now."""
    return page(line(text, level=0) for text in _summary_lines(summary))


def _summary_lines(summary: IngestSummary) -> Iterator[str]:
    counts = [
        counted(summary.published, "published", "published"),
        counted(summary.duplicates, "duplicate"),
        counted(summary.failed, "failed", "failed"),
    ]
    if summary.pending:
        counts.append(counted(summary.pending, "pending", "pending"))
    yield f"{counted(summary.messages, 'message')}: {', '.join(counts)}"
    yield f"{counted(summary.claims, 'claim')} admitted, {summary.retired:,} retired"
    if summary.refused:
        yield f"{counted(summary.refused, 'line' if _are_lines(summary) else 'message')} refused"
    if summary.skipped:
        yield f"skipped: {', '.join(_skipped(summary.skipped))}"
    if summary.stopped_after is not None:
        yield f"the limit of tokens was reached: stopped after {summary.stopped_after}; run the file again to go on"
    for owner, head in list(summary.journal.items())[:MOST_OWNERS_SHOWN]:
        entries = counted(head.seq, "entry", "entries")
        yield f"journal of {safe_text(owner)}: {entries}, head {short_digest(head.digest)}"
    if len(summary.journal) > MOST_OWNERS_SHOWN:
        yield f"and {counted(len(summary.journal) - MOST_OWNERS_SHOWN, 'more owner')}; prme verify lists them all"


def estimate_page(estimate: FileEstimate) -> RenderableType:
    """Return what a file would cost."""
    return page(line(text, level=0) for text in _estimate_lines(estimate))


def _estimate_lines(estimate: FileEstimate) -> Iterator[str]:
    yield f"{counted(estimate.messages, 'message')}, {counted(estimate.questions, 'question')} to a model"
    if estimate.refused:
        yield f"{counted(estimate.refused, 'entry', 'entries')} would be refused"
    if estimate.input_tokens is None:
        yield "the extractor does not say what that would cost"
    elif estimate.questions:
        yield f"about {estimate.input_tokens:,} tokens in and {estimate.output_tokens:,} out"
    yield "nothing was stored, and nothing was sent"


def _are_lines(summary: IngestSummary) -> bool:
    return all(failure.line is not None for failure in summary.failures)


def _skipped(skipped: Mapping[str, int]) -> Iterator[str]:
    for reason, number in skipped.items():
        singular, plural = SKIPPED[reason]
        yield counted(number, singular, plural)

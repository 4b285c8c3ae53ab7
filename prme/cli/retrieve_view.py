"""The pages of a search and of a rebuilt text index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rich.console import RenderableType

from prme.cli.layout import line, page, table
from prme.cli.phrasing import counted, held, listed, node_statement, reservations
from prme.cli.safe_text import quoted
from prme.model.node import NodeType
from prme.model.retrieval import EXCLUSION_REASONS, ExclusionReason, Hit, IndexReport, Retrieval

NARROW = 64
LEFT_OUT: Mapping[ExclusionReason, str] = {
    "scope": "in another scope",
    "node_type": "of a type that was not wanted",
    "source_type": "from another source",
    "confirming": "only repeating another claim",
    "not_in_effect": "not in effect at that time",
    "superseded": "superseded",
    "deprecated": "closed without successor",
    "contested": "contested",
}
CLOSED = ("superseded", "deprecated")


def retrieve_page(found: Retrieval, *, width: int) -> RenderableType:
    """Return the hits, best first, and in words what else has the words and was left out."""
    left_out = [line(text, level=0) for text in _left_out(found)]
    if not found:
        return page([line("nothing found", level=0), *left_out])
    # On a narrow terminal an id is broken rather than the text beside it squeezed out.
    whole = ("Rank", "Id") if width >= NARROW else ("Rank",)
    hits = table(("Rank", "Found", "Id"), map(_row, found), whole=whole)
    return page([hits, line(counted(len(found), "hit"), level=0), *left_out])


def retrieve_data(found: Retrieval) -> dict[str, Any]:
    """Return hits and counts for JSON: a list alone would lose what was left out."""
    return {"hits": list(found), "excluded": found.excluded}


def index_page(report: IndexReport) -> RenderableType:
    """Return what a rebuilt index holds."""
    held = f"{counted(report.notes, 'note')} and {counted(report.claims, 'claim')}"
    return line(f"the text index was made again: {held} of {counted(report.owners, 'owner')}", level=0)


def _row(hit: Hit) -> Sequence[str]:
    node = hit.node
    is_note = node.node_type is NodeType.NOTE
    lines = [f"note: {quoted(hit.excerpt)}"] if is_note else [node_statement(node), quoted(hit.excerpt)]
    return str(hit.rank), "\n".join([*lines, listed(_remarks(hit))]), node.id


def _remarks(hit: Hit) -> Iterator[str]:
    node = hit.node
    words = [node.status, *reservations(None, node.epistemic_type, node.condition)]
    yield f"{', '.join(words)}, in effect {held(node.valid_from, node.valid_to)}"
    if hit.historical:
        yield "historical" if hit.successor is None else f"historical, replaced by {hit.successor}"
    if hit.evidence_mentions_retired:
        yield "its text also says something that was retired"


def _left_out(found: Retrieval) -> Iterator[str]:
    counts = {reason: found.excluded[reason] for reason in EXCLUSION_REASONS if reason in found.excluded}
    if counts:
        reasons = listed(f"{count:,} {LEFT_OUT[reason]}" for reason, count in counts.items())
        rows = counted(sum(counts.values()), "row with these words was", "rows with these words were")
        yield f"{rows} left out: {reasons}"
    if not counts.keys().isdisjoint(CLOSED):
        yield "--all shows what is closed"

"""The page of a verification."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section
from prme.cli.phrasing import counted
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import DIFFERENCES, in_words
from prme.model.explanation import JournalLine
from prme.model.receipt import Difference, VerifyReport


def remarks_on(report: VerifyReport, user_id: str | None) -> list[str]:
    """Return what a person should know of a report besides its verdict: that there was nothing to verify."""
    if report.owners:
        return []
    if user_id is None:
        return ["nothing is stored here"]
    return [f"nothing is stored here for the owner {user_id!r}: prme verify without --user-id lists all owners"]


def verify_page(report: VerifyReport, heads: Mapping[str, JournalLine], notes: Sequence[str]) -> RenderableType:
    """Return the verdict, remarks, every difference, and for each owner the state digest and the journal's head."""
    parts: list[RenderableType] = [heading(_verdict(report)), *(line(safe_text(note)) for note in notes)]
    parts += section("Differences", (part for found in report.differences for part in _difference(found)))
    parts += section("Owners", (part for owner in report.owners for part in _owner(owner, report, heads)))
    return page(parts)


def _verdict(report: VerifyReport) -> str:
    if not report.ok:
        return f"NOT OK: {counted(len(report.differences), 'difference')}"
    return "ok: everything computed again is as stored" if report.owners else "ok: there was nothing to compute again"


def _difference(found: Difference) -> Iterator[RenderableType]:
    yield line(f"{in_words(DIFFERENCES, found.what)} ({found.what}): {safe_text(found.id)}")
    yield line(f"stored   {quoted(str(found.stored))}", level=2)
    yield line(f"expected {quoted(str(found.expected))}", level=2)


def _owner(owner: str, report: VerifyReport, heads: Mapping[str, JournalLine]) -> Iterator[RenderableType]:
    head = heads.get(owner)
    entries = 0 if head is None else head.seq
    yield line(f"{safe_text(owner)}: {counted(entries, 'journal entry', 'journal entries')}")
    yield line(f"state {report.owners[owner]}")
    if head is not None:
        yield line(f"head  {head.digest}")

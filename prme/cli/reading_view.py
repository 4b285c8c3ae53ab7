"""The page that shows what the embedded extractor reads in a message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from prme.cli.layout import heading, line, page
from prme.cli.phrasing import claim_statement, reservations
from prme.cli.safe_text import safe_text
from prme.model.extraction import ExtractedClaim
from prme_extractors.lexical import ExplainedClause, Explanation

_OUTCOMES: Mapping[str, str] = {
    "claims": "read",
    "blocked": "read, and left out",
    "waiting": "read, and waits",
    "nothing_said": "nothing said",
    "not_read": "not read",
}


def reading_page(reading: Explanation) -> RenderableType:
    """Return what the embedded extractor read, clause by clause."""
    if reading.why is not None:
        return line(f"nothing was read: {reading.why}", level=0)
    parts: list[RenderableType] = []
    for clause in reading.clauses:
        parts += [heading(safe_text(clause.text.strip())), *(line(safe_text(text)) for text in _clause_lines(clause))]
    return page(parts)


def _clause_lines(clause: ExplainedClause) -> Iterator[str]:
    if clause.pattern is not None:
        yield f'pattern {clause.pattern}, as in "{clause.example}"'
    yield from (_claim_line(claim) for claim in clause.claims)
    if clause.why is not None:
        yield f"{_OUTCOMES[clause.outcome]}: {clause.why}"


def _claim_line(claim: ExtractedClaim) -> str:
    marks: list[str] = [claim.temporal_intent or "assertion"]
    if claim.kind != "fact":
        marks.append(claim.kind)
    if claim.replaces_object is not None:
        marks.append(f"instead of {claim.replaces_object}")
    marks += reservations(None, claim.epistemic_type, claim.condition)
    return f"{claim_statement(claim)}; {', '.join(marks)}"

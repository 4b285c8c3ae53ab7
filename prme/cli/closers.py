"""Looks up the corrections that closed what an explanation speaks of, so that a page can name their rules."""

from __future__ import annotations

from prme.model.explanation import Explanation
from prme.service import MemoryService


def explain_closers(service: MemoryService, explanation: Explanation, user_id: str | None) -> dict[str, Explanation]:
    """Return the explanations of the claims that closed the explained ones, by the ids of those claims."""
    closers = {claim.closed_by.id for claim in explanation.claims if claim.closed_by is not None}
    return {closer: service.explain(closer, user_id) for closer in sorted(closers)}

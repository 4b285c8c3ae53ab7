"""Looks up the decisions that closed what an explanation speaks of, so that a page can name their rules."""

from __future__ import annotations

from prme.model.decision import RuleDecision
from prme.model.explanation import Explanation
from prme.service import MemoryService


def closing_decisions(service: MemoryService, explanation: Explanation, user_id: str | None) -> dict[str, RuleDecision]:
    """Return the decisions of the claims that closed the explained ones, by the ids of those claims."""
    closers = {claim.closed_by.id for claim in explanation.claims if claim.closed_by is not None}
    found = [claim for closer in sorted(closers) for claim in service.explain(closer, user_id).claims]
    return {claim.node.id: claim.decision for claim in found if claim.decision is not None}

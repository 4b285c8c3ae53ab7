"""Explicit decisions as a family's fold needs them: what they close, hold, name and contest (SPEC 8.2 a to d)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision

Identity = tuple[str | None, ...]


def claim_identity(claim: Claim) -> Identity:
    """Return what makes two claims of one family equal; an unresolved claim equals only itself."""
    return (
        claim.predicate,
        claim.object_key,
        claim.polarity,
        claim.epistemic_type,
        claim.condition,
        claim.id if claim.subject_id is None else None,
    )


def closing_time(decision: ExplicitDecision, claim: Claim) -> datetime:
    """Return when a decision closes a claim that it covers: at T, or at the claim's own start when that is later."""
    assert decision.at is not None
    return max(decision.at, claim.effective_at)


@dataclass(frozen=True)
class Rulings:
    """All explicit decisions that name a claim of one family."""

    decisions: tuple[ExplicitDecision, ...]
    closing: Mapping[Identity, tuple[ExplicitDecision, ...]]
    holding: Mapping[str, tuple[ExplicitDecision, ...]]
    named: frozenset[str]
    contested: frozenset[str]

    @classmethod
    def of(cls, decisions: Iterable[ExplicitDecision], claims: Mapping[str, Claim]) -> Rulings:
        """Collect the decisions that name at least one of the given claims, in the order they were made."""
        mine = tuple(
            sorted((d for d in decisions if d.old in claims or d.new in claims), key=lambda decision: decision.number)
        )
        closing: dict[Identity, list[ExplicitDecision]] = {}
        holding: dict[str, list[ExplicitDecision]] = {}
        for decision in mine:
            if decision.kind == "contradict":
                continue
            holding.setdefault(decision.new, []).append(decision)
            if decision.old in claims:
                closing.setdefault(claim_identity(claims[decision.old]), []).append(decision)
        return cls(
            decisions=mine,
            closing={identity: tuple(found) for identity, found in closing.items()},
            holding={claim_id: tuple(found) for claim_id, found in holding.items()},
            named=_named(mine),
            contested=contested_nodes(mine),
        )

    def cover(self, claim: Claim) -> ExplicitDecision | None:
        """Return the decision that closes a claim: the first that names it, or an equal one known or effective then."""
        if not self.closing:  # as in almost every family
            return None
        for decision in self.closing.get(claim_identity(claim), ()):
            if claim.id == decision.new:
                continue
            if claim.id == decision.old or claim.received_at <= decision.mark or _before(claim, decision):
                return decision
        return None

    def holds(self, claim_id: str, correction: Claim) -> bool:
        """Whether a claim is held against a correction: known when it was made the replacement, or not after it."""
        return any(
            correction.received_at <= decision.mark
            or (decision.at is not None and correction.effective_at <= decision.at)
            for decision in self.holding.get(claim_id, ())
        )


NO_RULINGS = Rulings(decisions=(), closing={}, holding={}, named=frozenset(), contested=frozenset())


def _before(claim: Claim, decision: ExplicitDecision) -> bool:
    return decision.at is not None and claim.effective_at < decision.at


def _named(decisions: Iterable[ExplicitDecision]) -> frozenset[str]:
    """Claims that a decision made a replacement, a winner or a side of a contradiction: they never turn confirming."""
    named: set[str] = set()
    for decision in decisions:
        named.add(decision.new)
        if decision.kind == "contradict":
            named.add(decision.old)
    return frozenset(named)


def contested_nodes(decisions: Iterable[ExplicitDecision]) -> frozenset[str]:
    """Return the notes and claims in at least one contradiction that no later decision resolved."""
    return frozenset().union(*unresolved_pairs(decisions))


def unresolved_pairs(decisions: Iterable[ExplicitDecision]) -> set[frozenset[str]]:
    """Return the pairs of a contradiction that no later decision resolved; `decisions` come in order."""
    pairs: set[frozenset[str]] = set()
    for decision in decisions:
        pair = frozenset({decision.old, decision.new})
        if decision.kind == "contradict":
            pairs.add(pair)
        elif decision.kind == "resolve":
            pairs.discard(pair)
    return pairs

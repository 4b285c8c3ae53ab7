"""The comparison itself: a pure function of plans, decisions and two policies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from prme import ids
from prme.clock import EPOCH
from prme.comparison.judge import judge
from prme.comparison.outcome import (
    Aspect,
    ClaimDifference,
    Comparison,
    MessageDifference,
    NamedClaim,
    PolicyCounts,
    Summary,
    Verdict,
)
from prme.model.decision import ExplicitDecision
from prme.model.plan import ExtractionPlan
from prme.policy.registry import get_policy

# Each says what must be equal for two verdicts that both admit the claim.
_ASPECTS: Mapping[Aspect, Callable[[Verdict], object]] = {
    "subject": lambda verdict: verdict.claim and verdict.claim.subject_id,
    "epistemic_type": lambda verdict: verdict.claim and verdict.claim.epistemic_type,
    "effective_at": lambda verdict: verdict.claim and verdict.claim.effective_at,
    "sentences": lambda verdict: verdict.claim and (verdict.claim.content, verdict.claim.evidence),
    "grounding": lambda verdict: _grounded(verdict),
    "closing": lambda verdict: verdict.closing,
    "contested": lambda verdict: verdict.status == "contested",
    "confirms": lambda verdict: verdict.confirms,
    "decision": lambda verdict: _concluded(verdict),
    "words": lambda verdict: verdict.words,
}


def compare(
    plans: Iterable[ExtractionPlan], decisions: Sequence[ExplicitDecision], policy_a: str, policy_b: str
) -> Comparison:
    """Return what two policies would admit and retire differently on the same recorded extractions.

    `plans` hold at most one plan for each event, in any order; the policy that one was made under does not matter.
    `decisions` were made by hand on their claims and enter both folds as they were recorded. Pure; nothing is stored.
    Raises `UnsupportedPlanError` for an unknown policy, `ValueError` for two plans of one event.
    """
    one, other = get_policy(policy_a), get_policy(policy_b)
    ordered = sorted(plans, key=lambda plan: (plan.event.user_id, plan.event.received_at, plan.event.id))
    if len({plan.event.id for plan in ordered}) != len(ordered):
        raise ValueError("two plans are of the same event: leave one of them out")
    a, b = judge(ordered, decisions, one), judge(ordered, decisions, other)
    named = {claim.id: claim for plan in ordered for claim in _proposed(plan)}
    messages = tuple(
        MessageDifference(event=plan.event, claims=differing, named=_named(differing, named))
        for plan in ordered
        if (differing := tuple(_differences(plan, a, b)))
    )
    return Comparison(messages=messages, summary=_summary(ordered, decisions, messages, (one.name, a), (other.name, b)))


def _differences(plan: ExtractionPlan, a: Mapping[str, Verdict], b: Mapping[str, Verdict]) -> Iterator[ClaimDifference]:
    for position, proposed in enumerate(plan.extraction.claims):
        claim_id = ids.claim_id(plan.event.id, position)
        differs = _differing(a[claim_id], b[claim_id])
        if differs:
            yield ClaimDifference(
                claim_id=claim_id, position=position, proposed=proposed, differs=differs, a=a[claim_id], b=b[claim_id]
            )


def _differing(a: Verdict, b: Verdict) -> tuple[Aspect, ...]:
    if a == b:
        return ()
    if a.claim is None and b.claim is None:
        return ("rejection",)
    if a.claim is None or b.claim is None:
        return ("admission",)
    return tuple(aspect for aspect, said in _ASPECTS.items() if said(a) != said(b))


def _grounded(verdict: Verdict) -> object:
    """Return all that grounding left of a claim but what is an aspect of its own."""
    if verdict.claim is None:
        return None
    update = {
        "subject_id": None,
        "epistemic_type": "asserted",
        "effective_at": EPOCH,
        "content": "",
        "evidence": (),
    }
    return verdict.claim.model_copy(update=update)


def _concluded(verdict: Verdict) -> object:
    found = verdict.decision
    return found and (found.outcome, found.reason, found.rule, found.targets, found.candidates)


def _proposed(plan: ExtractionPlan) -> Iterator[NamedClaim]:
    for position, claim in enumerate(plan.extraction.claims):
        yield NamedClaim(
            id=ids.claim_id(plan.event.id, position),
            event_id=plan.event.id,
            position=position,
            subject=claim.subject,
            predicate=claim.predicate,
            object=claim.object,
            polarity=claim.polarity,
        )


def _named(differing: Iterable[ClaimDifference], claims: Mapping[str, NamedClaim]) -> tuple[NamedClaim, ...]:
    """Return the claims that verdicts name, in the order of their ids; a note that replaces one is not among them."""
    found: set[str | None] = set()
    for difference in differing:
        for verdict in (difference.a, difference.b):
            found |= {verdict.confirms, None if verdict.closing is None else verdict.closing.by}
            if verdict.decision is not None:
                found |= {target.claim_id for target in verdict.decision.targets}
                found |= set(verdict.decision.candidates)
    return tuple(claims[claim_id] for claim_id in sorted(claims.keys() & found))


def _summary(
    plans: Sequence[ExtractionPlan],
    decisions: Sequence[ExplicitDecision],
    messages: Sequence[MessageDifference],
    *sides: tuple[str, Mapping[str, Verdict]],
) -> Summary:
    a, b = (_counts(policy, verdicts.values()) for policy, verdicts in sides)
    differing = [claim for message in messages for claim in message.claims]
    aspects = Counter(aspect for claim in differing for aspect in claim.differs)
    return Summary(
        owners=len({plan.event.user_id for plan in plans}),
        messages=len(plans),
        claims=sum(len(plan.extraction.claims) for plan in plans),
        decisions=len(decisions),
        differing_messages=len(messages),
        differing_claims=len(differing),
        differs=dict(sorted(aspects.items())),
        a=a,
        b=b,
    )


def _counts(policy: str, verdicts: Iterable[Verdict]) -> PolicyCounts:
    counts: Counter[str] = Counter()
    for verdict in verdicts:
        if verdict.claim is None:
            counts["rejected"] += 1
            continue
        counts["admitted"] += 1
        counts["hypothetical"] += verdict.claim.epistemic_type == "hypothetical"
        counts["confirming"] += verdict.status == "confirming"
        if verdict.closing is not None:
            counts["retired" if verdict.closing.decision is None else "closed_by_hand"] += 1
    return PolicyCounts(policy=policy, **counts)

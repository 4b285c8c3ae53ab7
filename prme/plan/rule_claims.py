"""The claims of a plan as the rules see them: folded where they are compared, with the words they rest on."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from prme.grounding.named_words import find_named
from prme.model.claim import Claim, Evidence, Span, folded_texts
from prme.model.message import SourceType
from prme.model.plan import ExtractionPlan, PlannedClaim
from prme.policy.policy import Policy, Target
from prme.policy.registry import get_policy


def rule_claims(plan: ExtractionPlan) -> tuple[Claim, ...]:
    """Return the admitted claims of a plan as values of the rules, by position.

    Pure: a plan gives the same values whether it was just prepared or is read back years later. Raises
    `UnsupportedPlanError` when this release does not know the plan's policy.
    """
    policy, source_type = get_policy(plan.policy), plan.event.source_type
    return tuple([_rule_claim(plan, claim, policy, source_type) for claim in plan.claims])


def _rule_claim(plan: ExtractionPlan, planned: PlannedClaim, policy: Policy, source_type: SourceType) -> Claim:
    object_key, replaces_key = folded_texts(planned.object, planned.replaces_object)
    claim = Claim(
        id=planned.id,
        event_id=plan.event.id,
        position=planned.position,
        policy=plan.policy,
        scope=plan.event.scope,
        source_type=source_type,
        kind=planned.kind,
        subject_id=planned.subject_id,
        predicate=planned.predicate,
        object_key=object_key,
        polarity=planned.polarity,
        epistemic_type=planned.epistemic_type,
        condition=planned.condition,
        temporal_intent=planned.temporal_intent,
        replaces_key=replaces_key,
        effective_at=planned.effective_at,
        received_at=plan.event.received_at,
        trigger=planned.evidence[0],
    )
    authority = policy.authority(claim)
    if not isinstance(authority, Target) and authority != "conditional":
        return claim  # as most are
    named = _named_words(plan, planned, authority, policy)
    return claim if named is None else replace(claim, trigger=named)


def _named_words(
    plan: ExtractionPlan, planned: PlannedClaim, authority: Target | Literal["conditional"], policy: Policy
) -> Evidence | None:
    """Return the words that name a correction's target, or the condition that takes its authority."""
    if isinstance(authority, Target):
        text, whole_words = authority.object_key, True
    elif planned.condition_supported and planned.condition is not None:
        text, whole_words = planned.condition, False
    else:
        return None
    content, own = plan.event.content, planned.evidence[0]
    span = find_named(
        content,
        Span(start=own.start, end=own.end),
        text,
        quote=plan.extraction.claims[planned.position].evidence_quote,
        words=policy.words,
        whole_words=whole_words,
    )
    if span is None:
        return None
    quote = content[span.start : span.end]
    return Evidence(event_id=plan.event.id, start=span.start, end=span.end, quote=quote)

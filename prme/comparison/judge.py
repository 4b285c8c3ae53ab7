"""One side of a comparison: every recorded extraction of an owner grounded and folded under one policy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prme import ids
from prme.comparison.outcome import Closing, Verdict
from prme.correction.correct import subject_key
from prme.correction.fold import Entry, FamilyState, family_interval
from prme.correction.subject import fold_subject
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from prme.model.plan import ExtractionPlan
from prme.plan.prepare import prepare_plan
from prme.plan.rule_claims import rule_claims
from prme.policy.policy import Policy


@dataclass(frozen=True, slots=True)
class _Folded:
    family: FamilyState
    entry: Entry


def judge(plans: Sequence[ExtractionPlan], decisions: Sequence[ExplicitDecision], policy: Policy) -> dict[str, Verdict]:
    """Return what a policy makes of every proposed claim, by claim id.

    Only event, extraction, extractor and options of the plans are used: each is prepared again under `policy`, and
    every correction is judged by it. Pure.
    """
    prepared = [
        prepare_plan(plan.event, plan.extraction, extractor=plan.extractor, policy=policy, options=plan.options).plan
        for plan in plans
    ]
    folded = _fold([claim for plan in prepared for claim in rule_claims(plan)], decisions)
    verdicts: dict[str, Verdict] = {}
    for plan in prepared:
        for rejected in plan.rejected:
            verdicts[ids.claim_id(plan.event.id, rejected.position)] = Verdict(rejected=rejected.reason)
        for claim in plan.claims:
            family, entry = folded[claim.id].family, folded[claim.id].entry
            verdicts[claim.id] = Verdict(
                claim=claim,
                status=family_interval(family, claim.id).status,
                closing=_closing(family, entry),
                confirms=entry.confirms,
                decision=entry.decision,
            )
    return verdicts


def _fold(claims: Iterable[Claim], decisions: Sequence[ExplicitDecision]) -> dict[str, _Folded]:
    subjects: dict[str, list[Claim]] = {}
    for claim in claims:
        subjects.setdefault(subject_key(claim), []).append(claim)
    naming: dict[str, list[ExplicitDecision]] = {}
    for decision in decisions:
        for node_id in {decision.old, decision.new}:
            naming.setdefault(node_id, []).append(decision)
    folded: dict[str, _Folded] = {}
    for members in subjects.values():
        mine = {decision for claim in members for decision in naming.get(claim.id, ())}
        for family in fold_subject(members, list(mine)).families.values():
            folded |= {claim_id: _Folded(family, entry) for claim_id, entry in family.entries.items()}
    return folded


def _closing(family: FamilyState, entry: Entry) -> Closing | None:
    """Return what closed a claim; None for an open one, and for one that confirms another and lives with that."""
    interval = family_interval(family, entry.claim.id)
    if interval.valid_to is None:
        return None
    ruling = family.rulings.cover(entry.claim)
    if ruling is not None:
        return Closing(at=interval.valid_to, by=interval.superseded_by, decision=ruling.number)
    assert interval.superseded_by is not None  # only a correction closes a claim that no decision covers
    correction = family.entries[interval.superseded_by].decision
    target = next(found for found in correction.targets if found.claim_id == entry.claim.id)
    return Closing(
        at=interval.valid_to,
        by=correction.claim_id,
        rule=correction.rule,
        match=target.match,
        via=target.via,
    )

"""Together the golden cases show every rule of every policy, and every code that it can give."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from prme.explanation.wording import CHANGES, REJECTIONS
from prme.model.decision import Match, Reason, Test, Via
from prme.model.extraction import EpistemicType, Kind, Polarity
from prme.model.message import Role, SourceType
from prme.model.node import Status
from prme.model.plan import ExtractionPlan, PlannedClaim
from prme.policy.policy import Policy
from prme.policy.registry import POLICIES
from tests.plan.golden import CASES, labels_of, saved_plans

# The policy, the kind of code and the code.
Code = tuple[str, str, str | None]
# What a policy can never conclude, and why.
UNREACHABLE: dict[Code, str] = {
    ("speech_act_v13", "reason", "ambiguous"): "objects match exactly, so all that match are one object",
    ("speech_act_v13", "match", "short"): "it knows no shorthand",
    ("speech_act_v13", "via", "transition"): "it knows no transition",
}
CODES = {
    "reason": get_args(Reason),
    "match": get_args(Match),
    "via": get_args(Via),
    "near miss": get_args(Test),
    "rejection": tuple(REJECTIONS),
    "change": tuple(CHANGES),
    "status": get_args(Status),
    "kind": get_args(Kind),
    "polarity": get_args(Polarity),
    "epistemic type": get_args(EpistemicType),
    "source type": tuple(SourceType),
}


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("kind", CODES)
def test_the_cases_cover_every_code_that_a_policy_can_give(kind: str, policy: str):
    wanted = {(policy, kind, code) for code in CODES[kind]}

    assert wanted - shown() == {code for code in UNREACHABLE if code[:2] == (policy, kind)}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_the_cases_cover_every_rule_of_a_policy(policy: Policy):
    assert {rule.name for rule in policy.rules} == shown_of(policy, "rule") - {None}


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_the_cases_retire_through_every_class_of_a_policy(policy: Policy):
    retired = shown_of(policy, "retired through a class")

    assert [] == [sorted(predicates) for predicates in policy.predicate_classes if not predicates & retired]


@pytest.mark.parametrize("policy", POLICIES.values(), ids=lambda policy: policy.name)
def test_the_cases_retire_through_every_transition_of_a_policy(policy: Policy):
    wanted = {predicate for transition in policy.transitions for predicate in transition.replaces}

    assert wanted == shown_of(policy, "retired through a transition")


def test_the_cases_cover_every_role():
    assert set(get_args(Role)) == {plan.event.role for case in CASES for plan in saved_plans(case)}


def test_a_code_that_no_policy_can_give_is_a_code():
    assert [] == [code for code in UNREACHABLE if code[0] not in POLICIES or code[2] not in CODES[code[1]]]


def test_there_are_at_least_forty_cases():
    assert len(CASES) >= 40


@cache
def shown() -> frozenset[Code]:
    return frozenset(code for case in CASES for code in _shown_by(case))


def shown_of(policy: Policy, kind: str) -> set[str | None]:
    return {code for name, of, code in shown() if (name, of) == (policy.name, kind)}


def _shown_by(case: Path) -> Iterator[Code]:
    plans = saved_plans(case)
    labels = labels_of(plans)
    claims = {labels[claim.id]: claim for plan in plans for claim in plan.claims}
    outcome = json.loads((case / "outcome.json").read_bytes())
    for plan in plans:
        yield from ((plan.policy, "rejection", rejected.reason) for rejected in plan.rejected)
        for claim in plan.claims:
            told = outcome[labels[claim.id]]
            found = (
                *_claimed(plan, claim),
                *_decided(told["decision"], claims),
                ("status", told["interval"]["status"]),
            )
            yield from ((plan.policy, kind, code) for kind, code in found)


def _claimed(plan: ExtractionPlan, claim: PlannedClaim) -> Iterator[tuple[str, str]]:
    yield from (("change", code) for code in claim.changes)
    yield "kind", claim.kind
    yield "polarity", claim.polarity
    yield "epistemic type", claim.epistemic_type
    yield "source type", plan.event.source_type


def _decided(decision: dict[str, Any], claims: dict[str, PlannedClaim]) -> Iterator[tuple[str, str | None]]:
    yield "reason", decision["reason"]
    yield "rule", decision["rule"]
    yield from (("near miss", test) for _, test in decision["near_misses"])
    for label, match, via in decision["targets"]:
        yield "match", match
        yield "via", via
        if via != "same":
            yield f"retired through a {via}", claims[label].predicate

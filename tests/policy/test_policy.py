"""Which predicates a policy relates, what is no correction at all under it, and what may be corrected."""

from __future__ import annotations

from typing import Any

import pytest

from prme.policy.policy import is_plain_statement, obstacle
from prme.policy.speech_act_v13 import POLICY as POLICY_V13
from prme.policy.speech_act_v14 import POLICY as POLICY_V14
from tests.correction.claims import claim, denial, update

CLASSES = [
    ["works_at", "employed_by", "employed_at", "joined"],
    ["lives_in", "resides_in", "located_in"],
    ["role", "position", "title"],
]
RELATED = [(a, b) for group in CLASSES for a in group for b in group if a != b]


@pytest.mark.parametrize("policy", [POLICY_V13, POLICY_V14], ids=lambda policy: policy.name)
@pytest.mark.parametrize(("later", "earlier"), RELATED)
def test_predicates_of_one_class_are_related(policy: Any, later: str, earlier: str):
    assert policy.relation(denial("b", predicate=later), claim("a", predicate=earlier)) == "class"


@pytest.mark.parametrize("policy", [POLICY_V13, POLICY_V14], ids=lambda policy: policy.name)
@pytest.mark.parametrize(
    ("later", "earlier"),
    [("works_at", "lives_in"), ("lives_in", "role"), ("title", "joined"), ("has", "owns"), ("likes", "has")],
)
def test_predicates_of_different_classes_are_not_related(policy: Any, later: str, earlier: str):
    assert policy.relation(denial("b", predicate=later), claim("a", predicate=earlier)) is None


@pytest.mark.parametrize("predicate", ["has", "owns", "likes", "works_at", "switched_to"])
def test_a_predicate_is_related_to_itself(predicate: str):
    assert POLICY_V14.relation(denial("b", predicate=predicate), claim("a", predicate=predicate)) == "same"


@pytest.mark.parametrize("earlier", ["uses", "use"])
def test_a_positive_switch_may_replace_what_was_used(earlier: str):
    assert POLICY_V14.relation(update("b", predicate="switched_to"), claim("a", predicate=earlier)) == "transition"


@pytest.mark.parametrize("earlier", ["has", "owns", "likes", "used", "works_at"])
def test_a_switch_replaces_nothing_else(earlier: str):
    assert POLICY_V14.relation(update("b", predicate="switched_to"), claim("a", predicate=earlier)) is None


@pytest.mark.parametrize("later", ["uses", "use"])
def test_use_does_not_replace_a_switch(later: str):
    assert POLICY_V14.relation(update("b", predicate=later), claim("a", predicate="switched_to")) is None


def test_uses_and_use_are_two_predicates():
    assert POLICY_V14.relation(update("b", predicate="use"), claim("a", predicate="uses")) is None


def test_a_denied_switch_is_no_transition():
    assert POLICY_V14.relation(denial("b", predicate="switched_to"), claim("a", predicate="uses")) is None


@pytest.mark.parametrize(
    ("kinds", "via"),
    [
        (("fact", "fact"), "transition"),
        (("preference", "preference"), None),
        (("decision", "decision"), None),
        (("fact", "preference"), None),
        (("preference", "fact"), None),
    ],
)
def test_a_transition_is_for_facts_alone(kinds: tuple[str, str], via: str | None):
    later, earlier = kinds

    assert via == POLICY_V14.relation(update("b", predicate="switched_to", kind=later), claim("a", kind=earlier))


def test_the_older_policy_has_no_transition():
    assert POLICY_V13.relation(update("b", predicate="switched_to"), claim("a", predicate="uses")) is None


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({}, None),
        ({"epistemic_type": "observed"}, None),
        ({"polarity": "positive"}, None),
        ({"temporal_intent": None}, "not_an_update"),
        ({"temporal_intent": "assertion"}, "not_an_update"),
        ({"condition": "if it snows"}, "conditional"),
        ({"epistemic_type": "inferred"}, "not_asserted"),
        ({"epistemic_type": "hypothetical"}, "not_asserted"),
        ({"epistemic_type": "conditional"}, "not_asserted"),
        ({"epistemic_type": "unverified"}, "not_asserted"),
        ({"polarity": "unknown"}, "polarity_unknown"),
        # The first reason that applies is the one that is given.
        ({"temporal_intent": None, "condition": "if", "epistemic_type": "inferred"}, "not_an_update"),
        ({"condition": "if", "epistemic_type": "inferred", "polarity": "unknown"}, "conditional"),
        ({"epistemic_type": "inferred", "polarity": "unknown"}, "not_asserted"),
    ],
)
def test_what_keeps_a_claim_from_being_a_correction(fields: dict[str, Any], reason: str | None):
    assert obstacle(denial("a", **fields)) == reason


@pytest.mark.parametrize(
    ("fields", "correctable"),
    [
        ({}, True),
        ({"epistemic_type": "observed"}, True),
        ({"kind": "preference"}, True),
        ({"temporal_intent": "update"}, True),
        ({"polarity": "negative"}, False),
        ({"polarity": "unknown"}, False),
        ({"condition": "if it snows"}, False),
        ({"condition": ""}, False),
        ({"epistemic_type": "inferred"}, False),
        ({"epistemic_type": "hypothetical"}, False),
        ({"epistemic_type": "conditional"}, False),
        ({"epistemic_type": "unverified"}, False),
        ({"subject_id": None}, False),
    ],
)
def test_only_an_asserted_unconditional_positive_claim_may_be_corrected(fields: dict[str, Any], correctable: bool):
    assert is_plain_statement(claim("a", **fields)) is correctable

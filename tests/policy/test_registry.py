"""Policies are found by the name in the plan, and predicate families follow from all of them together."""

from __future__ import annotations

import pytest

from prme.errors import UnsupportedPlanError
from prme.policy.registry import DEFAULT_POLICY, NEWEST_POLICY, POLICIES, get_policy, predicate_family
from tests.correction.claims import V13, V14


def test_every_policy_stands_under_its_own_name():
    assert {name: policy.name for name, policy in POLICIES.items()} == {V13: V13, V14: V14}


@pytest.mark.parametrize("name", [V13, V14])
def test_a_policy_is_found_by_its_recorded_name(name: str):
    assert get_policy(name) is POLICIES[name]


def test_an_unknown_policy_says_what_is_known_and_what_to_upgrade():
    with pytest.raises(UnsupportedPlanError) as raised:
        get_policy("speech_act_v99")

    assert str(raised.value) == (
        "policy 'speech_act_v99' is not known to this release, which knows speech_act_v13, speech_act_v14: "
        "upgrade prme to a release that has 'speech_act_v99'"
    )


def test_policies_are_numbered_from_old_to_new():
    assert {name: policy.number for name, policy in POLICIES.items()} == {V13: 13, V14: 14}


def test_new_messages_get_the_newest_policy():
    assert (DEFAULT_POLICY, NEWEST_POLICY) == (V14, POLICIES[V14])


@pytest.mark.parametrize(
    "family",
    [
        {"works_at", "employed_by", "employed_at", "joined"},
        {"lives_in", "resides_in", "located_in"},
        {"role", "position", "title"},
        {"uses", "use", "switched_to"},
        {"likes"},
    ],
    ids=lambda family: min(family),
)
def test_a_predicate_family_is_the_same_from_each_of_its_predicates(family: set[str]):
    assert {predicate: predicate_family(predicate) for predicate in family} == dict.fromkeys(family, family)

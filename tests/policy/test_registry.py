"""Policies are found by the name in the plan, and predicate families follow from all of them together."""

from __future__ import annotations

import pytest

from prme.errors import UnsupportedPlanError
from prme.policy.policy import Policy
from prme.policy.registry import DEFAULT_POLICY, NEWEST_POLICY, POLICIES, get_policy, predicate_family
from prme.policy.speech_act_v13 import POLICY as POLICY_V13
from prme.policy.speech_act_v14 import POLICY as POLICY_V14


@pytest.mark.parametrize("policy", [POLICY_V13, POLICY_V14], ids=lambda policy: policy.name)
def test_a_policy_is_found_by_its_recorded_name(policy: Policy):
    assert get_policy(policy.name) is policy


def test_an_unknown_policy_says_what_is_known_and_what_to_upgrade():
    with pytest.raises(UnsupportedPlanError) as raised:
        get_policy("speech_act_v99")

    assert str(raised.value) == (
        f"policy 'speech_act_v99' is not known to this release, which knows {', '.join(POLICIES)}: "
        "upgrade prme to a release that has 'speech_act_v99'"
    )


def test_the_published_policies_keep_their_numbers():
    assert (POLICY_V13.number, POLICY_V14.number) == (13, 14)


def test_a_new_policy_does_not_become_the_default_by_being_there():
    assert DEFAULT_POLICY == POLICY_V14.name


def test_the_newest_policy_is_the_one_with_the_highest_number():
    assert max(POLICIES.values(), key=lambda policy: policy.number) is NEWEST_POLICY


@pytest.mark.parametrize(
    "family",
    [
        {"works_at", "employed_by", "employed_at", "joined"},
        {"lives_in", "resides_in", "located_in"},
        {"role", "position", "title"},
        {"uses", "use", "switched_to"},
    ],
    ids=lambda family: min(family),
)
def test_a_predicate_is_of_one_family_with_all_that_some_policy_relates_to_it(family: set[str]):
    found = predicate_family(min(family))

    assert family <= found
    assert {predicate_family(predicate) for predicate in found} == {found}


def test_a_predicate_that_nothing_is_related_to_is_a_family_of_its_own():
    assert predicate_family("has_nothing_to_do_with") == {"has_nothing_to_do_with"}


@pytest.mark.parametrize("predicate", ["works_at", "title", "uses", "switched_to", "likes"])
def test_a_family_is_no_larger_than_the_steps_from_one_relation_to_the_next(predicate: str):
    groups = [group for policy in POLICIES.values() for group in policy.predicate_classes]
    groups += [{t.predicate, *t.replaces} for policy in POLICIES.values() for t in policy.transitions]
    reached, wider = set[str](), {predicate}
    while reached != wider:
        reached, wider = wider, wider.union(*(group for group in groups if group & wider))

    assert predicate_family(predicate) == reached

"""Near misses are the claims that failed exactly one test of a correction: the reason why nothing was retired."""

from __future__ import annotations

from typing import Any

import pytest

from prme.correction.near_miss import MOST_NEAR_MISSES, near_misses
from prme.correction.subject import fold_subject
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from prme.model.message import SourceType
from tests.correction.claims import V13, claim, denial, supersede, update


def missed(correction: Claim, *others: Claim, by_hand: tuple[ExplicitDecision, ...] = ()) -> list[tuple[str, str]]:
    subject = fold_subject([*others, correction], by_hand)
    return [(miss.claim_id, miss.test) for miss in near_misses(subject, correction)]


NO = denial("no", day=2)

ONE_TEST: dict[str, tuple[dict[str, Any], str]] = {
    "another predicate": ({"predicate": "owns"}, "predicate"),
    "another object": ({"obj": "Slack"}, "object"),
    "another source type": ({"source_type": SourceType.SYSTEM_INFERRED}, "source_type"),
    "another kind": ({"kind": "preference"}, "kind"),
    "a later effective time": ({"day": 3}, "time"),
    "a guess": ({"epistemic_type": "inferred"}, "state"),
    "a condition": ({"condition": "if it snows"}, "state"),
    "a denial": ({"polarity": "negative"}, "state"),
    "an unknown polarity": ({"polarity": "unknown"}, "state"),
}


@pytest.mark.parametrize(("fields", "test"), ONE_TEST.values(), ids=ONE_TEST)
def test_a_claim_that_fails_one_test_is_named_with_it(fields: dict[str, Any], test: str):
    assert missed(NO, claim("other", **{"day": 1, **fields})) == [("other", test)]


def test_claims_that_fail_no_test_are_candidates_and_no_near_misses():
    road, mountain = claim("road", "road bike", day=1), claim("mountain", "mountain bike", day=2, received=1)

    assert missed(denial("no", "bike", day=2), road, mountain) == []


@pytest.mark.parametrize("later", [{"received": 3}, {"received": 2, "position": 1}])
def test_a_claim_of_the_same_instant_that_comes_later_in_the_fold_fails_by_time(later: dict[str, Any]):
    assert missed(NO, claim("other", day=2, **later)) == [("other", "time")]


@pytest.mark.parametrize(
    "fields",
    [
        {"predicate": "owns", "obj": "Slack"},
        {"obj": "Slack", "kind": "preference"},
        {"kind": "preference", "source_type": SourceType.TOOL_OUTPUT},
        {"day": 3, "obj": "Slack"},
        {"condition": "if it snows", "predicate": "owns"},
    ],
)
def test_a_claim_that_fails_two_tests_is_no_near_miss(fields: dict[str, Any]):
    assert missed(NO, claim("other", **{"day": 1, **fields})) == []


def test_a_claim_that_was_closed_before_fails_by_its_state():
    gone = update("gone", "Penpot", day=1, replaces="Figma")

    assert missed(NO, claim("figma", day=0), gone) == [("gone", "object"), ("figma", "state")]


def test_a_claim_that_was_closed_at_the_same_instant_fails_by_its_state():
    gone = update("gone", "Penpot", day=2, received=1, replaces="Figma")

    assert missed(NO, claim("figma", day=0), gone) == [("gone", "object"), ("figma", "state")]


def test_an_open_denial_that_is_repeated_fails_by_its_state():
    assert missed(NO, claim("figma", day=0), denial("gone", day=1)) == [("gone", "state"), ("figma", "state")]


def test_a_claim_that_is_closed_later_has_not_failed_by_its_state():
    blocked = denial("no", day=2, kind="preference")

    assert missed(blocked, claim("figma", day=1), denial("gone", day=3)) == [("figma", "kind")]


def test_a_later_claim_that_is_closed_later_still_fails_by_time_alone():
    assert missed(NO, claim("figma", day=3), denial("gone", day=4)) == [("figma", "time")]


def test_a_later_claim_that_is_closed_as_it_begins_fails_two_tests():
    assert missed(NO, claim("figma", day=3, received=3), denial("gone", day=3, received=4)) == []


def test_a_claim_that_was_closed_by_hand_fails_by_its_state():
    figma, penpot = claim("figma", day=0), claim("penpot", "Penpot", day=0.5)
    by_hand = (supersede("figma", "penpot", day=0.5, mark=1),)

    assert missed(NO, figma, penpot, by_hand=by_hand) == [("penpot", "object"), ("figma", "state")]


def test_the_new_value_of_an_update_fails_by_its_object():
    change = update("change", "insulin pump", day=2, replaces="pump")

    assert missed(change, claim("pump", "insulin pump", day=1, epistemic_type="observed")) == [("pump", "object")]


def test_another_value_of_an_update_may_fail_by_something_else():
    change = update("change", "patch pump", day=2, replaces="pump")

    assert missed(change, claim("pump", "insulin pump", day=1, kind="preference")) == [("pump", "kind")]


def test_a_confirming_claim_is_left_out():
    slack = claim("slack", "Slack", day=0)

    assert missed(NO, slack, claim("again", "Slack", day=1)) == [("slack", "object")]
    assert missed(NO, slack, claim("again", "Teams", day=1)) == [("again", "object"), ("slack", "object")]


def test_the_newest_come_first_over_all_families():
    others = [
        claim("middle", "Slack", day=1),
        claim("oldest", day=0.5, predicate="owns"),
        claim("newest", day=1.5, kind="preference"),
    ]

    assert [name for name, _ in missed(NO, *others)] == ["newest", "middle", "oldest"]


def test_there_are_at_most_twenty_and_they_are_the_newest():
    others = [claim(f"tool {n}", f"Tool {n}", day=n / 100) for n in range(MOST_NEAR_MISSES + 1)]

    assert [name for name, _ in missed(NO, *others)] == [f"tool {n}" for n in range(20, 0, -1)]


def test_twenty_are_all_named():
    others = [claim(f"tool {n}", f"Tool {n}", day=n / 100) for n in range(MOST_NEAR_MISSES)]

    assert len(missed(NO, *others)) == 20


def test_a_claim_that_is_no_correction_misses_nothing():
    assert missed(claim("plain", day=2), claim("slack", "Slack", day=1)) == []


def test_the_tests_are_those_of_the_policy_of_the_correction():
    pump = claim("pump", "insulin pump", day=1, kind="preference")
    old = update("change", "patch", day=2, replaces="pump", policy=V13)
    new = update("change", "patch", day=2, replaces="pump")

    assert missed(old, pump) == []
    assert missed(new, pump) == [("pump", "kind")]

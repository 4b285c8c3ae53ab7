"""What one correction does to one earlier claim, each rule beside the case in which it does the opposite (SPEC 8)."""

from __future__ import annotations

from typing import Any

import pytest

from prme.correction.correct import correct
from prme.model.interval import Interval
from prme.model.message import SourceType
from tests.correction.claims import (
    NAMED,
    V13,
    at,
    claim,
    closed,
    confirmations,
    denial,
    fold,
    intervals,
    judged,
    nothing,
    retired,
    update,
)

FIGMA = claim("figma", day=1)


def test_a_denial_closes_the_denied_claim_when_it_took_effect():
    state = fold(FIGMA, denial("no", day=2))

    assert state == {
        "figma": Interval("figma", at(1), at(2), "superseded", "no", None),
        "no": Interval("no", at(2), None, "current", None, None),
    }


def test_a_denial_says_what_it_retired_and_how_it_matched():
    assert judged(FIGMA, denial("no", day=2))["no"] == retired("no", ("figma", "exact", "same"))


def test_a_plain_claim_says_that_it_is_no_update():
    assert judged(FIGMA)["figma"] == nothing("figma", "not_an_update")


def test_a_shorthand_retires_the_longer_object():
    pump = claim("pump", "insulin pump", day=1)

    assert judged(pump, denial("no", "pump", day=2))["no"] == retired("no", ("pump", "short", "same"))


def test_a_longer_denial_retires_no_shorter_object():
    pump = claim("pump", "pump", day=1)

    assert judged(pump, denial("no", "insulin pump", day=2))["no"] == nothing("no", "no_match")


def test_a_class_retires_across_its_predicates():
    acme = claim("acme", "Acme", day=1, predicate="works_at")

    assert judged(acme, denial("no", "Acme", day=2, predicate="joined"))["no"] == retired(
        "no", ("acme", "exact", "class")
    )


def test_a_switch_retires_what_was_used():
    switch = update("switch", "Penpot", day=2, predicate="switched_to", replaces="Figma")

    assert judged(FIGMA, switch)["switch"] == retired("switch", ("figma", "exact", "transition"), rule=NAMED)


def test_a_named_replacement_opens_the_new_value_and_closes_the_old():
    state = fold(FIGMA, update("penpot", "Penpot", day=2, replaces="Figma"))

    assert closed(state) == {"figma": "penpot"}


def test_an_update_that_names_no_old_value_retires_nothing():
    decided = judged(FIGMA, update("penpot", "Penpot", day=2))

    assert decided["penpot"] == nothing("penpot", "no_target")


BLOCKED: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    # what blocks: (fields of the earlier claim, fields of the denial)
    "a condition on the denial": ({}, {"condition": "if it snows"}),
    "a condition on the earlier claim": ({"condition": "if it snows"}, {}),
    "a guess": ({}, {"epistemic_type": "hypothetical"}),
    "an earlier guess": ({"epistemic_type": "inferred"}, {}),
    "an unknown polarity": ({}, {"polarity": "unknown"}),
    "an earlier denial": ({"polarity": "negative"}, {}),
    "no update": ({}, {"temporal_intent": "assertion"}),
    "another predicate": ({}, {"predicate": "owns"}),
    "another kind": ({}, {"kind": "preference"}),
    "another source type": ({}, {"source_type": SourceType.SYSTEM_INFERRED}),
    "an unresolved denial": ({}, {"subject_id": None}),
    "an unresolved earlier claim": ({"subject_id": None}, {}),
    "another subject": ({}, {"subject_id": "somebody else"}),
    "a later effect of the earlier claim": ({"day": 3}, {}),
    "the older policy": ({}, {"policy": V13}),
}


@pytest.mark.parametrize(("earlier", "later"), BLOCKED.values(), ids=BLOCKED)
def test_a_denial_retires_nothing_across(earlier: dict[str, Any], later: dict[str, Any]):
    figma = claim("figma", **{"day": 1, **earlier})
    blocked = denial("no", day=2, **later)

    outcome = correct(correct({}, [figma]).subjects, [blocked])

    assert closed({change.after.node_id: change.after for change in outcome.changes}) == {}
    assert outcome.decisions[0].outcome == "none"


def test_a_denial_without_any_obstacle_retires():
    outcome = correct(correct({}, [FIGMA]).subjects, [denial("no", day=2)])

    assert closed({change.after.node_id: change.after for change in outcome.changes}) == {"figma": "no"}


def test_two_distinct_objects_make_a_denial_ambiguous():
    road, mountain = claim("road", "road bike", day=1), claim("mountain", "mountain bike", day=2)
    no = denial("no", "bike", day=3)

    assert judged(road, mountain, no)["no"] == nothing("no", "ambiguous", "road", "mountain")
    assert closed(fold(road, mountain, no)) == {}


def test_an_exact_match_is_not_preferred():
    bike, mountain = claim("bike", "bike", day=1), claim("mountain", "mountain bike", day=2)

    assert judged(mountain, bike, denial("no", "bike", day=3))["no"] == nothing("no", "ambiguous", "bike", "mountain")


def test_one_object_under_two_predicates_is_not_ambiguous():
    works = claim("works", "Acme", day=1, predicate="works_at")
    joined = claim("joined", "Acme", day=2, predicate="joined")
    no = denial("no", "Acme", day=3, predicate="works_at")

    assert judged(works, joined, no)["no"] == retired("no", ("works", "exact", "same"), ("joined", "exact", "class"))


def test_one_of_two_matching_objects_is_retired_once_the_other_is_closed():
    road, mountain = claim("road", "road bike", day=1), claim("mountain", "mountain bike", day=1.5)
    no_mountain = denial("no mountain", "mountain bike", day=2)

    assert judged(road, mountain, no_mountain, denial("no", "bike", day=3))["no"] == retired(
        "no", ("road", "short", "same")
    )


def test_a_positive_update_never_retires_its_own_new_value():
    pump = claim("pump", "insulin pump", day=1)
    same = update("same", "insulin pump", day=2, replaces="pump")
    other = update("other", "patch pump", day=2, replaces="pump")

    assert judged(pump, same)["same"] == nothing("same", "no_match", rule=NAMED)
    assert judged(pump, other)["other"] == retired("other", ("pump", "short", "same"), rule=NAMED)


def test_the_new_value_does_not_count_as_a_second_object():
    pump, patch = claim("pump", "insulin pump", day=1), claim("patch", "patch pump", day=1)
    change = update("change", "patch pump", day=2, replaces="pump")

    assert judged(pump, patch, change)["change"] == retired("change", ("pump", "short", "same"), rule=NAMED)


def test_a_denial_may_name_another_value_than_its_own_object():
    no = denial("no", "Figma", day=2, replaces="Slack")

    assert closed(fold(FIGMA, claim("slack", "Slack", day=1), no)) == {"slack": "no"}


def test_a_denial_is_never_retired_by_a_denial():
    state = fold(FIGMA, denial("no", day=2), claim("again", day=3), denial("no more", day=4))

    assert closed(state) == {"figma": "no", "again": "no more"}


def test_a_claim_that_took_effect_at_the_same_instant_is_retired_and_was_never_true():
    state = fold(claim("figma", day=2, received=1), denial("no", day=2, received=2))

    assert state["figma"] == Interval("figma", at(2), at(2), "superseded", "no", None)


def test_at_equal_effective_times_the_order_of_receipt_decides():
    assert closed(fold(claim("figma", day=2, received=2), denial("no", day=2, received=1))) == {}


def test_at_equal_times_the_position_decides():
    assert closed(fold(claim("figma", position=0), denial("no", position=1))) == {"figma": "no"}
    assert closed(fold(claim("figma", position=1), denial("no", position=0))) == {}


def test_what_is_closed_is_not_retired_again():
    state = fold(FIGMA, denial("no", day=2), denial("again", day=3, predicate="uses"))

    assert closed(state) == {"figma": "no"}
    assert confirmations(state) == {"again": "no"}


def test_the_older_policy_matches_exactly_where_the_newer_one_takes_a_shorthand():
    pump = claim("pump", "insulin pump", day=1)
    fields: dict[str, Any] = {"day": 2, "replaces": "pump"}

    assert closed(fold(pump, update("patch", "patch", policy=V13, **fields))) == {}
    assert closed(fold(pump, update("patch", "patch", **fields))) == {"pump": "patch"}


def test_the_older_policy_replaces_a_named_value():
    penpot = update("penpot", "Penpot", day=2, replaces="Figma", policy=V13)

    assert closed(fold(claim("figma", day=1, policy=V13), penpot)) == {"figma": "penpot"}


def test_each_correction_is_judged_by_the_policy_of_its_own_plan():
    old_rule = denial("old rule", "Slack", day=2, policy=V13)
    new_rule = denial("new rule", day=3)

    assert closed(fold(claim("figma", day=1, policy=V13), claim("slack", "Slack", day=1), old_rule, new_rule)) == {
        "figma": "new rule"
    }


def test_an_object_of_five_words_is_met_by_its_exact_text_alone():
    long = claim("long", "my old red road bike", day=1)

    assert closed(fold(long, denial("no", "my old red road bike", day=2))) == {"long": "no"}
    assert closed(fold(long, denial("no", "bike", day=2))) == {}


@pytest.mark.parametrize("word", ["my", "old", "red", "bike"])
def test_an_object_of_four_words_is_met_by_any_word_that_is_long_enough(word: str):
    bike = claim("bike", "my old red bike", day=1)

    assert closed(fold(bike, denial("no", word, day=2))) == ({} if word == "my" else {"bike": "no"})


def test_a_chain_within_one_plan_is_decided_in_order_of_position():
    plan = [
        claim("figma", day=1, position=0),
        update("penpot", "Penpot", day=1, position=1, replaces="Figma"),
        update("sketch", "Sketch", day=1, position=2, replaces="Penpot"),
    ]

    outcome = correct({}, plan)

    assert closed(intervals(outcome.subjects["owner"])) == {"figma": "penpot", "penpot": "sketch"}


def test_a_repeated_claim_confirms_the_earliest_open_one():
    state = fold(FIGMA, claim("again", day=2), claim("once more", day=3))

    assert confirmations(state) == {"again": "figma", "once more": "figma"}
    assert state["again"] == Interval("again", at(2), None, "confirming", None, "figma")


def test_a_claim_after_a_denial_is_a_new_one():
    state = fold(FIGMA, denial("no", day=2), claim("again", day=3))

    assert confirmations(state) == {}
    assert state["again"].status == "current"


@pytest.mark.parametrize(
    "fields",
    [
        {"obj": "Penpot"},
        {"predicate": "use"},
        {"polarity": "negative"},
        {"epistemic_type": "observed"},
        {"condition": "if it snows"},
        {"kind": "preference"},
        {"source_type": SourceType.TOOL_OUTPUT},
        {"subject_id": "somebody else"},
        {"subject_id": None},
    ],
    ids=str,
)
def test_a_claim_that_differs_confirms_nothing(fields: dict[str, Any]):
    outcome = correct(correct({}, [FIGMA]).subjects, [claim("other", day=2, **fields)])

    assert [change.after.confirms for change in outcome.changes] == [None]


@pytest.mark.parametrize("fields", [{}, {"policy": V13}, {"temporal_intent": "update"}, {"obj": " FIGMA "}])
def test_a_claim_that_is_equal_confirms_whatever_else_differs(fields: dict[str, Any]):
    outcome = correct(correct({}, [FIGMA]).subjects, [claim("other", day=2, **fields)])

    assert [change.after.confirms for change in outcome.changes] == ["figma"]


def test_unresolved_claims_never_confirm_each_other():
    outcome = correct({}, [claim("a", subject_id=None), claim("b", subject_id=None, position=1)])

    assert [change.after.confirms for change in outcome.changes] == [None, None]


def test_an_update_that_repeats_an_open_value_closes_the_old_one_and_confirms():
    penpot = claim("penpot", "Penpot", day=1)
    change = update("change", "Penpot", day=2, replaces="Figma")

    state = fold(FIGMA, penpot, change)

    assert closed(state) == {"figma": "change"}
    assert confirmations(state) == {"change": "penpot"}


def test_only_the_confirmed_claim_is_retired_and_the_confirming_one_goes_with_it():
    state = fold(FIGMA, claim("again", day=2), denial("no", day=3))

    assert closed(state) == {"figma": "no"}
    assert confirmations(state) == {"again": "figma"}


def test_two_claims_of_one_object_under_different_identities_are_both_retired():
    observed = claim("observed", day=2, epistemic_type="observed")

    assert closed(fold(FIGMA, observed, denial("no", day=3))) == {"figma": "no", "observed": "no"}

"""Decisions made by hand are data of the fold: what they close, hold, contest and leave alone (SPEC 8.2)."""

from __future__ import annotations

from typing import Any

import pytest

from prme.correction.rulings import NO_RULINGS, Rulings, claim_identity, closing_time
from prme.correction.subject import fold_subject
from prme.model.decision import ExplicitDecision
from prme.model.interval import Interval
from tests.correction.claims import (
    NAMED,
    admit_one,
    at,
    claim,
    closed,
    confirmations,
    contradict,
    denial,
    fold,
    intervals,
    judged,
    nothing,
    resolve,
    retired,
    supersede,
    update,
)

FIGMA = claim("figma", "Figma", day=1)
PENPOT = claim("penpot", "Penpot", day=2)
BY_HAND = (supersede("figma", "penpot", day=2, mark=2),)


def test_without_decisions_nothing_is_ruled():
    assert Rulings.of((), {"figma": FIGMA}) == NO_RULINGS


# (a) what a decision closes


def test_the_old_claim_closes_at_the_time_of_the_decision():
    assert fold(FIGMA, PENPOT, by_hand=BY_HAND) == {
        "figma": Interval("figma", at(1), at(2), "superseded", "penpot", None),
        "penpot": Interval("penpot", at(2), None, "current", None, None),
    }


def test_an_equal_claim_that_confirms_the_old_one_is_hidden_with_it():
    state = fold(FIGMA, PENPOT, claim("again", day=3, received=2), by_hand=BY_HAND)

    assert confirmations(state) == {"again": "figma"}
    assert closed(state) == {"figma": "penpot"}


def test_a_claim_that_differs_is_left_open():
    observed = claim("observed", day=1.5, epistemic_type="observed")

    assert closed(fold(FIGMA, observed, PENPOT, by_hand=BY_HAND)) == {"figma": "penpot"}


@pytest.mark.parametrize(("day", "ends"), [(1.5, 2), (2, 2), (3, 3)])
def test_an_equal_claim_of_its_own_closes_at_that_time_or_as_it_begins(day: float, ends: float):
    again = claim("again", day=day, received=2)
    # A side of a contradiction confirms nothing, so it has an interval of its own.
    by_hand = (*BY_HAND, contradict("again", "slack", mark=9, number=2))

    assert fold(FIGMA, PENPOT, again, by_hand=by_hand)["again"] == Interval(
        "again", at(day), at(ends), "superseded", "penpot", None
    )


def test_an_equal_claim_received_after_the_mark_but_effective_before_closes_too():
    before = claim("before", day=0.5, received=9)

    state = fold(FIGMA, before, PENPOT, by_hand=BY_HAND)

    # It is the earliest equal claim, so the one that was decided about confirms it and keeps its own closing.
    assert confirmations(state) == {"figma": "before"}
    assert (state["before"].valid_to, state["before"].superseded_by) == (at(2), "penpot")
    assert (state["figma"].valid_to, state["figma"].superseded_by) == (at(2), "penpot")


@pytest.mark.parametrize(
    ("day", "received", "covered"), [(2, 2, True), (2, 2.5, False), (1.9, 2.5, True), (3, 2, True), (3, 2.5, False)]
)
def test_an_equal_claim_is_covered_up_to_the_mark_or_before_the_decision_took_effect(
    day: float, received: float, covered: bool
):
    equal = claim("equal", day=day, received=received)

    rulings = Rulings.of(BY_HAND, {each.id: each for each in (FIGMA, PENPOT, equal)})

    assert rulings.cover(equal) == (BY_HAND[0] if covered else None)


def test_the_replacement_itself_stays_open_though_it_is_equal():
    again = claim("again", day=2)

    assert closed(fold(FIGMA, again, by_hand=(supersede("figma", "again", day=2, mark=2),))) == {"figma": "again"}


def test_a_replacement_may_be_superseded_in_its_turn():
    again = claim("again", day=2)
    by_hand = (
        supersede("figma", "again", day=2, mark=2),
        supersede("again", "slack", day=3, mark=3, number=2),
    )

    assert closed(fold(FIGMA, again, claim("slack", "Slack", day=3), by_hand=by_hand)) == {
        "figma": "again",
        "again": "slack",
    }


def test_the_first_decision_that_covers_a_claim_closes_it():
    slack = claim("slack", "Slack", day=3)
    by_hand = (
        supersede("figma", "slack", day=3, mark=3, number=2),
        supersede("figma", "penpot", day=2, mark=2, number=1),
    )

    assert closed(fold(FIGMA, PENPOT, slack, by_hand=by_hand)) == {"figma": "penpot"}


def test_a_rule_never_moves_a_closing_that_was_decided():
    early = denial("early", day=1.5, received=9)

    assert fold(FIGMA, PENPOT, early, by_hand=BY_HAND)["figma"].valid_to == at(2)
    assert fold(FIGMA, PENPOT, early)["figma"].valid_to == at(1.5)


def test_decisions_about_other_claims_are_left_out():
    rulings = Rulings.of([supersede("a", "b", day=1, mark=1)], {"figma": FIGMA})

    assert rulings == NO_RULINGS


@pytest.mark.parametrize("names", [("figma", "elsewhere"), ("elsewhere", "figma")])
def test_a_decision_across_families_belongs_to_both(names: tuple[str, str]):
    decision = supersede(*names, day=1, mark=1)

    assert Rulings.of([decision], {"figma": FIGMA}).decisions == (decision,)


def test_a_replacement_in_another_family_closes_the_old_claim():
    acme = claim("acme", "Acme", day=2, predicate="works_at")

    assert closed(fold(FIGMA, acme, by_hand=(supersede("figma", "acme", day=2, mark=2),))) == {"figma": "acme"}


# (b) what was received up to the mark is judged as if the decision had not been made

ROAD, MOUNTAIN = claim("road", "road bike", day=1), claim("mountain", "mountain bike", day=2)
NO_BIKE = denial("no", "bike", day=3)


def test_an_explicit_answer_to_an_ambiguous_denial_retires_nothing_else():
    by_hand = (supersede("road", "no", day=3, mark=3),)

    assert closed(fold(ROAD, MOUNTAIN, NO_BIKE, by_hand=by_hand)) == {"road": "no"}
    assert judged(ROAD, MOUNTAIN, NO_BIKE, by_hand=by_hand)["no"] == nothing("no", "ambiguous", "road", "mountain")


def test_a_later_denial_sees_the_decision():
    later = denial("later", "bike", day=4, polarity="negative", epistemic_type="observed")
    by_hand = (supersede("road", "no", day=3, mark=3),)

    assert judged(ROAD, MOUNTAIN, NO_BIKE, later, by_hand=by_hand)["later"] == retired(
        "later", ("mountain", "short", "same")
    )


@pytest.mark.parametrize(("received", "outcome"), [(2, "none"), (2.5, "retired")])
def test_the_mark_divides_the_corrections_that_see_a_decision(received: float, outcome: str):
    tandem = claim("tandem", "tandem bike", day=1.5, received=1.5)
    by_hand = (supersede("road", "tandem", day=1.5, mark=2),)
    no_bike = denial("no", "bike", day=3, received=received)

    # Seen: the road bike is gone and the tandem is the only bike. Not seen: two bikes are open.
    assert judged(ROAD, tandem, no_bike, by_hand=by_hand)["no"].outcome == outcome


def test_a_correction_that_sees_the_decision_meets_the_claim_until_it_closes():
    by_hand = (supersede("figma", "penpot", day=5, mark=2),)
    before, after = denial("before", day=4, received=9), denial("after", day=5, received=9)

    assert judged(FIGMA, PENPOT, before, by_hand=by_hand)["before"] == nothing("before", "decided", "figma")
    assert judged(FIGMA, PENPOT, after, by_hand=by_hand)["after"] == nothing("after", "no_match")


@pytest.mark.parametrize(("received", "day"), [(1.5, 1.7), (1.5, 1.5), (2, 1.5)])
def test_a_correction_known_by_the_decision_closes_as_far_as_rules_go_but_retires_nothing(received: float, day: float):
    first = denial("first", day=1.5, received=received)
    second = update("second", "Slack", day=day, received=2, position=1, replaces="Figma")

    found = judged(FIGMA, PENPOT, first, second, by_hand=BY_HAND)

    assert found["first"] == nothing("first", "decided", "figma")
    assert found["second"] == nothing("second", "no_match", rule=NAMED)


def test_a_decided_claim_and_an_open_one_of_the_same_object_are_judged_one_by_one():
    penpot = claim("penpot", "Penpot", day=5, received=2)
    observed = claim("observed", day=1.5, epistemic_type="observed")
    by_hand = (supersede("figma", "penpot", day=5, mark=2),)
    later = denial("later", day=3, received=9)

    assert judged(FIGMA, penpot, observed, later, by_hand=by_hand)["later"] == retired(
        "later", ("observed", "exact", "same")
    )


def test_what_a_known_correction_closed_is_open_to_a_later_one_until_the_decision_takes_effect():
    penpot = claim("penpot", "Penpot", day=5, received=2)
    by_hand = (supersede("figma", "penpot", day=5, mark=2),)
    known, later = denial("known", day=3, received=1.5), update("later", "Slack", day=4, received=9, replaces="Figma")

    found = judged(FIGMA, penpot, known, later, by_hand=by_hand)

    assert found["known"] == nothing("known", "decided", "figma")
    assert found["later"] == nothing("later", "decided", "figma", rule=NAMED)


def test_what_a_later_correction_met_is_open_to_a_known_one_that_takes_effect_after_it():
    penpot = claim("penpot", "Penpot", day=5, received=2)
    by_hand = (supersede("figma", "penpot", day=5, mark=2),)
    later, known = denial("later", day=3, received=9), update("known", "Slack", day=4, received=1.5, replaces="Figma")

    found = judged(FIGMA, penpot, later, known, by_hand=by_hand)
    assert found["known"] == nothing("known", "decided", "figma", rule=NAMED)


def test_a_claim_received_after_the_mark_does_not_confirm_a_closed_one():
    known, later = claim("known", day=3, received=2), claim("later", day=3, received=3)

    assert confirmations(fold(FIGMA, PENPOT, known, by_hand=BY_HAND)) == {"known": "figma"}
    assert confirmations(fold(FIGMA, PENPOT, later, by_hand=BY_HAND)) == {}


# (c) the replacement is held


@pytest.mark.parametrize(
    ("day", "received", "reason"),
    [(3, 2, "decided"), (3, 2.5, None), (2, 2.5, "decided"), (2.5, 2.5, None)],
)
def test_a_held_claim_is_not_retired_by_what_was_known_or_effective_by_then(
    day: float, received: float, reason: str | None
):
    no = denial("no", "Penpot", day=day, received=received)

    assert judged(FIGMA, PENPOT, no, by_hand=BY_HAND)["no"].reason == reason


def test_a_claim_without_a_decision_is_not_held():
    assert judged(FIGMA, PENPOT, denial("no", "Penpot", day=3, received=2))["no"].outcome == "retired"


def test_a_held_claim_never_confirms():
    again = claim("again", "Penpot", day=3)
    by_hand = (supersede("figma", "again", day=3, mark=3),)

    assert confirmations(fold(FIGMA, PENPOT, again)) == {"again": "penpot"}
    assert confirmations(fold(FIGMA, PENPOT, again, by_hand=by_hand)) == {}


def test_a_held_claim_may_be_confirmed():
    assert confirmations(fold(FIGMA, PENPOT, claim("again", "Penpot", day=3), by_hand=BY_HAND)) == {"again": "penpot"}


def test_a_held_claim_and_an_open_one_of_the_same_object_are_judged_one_by_one():
    observed = claim("observed", "Penpot", day=2, epistemic_type="observed", position=1)
    no = denial("no", "Penpot", day=3, received=2)

    assert judged(FIGMA, PENPOT, observed, no, by_hand=BY_HAND)["no"] == retired("no", ("observed", "exact", "same"))


# (d) decided and contested claims still count as distinct objects


def test_a_held_claim_counts_as_a_distinct_object():
    by_hand = (supersede("figma", "mountain", day=2, mark=3),)

    assert judged(FIGMA, ROAD, MOUNTAIN, NO_BIKE, by_hand=by_hand)["no"] == nothing(
        "no", "ambiguous", "road", "mountain"
    )


def test_a_contested_claim_is_open_and_says_so():
    state = fold(FIGMA, PENPOT, by_hand=(contradict("figma", "penpot", mark=2),))

    assert state == {
        "figma": Interval("figma", at(1), None, "contested", None, None),
        "penpot": Interval("penpot", at(2), None, "contested", None, None),
    }


@pytest.mark.parametrize("received", [1.5, 9])
def test_a_contested_claim_is_never_retired_by_a_rule(received: float):
    no = denial("no", day=3, received=received)
    by_hand = (contradict("penpot", "figma", mark=2),)

    assert judged(FIGMA, PENPOT, no, by_hand=by_hand)["no"] == nothing("no", "contested", "figma")
    assert judged(FIGMA, PENPOT, no)["no"] == retired("no", ("figma", "exact", "same"))


def test_a_contested_claim_counts_as_a_distinct_object():
    by_hand = (contradict("road", "figma", mark=2),)

    assert judged(FIGMA, ROAD, MOUNTAIN, NO_BIKE, by_hand=by_hand)["no"] == nothing(
        "no", "ambiguous", "road", "mountain"
    )


def test_a_correction_that_meets_a_contested_and_a_held_claim_says_contested():
    observed = claim("observed", "Penpot", day=2, epistemic_type="observed", position=1)
    by_hand = (*BY_HAND, contradict("observed", "figma", mark=2, number=2))
    no = denial("no", "Penpot", day=3, received=2)

    assert judged(FIGMA, PENPOT, observed, no, by_hand=by_hand)["no"] == nothing(
        "no", "contested", "penpot", "observed"
    )


@pytest.mark.parametrize("sides", [("figma", "again"), ("again", "figma")])
def test_neither_side_of_a_contradiction_confirms(sides: tuple[str, str]):
    again = claim("again", day=2)

    assert confirmations(fold(FIGMA, again)) == {"again": "figma"}
    assert confirmations(fold(FIGMA, again, by_hand=(contradict(*sides, mark=2),))) == {}


def test_a_contested_claim_may_be_confirmed():
    by_hand = (contradict("figma", "penpot", mark=2),)

    assert confirmations(fold(FIGMA, PENPOT, claim("again", day=3), by_hand=by_hand)) == {"again": "figma"}


def test_of_several_equal_open_claims_the_earliest_is_confirmed():
    early, late = claim("z early", day=1), claim("a late", day=2)
    by_hand = (contradict("z early", "a late", mark=2),)

    assert confirmations(fold(early, late, claim("again", day=3), by_hand=by_hand)) == {"again": "z early"}


def test_a_resolved_contradiction_closes_the_loser_without_a_successor():
    by_hand = (contradict("figma", "penpot", mark=2), resolve("figma", "penpot", day=2, mark=2))

    assert fold(FIGMA, PENPOT, by_hand=by_hand) == {
        "figma": Interval("figma", at(1), at(2), "deprecated", None, None),
        "penpot": Interval("penpot", at(2), None, "current", None, None),
    }


@pytest.mark.parametrize("pair", [("penpot", "figma"), ("figma", "penpot")])
def test_a_pair_is_unordered(pair: tuple[str, str]):
    by_hand = (contradict(*pair, mark=2), resolve("penpot", "figma", day=2, mark=2))

    assert {name: found.status for name, found in fold(FIGMA, PENPOT, by_hand=by_hand).items()} == {
        "figma": "current",
        "penpot": "deprecated",
    }


def test_a_winner_is_held():
    by_hand = (contradict("figma", "penpot", mark=2), resolve("figma", "penpot", day=2, mark=2))
    known, later = denial("known", "Penpot", day=3, received=2), denial("later", "Penpot", day=3, received=3)

    assert judged(FIGMA, PENPOT, known, by_hand=by_hand)["known"] == nothing("known", "decided", "penpot")
    assert judged(FIGMA, PENPOT, later, by_hand=by_hand)["later"].outcome == "retired"


def test_a_claim_in_two_contradictions_stays_contested_until_both_are_resolved():
    slack = claim("slack", "Slack", day=2, position=1)
    pairs = (contradict("figma", "penpot", mark=2), contradict("penpot", "slack", mark=2, number=2))
    first = resolve("figma", "penpot", day=2, mark=2, number=3)
    second = resolve("slack", "penpot", day=2, mark=2, number=4)

    def statuses(*by_hand: ExplicitDecision) -> dict[str, Any]:
        return {name: found.status for name, found in fold(FIGMA, PENPOT, slack, by_hand=by_hand).items()}

    assert statuses(*pairs) == dict.fromkeys(("figma", "penpot", "slack"), "contested")
    assert statuses(*pairs, first) == {"figma": "deprecated", "penpot": "contested", "slack": "contested"}
    assert statuses(*pairs, first, second) == {"figma": "deprecated", "penpot": "current", "slack": "deprecated"}


def test_a_pair_that_is_contradicted_again_is_contested_again():
    by_hand = (
        contradict("figma", "penpot", mark=2, number=1),
        supersede("slack", "tandem", day=1, mark=1, number=2),
        contradict("figma", "penpot", mark=2, number=3),
    )
    rulings = Rulings.of(by_hand, {"figma": FIGMA, "penpot": PENPOT})

    assert rulings.contested == {"figma", "penpot"}


def test_nothing_but_a_resolution_ends_a_contradiction():
    by_hand = (contradict("figma", "penpot", mark=2), supersede("figma", "penpot", day=2, mark=2, number=2))

    assert Rulings.of(by_hand, {"figma": FIGMA}).contested == {"figma", "penpot"}


# what the parts say


def test_decisions_are_taken_in_the_order_in_which_they_were_made():
    first, second = supersede("figma", "a", day=1, mark=1, number=1), supersede("figma", "b", day=1, mark=1, number=2)

    assert Rulings.of([second, first], {"figma": FIGMA}).decisions == (first, second)


def test_a_later_resolution_of_a_pair_counts_by_number():
    pair, answer = contradict("figma", "penpot", mark=2, number=1), resolve("figma", "penpot", day=2, mark=2, number=2)

    assert Rulings.of([answer, pair], {"figma": FIGMA}).contested == frozenset()


@pytest.mark.parametrize(("decided", "expected"), [(1, 2), (2, 2), (3, 3)])
def test_a_closing_is_never_before_the_beginning(decided: float, expected: float):
    assert closing_time(supersede("a", "b", day=decided, mark=9), PENPOT) == at(expected)


def test_a_contradiction_holds_and_closes_nothing():
    rulings = Rulings.of([contradict("figma", "penpot", mark=2)], {"figma": FIGMA, "penpot": PENPOT})

    assert (rulings.closing, rulings.holding) == ({}, {})


def test_two_unresolved_claims_have_two_identities():
    a, b = claim("a", subject_id=None), claim("b", subject_id=None)

    assert claim_identity(a) != claim_identity(b)
    assert claim_identity(claim("a")) == claim_identity(claim("b"))


def test_a_claim_that_arrives_after_a_decision_meets_it():
    state = fold_subject([FIGMA, PENPOT], BY_HAND)

    in_time, _ = admit_one(state, claim("again", day=3, received=2))
    late, _ = admit_one(state, claim("before", day=1.5, received=9))

    assert intervals(in_time) == fold(FIGMA, PENPOT, claim("again", day=3, received=2), by_hand=BY_HAND)
    assert intervals(late) == fold(FIGMA, PENPOT, claim("before", day=1.5, received=9), by_hand=BY_HAND)

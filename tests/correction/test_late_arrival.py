"""A claim that arrives late gives the state that it would have given in time (SPEC 8.2)."""

from __future__ import annotations

from collections.abc import Mapping

from prme.correction.correct import Correction, correct
from prme.correction.subject import SubjectState, fold_subject
from prme.model.claim import Claim
from tests.correction.claims import admit_one, claim, closed, confirmations, denial, intervals, nothing, retired, update


def arrive(first: Claim, *claims: Claim) -> Correction:
    """Admit the claims one plan after another, and return what the last one did."""
    last = correct({}, [first])
    subjects: Mapping[str, SubjectState] = last.subjects
    for each in claims:
        last = correct(subjects, [each])
        subjects = {**subjects, **last.subjects}
    return last


def retired_ids(correction: Correction) -> list[str]:
    return [change.after.node_id for change in correction.changes if change.retired]


def reopened_ids(correction: Correction) -> list[str]:
    return [change.after.node_id for change in correction.changes if change.reopened]


def revised_ids(correction: Correction) -> list[str]:
    return [change.after.node_id for change in correction.changes if change.revised]


ROAD = claim("road", "road bike", day=1)
MOUNTAIN = claim("mountain", "mountain bike", day=2, received=9)
NO_BIKE = denial("no", "bike", day=3)


def test_a_claim_that_arrives_after_its_denial_is_closed():
    last = arrive(denial("no", day=2), claim("figma", day=1, received=9))

    assert closed(intervals(last.subjects["owner"])) == {"figma": "no"}
    assert retired_ids(last) == ["figma"]


def test_a_claim_that_takes_effect_after_the_denial_stays_open():
    last = arrive(denial("no", day=2), claim("figma", day=3, received=9))

    assert closed(intervals(last.subjects["owner"])) == {}
    assert retired_ids(last) == []


def test_a_claim_that_makes_an_earlier_denial_ambiguous_reopens_what_that_had_retired():
    last = arrive(ROAD, NO_BIKE, MOUNTAIN)

    assert closed(intervals(last.subjects["owner"])) == {}
    assert (retired_ids(last), reopened_ids(last), revised_ids(last)) == ([], ["road"], [])


def test_a_late_claim_of_another_object_reopens_nothing():
    last = arrive(ROAD, NO_BIKE, claim("tandem", "tandem", day=2, received=9))

    assert closed(intervals(last.subjects["owner"])) == {"road": "no"}
    assert reopened_ids(last) == []


def test_a_decision_that_comes_out_differently_is_told_again():
    last = arrive(ROAD, NO_BIKE, MOUNTAIN)

    assert last.decisions == (nothing("mountain", "not_an_update"),)
    assert last.revised_decisions == (nothing("no", "ambiguous", "road", "mountain"),)


def test_a_decision_that_comes_out_the_same_is_not_told_again():
    last = arrive(ROAD, NO_BIKE, claim("tandem", "tandem", day=2, received=9))

    assert last.revised_decisions == ()


def test_a_late_claim_changes_what_a_denial_retired():
    last = arrive(denial("no", day=2), claim("figma", day=1, received=9))

    assert last.revised_decisions == (retired("no", ("figma", "exact", "same")),)


def test_an_earlier_correction_that_arrives_late_moves_the_closing():
    last = arrive(
        claim("figma", day=1), denial("later", day=5), update("p", "Penpot", day=3, received=9, replaces="Figma")
    )

    assert closed(intervals(last.subjects["owner"])) == {"figma": "p"}
    assert revised_ids(last) == ["figma"]
    assert (retired_ids(last), reopened_ids(last)) == ([], [])


def test_an_earlier_equal_claim_that_arrives_late_is_confirmed_by_the_known_one():
    last = arrive(claim("figma", day=2), claim("before", day=1, received=9))

    assert confirmations(intervals(last.subjects["owner"])) == {"figma": "before"}
    assert revised_ids(last) == ["figma"]


def test_a_late_correction_in_between_makes_a_confirmation_a_claim_of_its_own():
    last = arrive(claim("figma", day=1), claim("again", day=3), denial("no", day=2, received=9))

    assert closed(intervals(last.subjects["owner"])) == {"figma": "no"}
    assert confirmations(intervals(last.subjects["owner"])) == {}
    assert (retired_ids(last), revised_ids(last)) == (["figma"], ["again"])


def test_a_claim_in_time_revises_nothing():
    last = arrive(claim("figma", day=1), denial("no", day=2), claim("again", day=3))

    assert [change.after.node_id for change in last.changes] == ["again"]
    assert last.changes[0].before is None
    assert (retired_ids(last), reopened_ids(last), revised_ids(last)) == ([], [], [])


def test_a_claim_in_time_touches_itself_and_what_it_closes_alone():
    state = fold_subject([claim("figma", day=1), claim("slack", "Slack", day=2)])

    assert admit_one(state, denial("no", day=3))[1] == {"no", "figma"}
    assert admit_one(state, claim("teams", "Teams", day=3))[1] == {"teams"}


def test_a_late_claim_of_another_family_leaves_this_one_alone():
    last = arrive(
        claim("figma", day=2), denial("no", day=3), claim("acme", "Acme", day=1, received=9, predicate="works_at")
    )

    assert [change.after.node_id for change in last.changes] == ["acme"]

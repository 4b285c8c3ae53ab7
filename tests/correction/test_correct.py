"""The outcome of one plan names every interval that changed and gives each of its claims one decision (SPEC 8.3)."""

from __future__ import annotations

from prme.correction.correct import IntervalChange, correct, subject_key
from prme.correction.subject import EMPTY_SUBJECT, family_key
from prme.model.decision import NearMiss
from prme.model.interval import Interval
from prme.model.message import SourceType
from prme.policy.registry import predicate_family
from tests.correction.claims import at, claim, denial, nothing, retired, update


def test_an_empty_plan_changes_nothing():
    outcome = correct({}, [])

    assert (dict(outcome.subjects), outcome.changes, outcome.decisions, outcome.revised_decisions) == ({}, (), (), ())


def test_every_new_claim_is_a_change_without_a_before():
    outcome = correct({}, [claim("figma", day=1)])

    assert outcome.changes == (IntervalChange(None, Interval("figma", at(1), None, "current", None, None)),)


def test_a_change_holds_the_interval_before_and_after():
    outcome = correct(correct({}, [claim("figma", day=1)]).subjects, [denial("no", day=2)])

    assert outcome.changes == (
        IntervalChange(
            Interval("figma", at(1), None, "current", None, None),
            Interval("figma", at(1), at(2), "superseded", "no", None),
        ),
        IntervalChange(None, Interval("no", at(2), None, "current", None, None)),
    )


def test_a_claim_that_is_retired_by_its_own_plan_is_retired_without_having_been_open():
    outcome = correct({}, [claim("figma", day=1), denial("no", day=1, position=1)])

    assert [(change.after.node_id, change.before, change.retired) for change in outcome.changes] == [
        ("figma", None, True),
        ("no", None, False),
    ]


def test_decisions_come_in_order_of_position_and_changes_in_order_of_id():
    outcome = correct({}, [claim("z", "Zed", position=0), claim("a", "Atom", position=1)])

    assert [decision.claim_id for decision in outcome.decisions] == ["z", "a"]
    assert [change.after.node_id for change in outcome.changes] == ["a", "z"]


def test_subjects_that_the_plan_does_not_speak_of_are_left_out():
    known = correct({}, [claim("a", subject_id="nadia")]).subjects

    assert set(correct(known, [claim("b", subject_id="omar")]).subjects) == {"omar"}


def test_the_given_subjects_stay_as_they_are():
    known = correct({}, [claim("figma", day=1)]).subjects
    before = dict(known)

    correct(known, [denial("no", day=2)])

    assert dict(known) == before


def test_one_plan_may_speak_of_several_subjects():
    known = correct({}, [claim("nadia", subject_id="nadia"), claim("omar", subject_id="omar", position=1)]).subjects
    plan = [denial("no", day=2, subject_id="omar"), claim("more", "Slack", day=2, subject_id="nadia", position=1)]

    outcome = correct(known, plan)

    assert [change.after.node_id for change in outcome.changes if change.retired] == ["omar"]
    assert outcome.decisions == (retired("no", ("omar", "exact", "same")), nothing("more", "not_an_update"))


def test_an_unresolved_claim_is_a_subject_of_its_own():
    outcome = correct({}, [claim("a", subject_id=None), claim("b", subject_id=None, position=1)])

    assert set(outcome.subjects) == {"unresolved:a", "unresolved:b"}
    assert subject_key(claim("a", subject_id="nadia")) == "nadia"


def test_a_plan_that_denies_what_an_earlier_position_said_tells_each_decision_once():
    outcome = correct({}, [claim("figma"), denial("no", position=1)])

    assert outcome.decisions == (
        nothing("figma", "not_an_update"),
        retired("no", ("figma", "exact", "same")),
    )
    assert outcome.revised_decisions == ()


def test_a_decision_without_a_match_carries_its_near_misses():
    known = correct({}, [claim("slack", "Slack", day=1)]).subjects

    assert correct(known, [denial("no", day=2)]).decisions == (
        nothing("no", "no_match", near_misses=(NearMiss(claim_id="slack", test="object"),)),
    )


def test_an_ambiguous_decision_carries_candidates_and_near_misses():
    earlier = [claim("road", "road bike"), claim("bmx", "bmx bike", position=1), claim("cat", "cat", position=2)]
    known = correct({}, earlier).subjects

    assert correct(known, [denial("no", "bike", day=2)]).decisions == (
        nothing("no", "ambiguous", "road", "bmx", near_misses=(NearMiss(claim_id="cat", test="object"),)),
    )


def test_a_decision_that_retired_something_carries_no_near_misses():
    known = correct({}, [claim("figma"), claim("slack", "Slack", position=1)]).subjects

    assert correct(known, [denial("no", day=2)]).decisions == (retired("no", ("figma", "exact", "same")),)


def test_a_claim_that_is_no_correction_carries_no_near_misses():
    known = correct({}, [claim("slack", "Slack")]).subjects

    assert correct(known, [update("figma", day=2)]).decisions == (nothing("figma", "no_target"),)


def test_a_revised_decision_carries_its_near_misses_as_well():
    known = correct({}, [claim("road", "road bike", day=1)]).subjects
    known = correct(known, [denial("no", "bike", day=3)]).subjects
    late = [claim("bmx", "bmx bike", day=2, received=9), claim("cat", "cat", day=2, received=9, position=1)]

    assert correct(known, late).revised_decisions == (
        nothing("no", "ambiguous", "road", "bmx", near_misses=(NearMiss(claim_id="cat", test="object"),)),
    )


def test_a_family_is_named_by_source_type_kind_and_predicate_family():
    switch = claim("a", predicate="switched_to", kind="preference", source_type=SourceType.TOOL_OUTPUT)
    use = claim("b", predicate="use", kind="preference", source_type=SourceType.TOOL_OUTPUT)
    family = min(predicate_family("use"))

    assert family_key(switch) == family_key(use) == ("TOOL_OUTPUT", "preference", family)
    assert family_key(claim("c", predicate="likes")) == ("USER_STATED", "fact", "likes")


def test_an_empty_subject_has_no_family():
    assert dict(EMPTY_SUBJECT.families) == {}

"""An explicit decision folds the families that it concerns again, and tells everything that changed (SPEC 8.2)."""

from __future__ import annotations

from prme.correction.correct import IntervalChange, correct, decide
from prme.correction.note import note_interval
from prme.correction.subject import SubjectState, fold_subject
from prme.model.decision import ExplicitDecision
from prme.model.interval import Interval
from tests.correction.claims import at, claim, contradict, denial, intervals, nothing, resolve, supersede

NOTE = Interval("note", at(0), None, "current", None, None)


def subjects(*claims, by_hand=()) -> dict[str, SubjectState]:
    return {"owner": fold_subject(claims, by_hand)}


def changed(correction) -> dict[str, tuple[str, str | None]]:
    return {change.after.node_id: (change.after.status, change.after.superseded_by) for change in correction.changes}


def test_only_what_changed_is_told():
    before = subjects(claim("a", "tea"), claim("b", "coffee", day=1), claim("c", "milk", day=1.5))

    correction = decide(before, supersede("a", "b", day=1, mark=2), {})

    assert changed(correction) == {"a": ("superseded", "b")}
    assert (correction.decisions, correction.revised_decisions) == ((), ())


def test_the_new_state_is_the_fold_under_the_decision():
    claims = (claim("a", "tea"), claim("b", "coffee", day=1), denial("d", "tea", day=2))
    decision = supersede("a", "b", day=1, mark=1)

    correction = decide(subjects(*claims), decision, {})

    assert intervals(correction.subjects["owner"]) == intervals(fold_subject(claims, (decision,)))


def test_a_rule_decision_that_comes_out_differently_is_told_again():
    before = subjects(claim("a", "tea"), claim("b", "coffee", day=1), denial("d", "tea", day=2))

    correction = decide(before, supersede("a", "b", day=1, mark=2), {})

    assert correction.revised_decisions == (nothing("d", "decided", "a"),)
    assert changed(correction) == {"a": ("superseded", "b")}


def test_earlier_decisions_stay_in_force():
    first = supersede("a", "b", day=1, mark=2)
    before = subjects(claim("a", "tea"), claim("b", "coffee", day=1), claim("c", "milk", day=1.5), by_hand=(first,))

    correction = decide(before, supersede("b", "c", day=1.5, mark=3, number=2), {})

    assert changed(correction) == {"b": ("superseded", "c")}
    assert intervals(correction.subjects["owner"])["a"].superseded_by == "b"


def test_other_families_of_the_subject_are_left_as_they_are():
    before = subjects(claim("a", "tea"), claim("b", "coffee"), claim("z", "Oslo", predicate="lives_in"))

    after = decide(before, supersede("a", "b", day=0, mark=2), {}).subjects["owner"]

    untouched = [key for key in after.families if after.families[key] is before["owner"].families[key]]
    assert [set(after.families[key].entries) for key in untouched] == [{"z"}]


def test_both_families_are_folded_when_a_decision_names_two():
    before = subjects(claim("a", "tea"), claim("z", "Oslo", predicate="lives_in"))

    correction = decide(before, contradict("a", "z", mark=2), {})

    assert changed(correction) == {"a": ("contested", None), "z": ("contested", None)}


def test_claims_that_come_later_are_judged_under_the_decision():
    before = subjects(claim("a", "tea"), claim("b", "coffee", day=1))
    after = decide(before, supersede("a", "b", day=1, mark=1), {}).subjects

    late = correct(after, [denial("d", "tea", day=0.5, received=3)])

    assert [decision.reason for decision in late.decisions] == ["decided"]
    assert changed(late) == {"d": ("current", None)}


def test_a_changed_note_is_told_and_an_unchanged_one_is_not():
    closed = Interval("note", at(0), at(1), "superseded", "new", None)
    notes = {"note": IntervalChange(NOTE, closed), "new": IntervalChange(NOTE, NOTE)}

    correction = decide({}, supersede("note", "new", day=1, mark=2), notes)

    assert [change.after for change in correction.changes] == [closed]


def test_changes_come_in_order_of_their_ids():
    before = subjects(claim("b", "tea"), claim("c", "coffee"))
    notes = {"a": IntervalChange(NOTE, Interval("a", at(0), at(1), "superseded", "b", None))}

    correction = decide(before, contradict("b", "c", mark=2), notes)

    assert [change.after.node_id for change in correction.changes] == ["a", "b", "c"]


def under(*decisions: ExplicitDecision, start: float = 0) -> Interval:
    return note_interval("note", at(start), decisions)


def test_a_note_is_current_until_a_decision_names_it():
    assert under() == under(supersede("a", "b", day=1, mark=2)) == NOTE


def test_a_superseded_note_closes_with_its_successor():
    assert under(supersede("note", "new", day=1, mark=2)) == Interval("note", at(0), at(1), "superseded", "new", None)


def test_a_note_that_began_later_closes_when_it_began():
    closed = under(supersede("note", "new", day=1, mark=4), start=3)

    assert (closed.valid_from, closed.valid_to) == (at(3), at(3))


def test_a_replacement_stays_current():
    assert under(supersede("old", "note", day=1, mark=2)) == NOTE


def test_a_note_is_contested_until_its_contradiction_is_resolved():
    noted = contradict("note", "other", mark=2)

    assert under(noted).status == "contested"
    assert under(noted, resolve("other", "note", day=1, mark=3)).status == "current"
    assert under(noted, resolve("note", "other", day=1, mark=3)) == Interval(
        "note", at(0), at(1), "deprecated", None, None
    )


def test_the_first_decision_that_closes_a_note_counts():
    first, second = supersede("note", "new", day=1, mark=2), supersede("note", "newer", day=3, mark=4, number=2)

    assert under(second, first).superseded_by == "new"


def test_the_order_in_which_the_decisions_are_passed_means_nothing():
    noted, resolved = contradict("note", "other", mark=2), resolve("other", "note", day=1, mark=3)

    assert under(resolved, noted) == under(noted, resolved) == NOTE

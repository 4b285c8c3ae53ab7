"""What is said of a near miss is what the rules would do: a promise is kept, and where nothing helps none is made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from random import Random  # noqa: TID251 - seeded, and nothing that decides

from hypothesis import given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from prme.clock import MICROSECOND
from prme.explanation.near_miss_words import ANOTHER_VALUE, OTHERWISE, TESTS, WITHOUT_CLOSER
from prme.explanation.nearness import World, judge_near_misses
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from prme.model.explanation import ExplainedClaim
from prme.model.message import SourceType
from tests.correction.claims import at, claim, denial, supersede, update
from tests.correction.histories import History, histories, play, subject_of
from tests.engine.conversation import NOON, Scripted, SettableClock, extraction
from tests.engine.conversation import claim as proposed
from tests.engine.conversation import denial as denied
from tests.explanation.worlds import Miss, kept, make_world, misses, passed


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Claim, ...]:
    return make_world(lambda options: draw(st.sampled_from(options)))


def check(miss: Miss) -> None:
    """A promise is kept by the change that the sentence names; what promises nothing is helped by no such change."""
    assert miss.promises == miss.told.would_have_retired, miss.says
    assert not miss.retired_in(miss.claims)
    if miss.promises:
        assert miss.retired_in(kept(miss)), miss.says
    elif miss.decision.reason == "no_match" or miss.nearness.near_miss.test == "state":
        assert not any(miss.retired_in(changed) for changed in passed(miss)), miss.says


@given(worlds())
@settings(max_examples=400)
def test_every_sentence_about_a_near_miss_is_true_of_the_rules(claims: tuple[Claim, ...]):
    for miss in misses(claims):
        check(miss)


@given(histories())
@settings(max_examples=150)
def test_every_sentence_about_a_near_miss_is_true_beside_decisions_by_hand(history: History):
    [*_, last] = play(history)
    for subject in {subject_of(each) for each in last.claims}:
        for miss in misses([each for each in last.claims if subject_of(each) == subject], last.decided):
            check(miss)


def test_small_worlds_hold_every_promise_and_everything_else_that_is_said():
    said = {
        miss.says.rpartition("; ")[2]
        for seed in range(1_500)
        for miss in misses(make_world(Random(seed).choice))
        if ";" in miss.says
    }
    ends = {OTHERWISE[outcome] for outcome in OTHERWISE} | {ANOTHER_VALUE, WITHOUT_CLOSER}

    assert ends <= said
    for test, promise in TESTS.items():
        assert any(end.startswith(promise.partition("{")[0]) for end in said), test


def only(*claims: Claim, decided: tuple[ExplicitDecision, ...] = ()) -> Miss:
    """Return the one near miss of a world's last claim."""
    [found] = [miss for miss in misses(claims, decided) if miss.correction.id == claims[-1].id]
    return found


ROAD, MOUNTAIN = claim("road", "road bike", day=0), claim("mountain", "mountain bike", day=1)
LIKED = claim("liked", "city bike", day=1.5, kind="preference")
NO_BIKE = denial("no", "bike", day=2)


def test_beside_an_ambiguous_correction_a_near_miss_would_only_have_been_one_more_candidate():
    assert only(ROAD, MOUNTAIN, LIKED, NO_BIKE).says == (
        "rule denial keeps to one kind: it is a preference and the correction a fact; passing this test it would only "
        "have been one more candidate"
    )


def test_beside_a_correction_that_met_nothing_the_same_near_miss_would_have_been_retired():
    assert only(LIKED, NO_BIKE).says.endswith("; as a preference, the correction would have retired it")


def test_without_its_closer_a_claim_beside_an_ambiguous_correction_may_be_all_that_is_left():
    gone = update("gone", "mountain bike", day=1, replaces="city bike")
    miss = only(claim("city", "city bike", day=0), gone, claim("again", "city bike", day=1.5), NO_BIKE)

    assert miss.decision.reason == "ambiguous"
    assert miss.told.would_have_retired
    assert miss.says.endswith(WITHOUT_CLOSER)


INSTEAD = update("instead", "Plane", day=1, replaces="Trello")


def test_the_new_value_that_the_correction_does_not_name_promises_nothing():
    assert only(claim("plane", "Plane", day=0), INSTEAD).says == (
        'it has the new value itself, "plane", and nothing replaces itself, nor would rule named_replacement end it: '
        'that ends what "trello" names'
    )


def test_the_new_value_that_the_correction_names_would_give_way_to_another():
    miss = only(claim("trello", "Trello", day=0), update("new", "Trello", day=1, replaces="Trello"))

    assert miss.says.endswith("; another new value would have retired it")


def test_a_test_that_is_passed_in_vain_promises_nothing():
    # Said with the predicate "owns" it would mean both pumps.
    others = claim("old", "pump", day=0, predicate="owns"), claim("new", "insulin pump", day=1, predicate="owns")
    found = [miss for miss in misses([*others, denial("no", "pump", day=2)]) if miss.correction.id == "no"]

    assert [miss.says.rpartition("; ")[2] for miss in found] == [OTHERWISE["unclear"]] * 2
    assert only(others[0], denial("no", "pump", day=2)).promises


def test_a_near_miss_that_was_closed_after_it_was_noted_promises_nothing_anymore():
    owned, no = claim("owned", "pump", day=1, predicate="owns"), denial("no", "pump", day=3)
    gone = denial("gone", "pump", day=2, received=4, predicate="owns")
    noted = only(owned, no)
    world = World({each.id: each for each in (owned, gone, no)})

    assert noted.nearness.outcome == "retired"
    assert [judged.outcome for judged in judge_near_misses(world, no, noted.decision)] == ["nothing"]


def later_by(moment: timedelta) -> Miss:
    later = replace(claim("later", "pump", day=2), effective_at=at(2) + moment)
    return only(later, denial("no", "pump", day=2, received=3))


def test_times_that_read_the_same_by_the_minute_are_told_to_the_second():
    miss = later_by(timedelta(seconds=9))

    assert (miss.told.found, miss.told.needed) == ("1970-01-03 00:00:09 UTC", "1970-01-03 00:00:00 UTC")
    assert "it took effect later (1970-01-03 00:00:09 UTC)" in miss.says


def test_times_that_read_the_same_by_the_second_are_told_to_the_microsecond():
    told = later_by(MICROSECOND).told

    assert (told.found, told.needed) == ("1970-01-03 00:00:00.000001 UTC", "1970-01-03 00:00:00.000000 UTC")


def test_times_that_read_differently_are_told_to_the_minute():
    miss = only(claim("later", "pump", day=3), denial("no", "pump", day=2, received=4))

    assert (miss.told.found, miss.told.needed) == ("1970-01-04 00:00 UTC", "1970-01-03 00:00 UTC")


def test_of_two_claims_of_one_instant_the_one_received_later_is_not_said_to_take_effect_later():
    miss = only(claim("later", "pump", day=2, received=4), denial("no", "pump", day=2, received=3))

    assert "took effect later" not in miss.says
    assert "at the same time and was received later (1970-01-05 00:00 UTC, the correction 1970-01-04 00:00 UTC)" in (
        miss.says
    )
    assert miss.told.would_have_retired


def test_of_two_claims_of_one_message_the_later_one_stands_further_on():
    miss = only(claim("later", "pump", day=2, position=1), denial("no", "pump", day=2))

    assert "stands further on in the same message (claim 2, the correction claim 1)" in miss.says


def test_a_near_miss_that_was_closed_tells_which_claim_closed_it_by_which_rule_and_when():
    gone = update("gone", "patch", day=1, replaces="pump")
    [miss] = [
        each
        for each in misses([claim("pump", "pump", day=0), gone, denial("no", "pump", day=2)])
        if each.nearness.earlier.id == "pump"
    ]

    assert miss.says == (
        "rule denial ends only what is open and plainly stated: it was closed on 1970-01-02 00:00 UTC, by "
        '"The words of gone." (rule named_replacement, claim gone); without that it would have been retired'
    )
    assert miss.told.closed_by is not None


def test_a_near_miss_that_was_closed_by_hand_promises_nothing():
    by_hand = (supersede("pump", "patch", day=0.5, mark=1),)
    pump, patch = claim("pump", "pump", day=0), claim("patch", "patch", day=0.5)
    [miss] = [
        each for each in misses([pump, patch, denial("no", "pump", day=2)], by_hand) if each.nearness.earlier == pump
    ]

    assert miss.says.endswith('by "The words of patch." (explicit decision, claim patch)')
    assert miss.told.closed_by is not None


def test_a_near_miss_that_is_open_was_closed_by_nothing():
    miss = only(claim("pump", "pump", day=0, condition="if it snows"), denial("no", "pump", day=2))

    assert miss.told.closed_by is None
    assert miss.says.endswith("it was conditional; open and plainly stated it would have been retired")


def test_a_repeated_denial_promises_that_the_first_one_stood_in_its_way_and_not_that_a_denial_is_retired():
    said = {
        miss.nearness.earlier.id: miss.says.rpartition("; ")[2]
        for miss in misses([claim("pump", "pump", day=0), denial("first", "pump", day=1), denial("no", "pump", day=2)])
        if miss.correction.id == "no"
    }

    assert said == {"pump": WITHOUT_CLOSER, "first": OTHERWISE["nothing"]}


def test_every_sentence_names_the_rule_whose_test_was_failed():
    for miss in misses([ROAD, LIKED, denial("no", "bike", day=2, source_type=SourceType.TOOL_OUTPUT)]):
        assert "rule denial" in miss.says


USES = {"predicate": "uses", "subject": "I"}
SAID = {
    "I use Jira.": extraction(proposed(obj="Jira", **USES)),
    "I use Trello.": extraction(proposed(obj="Trello", **USES)),
    "I don't use Jira anymore.": extraction(denied(obj="Jira", **USES)),
}


def told_after(decide: Callable[[MemoryClient, str, str], object]) -> ExplainedClaim:
    """Return the denial of Jira as explained, after something was decided between Jira and Trello."""
    with MemoryClient(":memory:", extractor=Scripted(SAID), clock=SettableClock()) as memory:
        claims: list[str] = []
        for day, content in enumerate(SAID):
            if day == 2:
                decide(memory, *claims)
            said = {"user_id": "sam", "first_person_owner": True, "occurred_at": NOON + timedelta(days=day)}
            claims += memory.ingest(content, **said).claims
        return memory.explain(claims[-1]).claims[0]


def test_a_stored_decision_by_hand_is_named_as_what_closed_a_near_miss():
    explained = told_after(lambda memory, jira, trello: memory.supersede(jira, trello, user_id="sam"))
    said = {near.node.object: near.says for near in explained.near_misses}

    assert 'by "I use Trello." (explicit decision, claim ' in said["Jira"]
    assert not [near for near in explained.near_misses if near.node.object == "Jira" and near.would_have_retired]


def test_a_promise_is_judged_beside_stored_decisions():
    held = told_after(lambda memory, jira, trello: memory.supersede(jira, trello, user_id="sam"))
    contested = told_after(lambda memory, jira, trello: memory.contradict(jira, trello, user_id="sam"))

    assert {near.node.object: near.would_have_retired for near in held.near_misses}["Trello"]
    assert contested.says.endswith("part of an unresolved contradiction, which has to be resolved first")


def test_without_a_decision_the_same_denial_retires():
    assert told_after(lambda memory, jira, trello: None).says == "it retired 1 claim"

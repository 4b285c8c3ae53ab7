"""Reading on both times: what held at one time, as the store knew it at another."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prme import History, MemoryClient, Node, NodeNotFoundError
from tests.engine.conversation import NOON, Scripted, SettableClock, claim, denial, extraction
from tests.engine.random_messages import OWNERS, Saying, Sayings, sayings

SAM = {"user_id": "sam", "first_person_owner": True}
DAY = timedelta(days=1)
ROAD, MOUNTAIN, NO_BIKE = "I ride a road bike.", "I ride a mountain bike.", "I quit riding the bike."
ROAD_AGAIN = "I do ride a road bike."
SCRIPT = {
    ROAD: extraction(claim("I", "rides", "road bike")),
    MOUNTAIN: extraction(claim("I", "rides", "mountain bike")),
    NO_BIKE: extraction(denial("I", "rides", "bike")),
    ROAD_AGAIN: extraction(claim("I", "rides", "road bike")),
}


class Days:
    """A store whose clock moves a day with every message."""

    def __init__(self, memory: MemoryClient, clock: SettableClock) -> None:
        self.memory, self.clock = memory, clock

    def say(self, content: str, *, said: int) -> str:
        """Say something that took effect on a day, and return its claim; every call is received a day later."""
        self.clock.advance(days=1)
        [claim_id] = self.memory.ingest(content, occurred_at=NOON + said * DAY, **SAM).claims
        return claim_id

    def listed(self, **times: Any) -> list[str | None]:
        return [node.object for node in self.memory.claims(user_id="sam", **times)]


@pytest.fixture
def days(tmp_path: Path) -> Iterator[Days]:
    clock = SettableClock()
    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=clock) as memory:
        yield Days(memory, clock)


numbers = st.lists(st.integers(0, 1000), unique=True, max_size=9)


def received(day: int) -> datetime:
    """Return the time at which the message of that day was received."""
    return NOON + day * DAY


def test_a_late_arrival_does_not_change_what_was_known_before_it(days: Days):
    days.say(ROAD, said=-9)
    days.say(NO_BIKE, said=-5)
    days.say(MOUNTAIN, said=-7)

    assert days.listed(known_at=received(1)) == ["road bike"]
    assert days.listed(known_at=received(2)) == ["bike"]
    assert days.listed(known_at=received(3)) == days.listed() == ["road bike", "mountain bike", "bike"]


def test_without_the_late_arrival_the_retirement_stands_to_this_day(days: Days):
    days.say(ROAD, said=-9)
    days.say(NO_BIKE, said=-5)

    assert days.listed() == days.listed(known_at=received(2)) == ["bike"]


def test_what_was_received_later_was_not_known(days: Days):
    days.say(ROAD, said=-9)

    assert days.listed(known_at=received(1) - timedelta(microseconds=1)) == []
    assert days.listed(known_at=received(1)) == ["road bike"]


def test_a_claim_is_in_effect_from_its_first_moment_to_just_before_its_last(days: Days):
    days.say(ROAD, said=-9)
    days.say(NO_BIKE, said=-5)

    assert days.listed(valid_at=NOON - 9 * DAY - timedelta(microseconds=1)) == []
    assert days.listed(valid_at=NOON - 9 * DAY) == ["road bike"]
    assert days.listed(valid_at=NOON - 5 * DAY - timedelta(microseconds=1)) == ["road bike"]
    assert days.listed(valid_at=NOON - 5 * DAY) == ["bike"]


def test_both_times_tell_what_was_believed_then_about_an_earlier_day(days: Days):
    days.say(ROAD, said=-9)
    days.say(NO_BIKE, said=-5)
    between = NOON - 4 * DAY

    assert days.listed(valid_at=between, known_at=received(1)) == ["road bike"]
    assert days.listed(valid_at=between, known_at=received(2)) == ["bike"]


def test_a_confirmation_received_later_was_not_known(days: Days):
    days.say(ROAD, said=-9)
    days.say(ROAD_AGAIN, said=-3)

    [then] = days.memory.claims(user_id="sam", known_at=received(1))
    [now] = days.memory.claims(user_id="sam")

    assert (then.last_confirmed_at, now.last_confirmed_at) == (None, NOON - 3 * DAY)


def test_all_claims_known_then_are_listed_with_their_status_then(days: Days):
    days.say(ROAD, said=-9)
    days.say(NO_BIKE, said=-5)

    everything = days.memory.claims(user_id="sam", include_superseded=True, known_at=received(1))

    assert [(node.object, node.status) for node in everything] == [("road bike", "current")]


@pytest.mark.parametrize("name", ["valid_at", "known_at"])
def test_a_time_without_a_zone_is_refused_by_its_name(days: Days, name: str):
    with pytest.raises(ValueError, match=f"{name} must be a datetime with a time zone"):
        days.memory.claims(user_id="sam", **{name: NOON.replace(tzinfo=None)})


def test_a_history_tells_every_version_with_the_time_it_was_recorded(days: Days):
    road = days.say(ROAD, said=-9)
    no_bike = days.say(NO_BIKE, said=-5)
    days.say(MOUNTAIN, said=-7)

    versions = days.memory.history(road).versions

    assert [(v.status, v.valid_to, v.superseded_by) for v in versions] == [
        ("current", None, None),
        ("superseded", NOON - 5 * DAY, no_bike),
        ("current", None, None),
    ]
    assert [(v.recorded_from, v.recorded_to) for v in versions] == [
        (received(1), received(2)),
        (received(2), received(3)),
        (received(3), None),
    ]


def test_a_history_as_known_then_ends_with_what_was_said_then(days: Days):
    road = days.say(ROAD, said=-9)
    days.say(NO_BIKE, said=-5)
    days.say(MOUNTAIN, said=-7)

    then = days.memory.history(road, known_at=received(2))

    assert (then.node.status, len(then.versions), then.versions[-1].recorded_to) == ("superseded", 2, None)


def test_a_history_names_what_a_claim_retired_and_what_retired_it(days: Days):
    road = days.say(ROAD, said=-9)
    no_bike = days.say(NO_BIKE, said=-5)

    assert [node.id for node in days.memory.history(road).successors] == [no_bike]
    assert [node.id for node in days.memory.history(no_bike).predecessors] == [road]
    assert days.memory.history(road).predecessors == days.memory.history(no_bike).successors == ()


def test_a_retirement_that_was_taken_back_names_nobody(days: Days):
    road = days.say(ROAD, said=-9)
    no_bike = days.say(NO_BIKE, said=-5)
    days.say(MOUNTAIN, said=-7)

    assert (days.memory.history(road).successors, days.memory.history(no_bike).predecessors) == ((), ())


def test_successors_go_on_to_the_end_of_the_chain(days: Days):
    days.memory.close()
    script = {
        "I use Trello.": extraction(claim("I", "uses", "Trello")),
        "I use Plane instead of Trello.": extraction(
            claim("I", "uses", "Plane", temporal_intent="update", replaces_object="Trello")
        ),
        "I use Linear instead of Plane.": extraction(
            claim("I", "uses", "Linear", temporal_intent="update", replaces_object="Plane")
        ),
    }
    with MemoryClient(":memory:", extractor=Scripted(script), clock=days.clock) as memory:
        [first], [second], [third] = (memory.ingest(said, **SAM).claims for said in script)

        assert [node.id for node in memory.history(first).successors] == [second, third]
        assert [node.id for node in memory.history(third).predecessors] == [second]


def test_a_note_has_a_history_of_one_version(days: Days):
    event = days.memory.store("A note.", user_id="sam")
    [note] = days.memory.get_event_nodes(event)

    history = days.memory.history(note.id)

    assert (history.node, len(history.versions), history.successors) == (note, 1, ())


@pytest.mark.parametrize("wanted", ["nonsense", "00000000-0000-5000-8000-000000000000"])
def test_an_unknown_id_has_no_history(days: Days, wanted: str):
    with pytest.raises(NodeNotFoundError, match="no note or claim with this id"):
        days.memory.history(wanted)


def test_a_foreign_claim_has_no_history_and_reads_as_unknown(days: Days):
    road = days.say(ROAD, said=-9)

    with pytest.raises(NodeNotFoundError) as foreign:
        days.memory.history(road, user_id="ann")
    with pytest.raises(NodeNotFoundError) as unknown:
        days.memory.history("nonsense", user_id="ann")

    assert str(foreign.value) == str(unknown.value)
    assert days.memory.history(road, user_id="sam").node.id == road


def test_a_claim_that_was_not_stored_yet_has_no_history(days: Days):
    road = days.say(ROAD, said=-9)

    with pytest.raises(NodeNotFoundError, match="not stored yet"):
        days.memory.history(road, known_at=received(1) - timedelta(microseconds=1))


@settings(deadline=None, max_examples=15)
@given(numbers.flatmap(lambda chosen: st.tuples(*(sayings(st.just(number)) for number in chosen))))
def test_the_store_always_answers_for_a_time_what_it_answered_at_that_time(said: tuple[Saying, ...]):
    extractor, clock = Sayings(), SettableClock()
    extractor.learn(*said)
    answers: list[tuple[datetime, dict[str, list[Node]], dict[str, History]]] = []
    with MemoryClient(":memory:", extractor=extractor, clock=clock) as memory:
        for saying in said:
            clock.advance(hours=1)
            memory.ingest(**saying.fields)
            answers.append((clock.moment, everything(memory), histories(memory)))

        for moment, then, histories_then in answers:
            assert everything(memory, known_at=moment) == then
            assert histories(memory, known_at=moment) == histories_then


def everything(memory: MemoryClient, **times: datetime) -> dict[str, list[Node]]:
    return {owner: memory.claims(user_id=owner, include_superseded=True, **times) for owner in OWNERS}


def histories(memory: MemoryClient, **times: datetime) -> dict[str, History]:
    nodes = [node for claims in everything(memory, **times).values() for node in claims]
    return {node.id: memory.history(node.id, **times) for node in nodes}

"""A message that arrives late corrects what is stored; the journal keeps what stood before and what stands after."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from prme import IngestReceipt, MemoryClient
from tests.engine.conversation import NOON, Scripted, SettableClock, claim, denial, extraction, raw

ROAD, MOUNTAIN, NO_BIKE = "I ride a road bike.", "I ride a mountain bike.", "I quit riding the bike."
SCRIPT = {
    ROAD: extraction(claim("I", "rides", "road bike")),
    MOUNTAIN: extraction(claim("I", "rides", "mountain bike")),
    NO_BIKE: extraction(denial("I", "rides", "bike")),
}
DENIED_ON = "2031-04-04T12:00:00.000000Z"


class Ride:
    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.memory = MemoryClient(directory, extractor=Scripted(SCRIPT), clock=SettableClock())

    def say(self, content: str, day: int) -> IngestReceipt:
        occurred_at = NOON + timedelta(days=day)
        return self.memory.ingest(content, user_id="sam", first_person_owner=True, occurred_at=occurred_at)

    def entry(self, receipt: IngestReceipt) -> dict[str, Any]:
        """Close the store, and return the body of the journal entry that published a message."""
        self.memory.close()
        sql = "select body from journal where kind = 'PLAN_PUBLISHED' and event_id = ?"
        body: dict[str, Any] = json.loads(raw(self.directory, sql, [receipt.event_id])[0][0])
        return body


@pytest.fixture
def ride(tmp_path: Path) -> Iterator[Ride]:
    ride = Ride(tmp_path)
    yield ride
    ride.memory.close()


def ends(snapshots: list[dict[str, Any]]) -> dict[str, tuple[str, str | None, str | None]]:
    """Return (status, end, successor) of each snapshot by its claim."""
    return {shot["node_id"]: (shot["status"], shot["valid_to"], shot["superseded_by"]) for shot in snapshots}


def test_a_claim_that_arrives_after_its_denial_is_closed_by_it(ride: Ride):
    no_bike = ride.say(NO_BIKE, 3)
    road = ride.say(ROAD, 1)

    assert road.retired == road.claims
    assert ends(ride.entry(road)["outputs"]) == {road.claims[0]: ("superseded", DENIED_ON, no_bike.claims[0])}


def test_a_claim_that_takes_effect_after_the_denial_stays_open(ride: Ride):
    ride.say(NO_BIKE, 3)
    road = ride.say(ROAD, 4)

    assert road.retired == []
    assert ends(ride.entry(road)["outputs"]) == {road.claims[0]: ("current", None, None)}


def test_a_reopened_claim_is_journaled_as_it_stood_before_and_as_it_stands_after(ride: Ride):
    [road] = ride.say(ROAD, 1).claims
    [no_bike] = ride.say(NO_BIKE, 3).claims
    mountain = ride.say(MOUNTAIN, 2)
    body = ride.entry(mountain)

    assert (mountain.reopened, body["reopened"]) == ([road], [road])
    assert ends(body["inputs"]) == {road: ("superseded", DENIED_ON, no_bike)}
    assert ends(body["outputs"]) == {road: ("current", None, None), mountain.claims[0]: ("current", None, None)}


def test_a_denial_in_order_is_journaled_with_what_it_closed_before_and_after(ride: Ride):
    [road] = ride.say(ROAD, 1).claims
    no_bike = ride.say(NO_BIKE, 3)
    body = ride.entry(no_bike)

    assert ends(body["inputs"]) == {road: ("current", None, None)}
    assert ends(body["outputs"])[road] == ("superseded", DENIED_ON, no_bike.claims[0])
    assert body["replacements"] == [{"at": DENIED_ON, "new": no_bike.claims[0], "old": road}]


def test_a_decision_that_a_late_claim_changed_is_journaled_again(ride: Ride):
    [road] = ride.say(ROAD, 1).claims
    [no_bike] = ride.say(NO_BIKE, 3).claims
    mountain = ride.say(MOUNTAIN, 2)
    [decision] = ride.entry(mountain)["revised_decisions"]

    assert (decision["claim_id"], decision["reason"], decision["candidates"]) == (
        no_bike,
        "ambiguous",
        [road, *mountain.claims],
    )
    assert decision["trigger"]["quote"] == "bike"


def test_a_late_claim_about_something_else_changes_no_decision(ride: Ride):
    ride.say(ROAD, 1)
    ride.say(NO_BIKE, 3)
    other = ride.say("I like rain.", 2)

    assert ride.entry(other)["revised_decisions"] == []

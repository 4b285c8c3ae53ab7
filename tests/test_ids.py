"""Ids are derived: the same input names the same thing everywhere, and any other input another thing."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from inspect import signature
from itertools import combinations
from uuid import UUID, uuid5

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from prme import ids
from prme.clock import utc_text

NOON = datetime(2031, 4, 1, 12, tzinfo=UTC)
EVENT_ID = "574065df-5b01-54dd-a4c7-44d9a21c266e"
CLAIM_ID = "a3b76f3c-d100-5c0c-aa5a-02d3eb749494"


def derived(*parts: str | int) -> str:
    return str(uuid5(ids.NAMESPACE, rfc8785.dumps(list(parts)).decode()))


def test_every_id_is_the_uuid_of_a_canonical_array():
    assert ids.event_id("u1", "personal", "m1", NOON) == derived("event", "u1", "personal", "message_id", "m1")
    assert ids.event_id("u1", "personal", None, NOON) == derived(
        "event", "u1", "personal", "received_at", "2031-04-01T12:00:00.000000Z"
    )
    assert ids.note_id("e") == derived("note", "e")
    assert ids.plan_id("e", "speech_act_v14") == derived("plan", "e", "speech_act_v14")
    assert ids.claim_id("e", 3) == derived("claim", "e", 3)
    assert ids.entity_id("u1", "work", "person", "Nadia") == derived("entity", "u1", "work", "person", "nadia")
    assert ids.owner_identity("u1", "work") == derived("owner", "u1", "work")
    assert ids.local_identity("e", "she") == derived("local", "e", "she")


def test_these_ids_stay_for_ever():
    """Saved plans name them: a change here is a change of every stored id."""
    assert ids.NAMESPACE == UUID("7b0e6c1e-5c0a-5d2e-9f51-3a1d6f7a2b90")
    assert ids.event_id("u1", "personal", "m1", NOON) == EVENT_ID
    assert ids.claim_id(EVENT_ID, 0) == CLAIM_ID


def test_an_event_with_a_message_id_is_named_by_it_whenever_it_is_received():
    later = NOON + timedelta(days=1)

    assert ids.event_id("u1", "personal", "m1", NOON) == ids.event_id("u1", "personal", "m1", later)
    assert ids.event_id("u1", "personal", None, NOON) != ids.event_id("u1", "personal", None, later)


def test_an_event_without_one_is_named_by_the_instant_and_not_by_its_time_zone():
    local = NOON.astimezone(timezone(timedelta(hours=-3)))

    assert ids.event_id("u1", "personal", None, local) == ids.event_id("u1", "personal", None, NOON)
    assert ids.event_id("u1", "personal", None, NOON) != ids.event_id(
        "u1", "personal", None, NOON + timedelta(microseconds=1)
    )


def test_a_message_id_that_looks_like_a_time_is_no_time():
    assert ids.event_id("u1", "personal", utc_text(NOON), NOON) != ids.event_id("u1", "personal", None, NOON)


def test_an_event_is_named_by_one_or_the_other():
    assert ids.event_id("u1", "personal", "m1") == ids.event_id("u1", "personal", "m1", NOON)
    with pytest.raises(ValueError, match="without a message_id is named by the time it was received"):
        ids.event_id("u1", "personal", None)


def test_an_empty_message_id_is_still_one():
    assert ids.event_id("u1", "personal", "", NOON) == derived("event", "u1", "personal", "message_id", "")


def test_different_things_have_different_ids():
    names = [
        ids.event_id("a", "b", "c", NOON),
        ids.event_id("ab", "", "c", NOON),
        ids.event_id("a", "bc", "", NOON),
        ids.event_id("b", "a", "c", NOON),
        ids.note_id("a"),
        ids.plan_id("a", "b"),
        ids.plan_id("b", "a"),
        ids.claim_id("a", 0),
        ids.claim_id("a", 1),
        ids.claim_id("a0", 0),
        ids.owner_identity("a", "b"),
        ids.owner_identity("b", "a"),
        ids.local_identity("a", "b"),
        ids.local_identity("b", "a"),
        *(ids.entity_id(*parts) for parts in [("a", "b", "c", "d"), ("b", "a", "c", "d"), ("a", "b", "d", "c")]),
        *(ids.entity_id(*parts) for parts in [("a", "c", "b", "d"), ("a", "b", "cd", ""), ("ab", "", "c", "d")]),
    ]

    assert [(a, b) for a, b in combinations(names, 2) if a == b] == []


@given(st.tuples(st.text(), st.text()), st.tuples(st.text(), st.text()))
def test_no_separator_can_be_forged(one: tuple[str, str], other: tuple[str, str]):
    assert (ids.owner_identity(*one) == ids.owner_identity(*other)) is (one == other)


@pytest.mark.parametrize("name", ["NADIA", " nadia ", "Nadia\u00a0", "\uff2eadia"])
def test_an_entity_is_named_by_its_folded_name(name: str):
    assert ids.entity_id("u1", "personal", "person", name) == ids.entity_id("u1", "personal", "person", "Nadia")


def test_an_entity_of_another_name_is_another_one():
    assert ids.entity_id("u1", "personal", "person", "Nadja") != ids.entity_id("u1", "personal", "person", "Nadia")


def test_an_entity_type_is_taken_as_it_is():
    assert ids.entity_id("u1", "personal", "Person", "Nadia") != ids.entity_id("u1", "personal", "person", "Nadia")


def test_no_event_id_depends_on_what_was_said():
    """An erased sentence must not be guessable from what stays, so no digest of it enters an id."""
    assert set(signature(ids.event_id).parameters) == {"user_id", "scope", "message_id", "received_at"}


@pytest.mark.parametrize("text", ["7B0E6C1E-5C0A-5D2E-9F51-3A1D6F7A2B90", "7b0e6c1e-5c0a-5d2e-9f51-3a1d6f7a2b90"])
def test_an_id_is_accepted_in_any_case(text: str):
    assert ids.normalise_id(text) == "7b0e6c1e-5c0a-5d2e-9f51-3a1d6f7a2b90"


def test_a_uuid_object_is_an_id():
    assert ids.normalise_id(ids.NAMESPACE) == "7b0e6c1e-5c0a-5d2e-9f51-3a1d6f7a2b90"


@pytest.mark.parametrize("value", ["", "m1", None, 7, "7b0e6c1e-5c0a-5d2e-9f51-3a1d6f7a2b9", b"x", []])
def test_what_is_no_uuid_is_no_id(value: object):
    assert ids.normalise_id(value) is None

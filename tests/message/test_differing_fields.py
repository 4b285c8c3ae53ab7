"""What counts as "the same message again": every field the caller passed, and no other."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from prme.message import differing_fields, validate_message
from prme.model.message import Event

NOON = datetime(2031, 4, 1, 12, tzinfo=UTC)
FULL: dict[str, Any] = {
    "content": "I use Figma.",
    "user_id": "u1",
    "role": "user",
    "scope": "personal",
    "session_id": "s1",
    "message_id": "m1",
    "speaker": "Ines",
    "first_person_owner": False,
    "occurred_at": NOON,
    "metadata": {"a": 1, "b": 2},
}


def event_of(fields: dict[str, Any]) -> Event:
    message = validate_message(**fields)
    values = {**message.model_dump(), "occurred_at": message.occurred_at or NOON}
    return Event(id="e1", content_digest="sha256:00", received_at=NOON, **values)


STORED = event_of(FULL)


def test_the_same_message_differs_in_nothing():
    assert differing_fields(STORED, validate_message(**FULL)) == ()


@pytest.mark.parametrize("left_out", ["session_id", "message_id", "speaker", "occurred_at", "metadata"])
def test_a_field_left_out_does_not_differ(left_out: str):
    retry = {name: value for name, value in FULL.items() if name != left_out}

    assert differing_fields(STORED, validate_message(**retry)) == ()


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("content", "I use Penpot."),
        ("user_id", "u2"),
        ("role", "human"),
        ("scope", "work"),
        ("session_id", "s2"),
        ("message_id", "m2"),
        ("speaker", "Ana"),
        ("occurred_at", NOON + timedelta(microseconds=1)),
        ("metadata", {"a": 1}),
        ("metadata", {}),
    ],
)
def test_a_field_that_was_passed_and_changed_is_named(field: str, value: Any):
    assert differing_fields(STORED, validate_message(**{**FULL, field: value})) == (field,)


def test_the_owner_flag_counts_although_it_has_a_default():
    stored = event_of({**FULL, "speaker": None, "first_person_owner": True})

    assert differing_fields(stored, validate_message(**{**FULL, "speaker": None})) == ("first_person_owner",)


@pytest.mark.parametrize("field", ["session_id", "speaker", "metadata"])
def test_a_field_passed_only_the_second_time_differs(field: str):
    stored = event_of({**FULL, field: None})

    assert differing_fields(stored, validate_message(**FULL)) == (field,)


def test_normalised_forms_are_the_same():
    shifted = NOON.astimezone(timezone(timedelta(hours=5, minutes=30)))
    retry = {
        **FULL,
        "content": "I use\x00 Figma.",
        "role": "USER",
        "speaker": " Ines ",
        "occurred_at": shifted,
        "metadata": {"b": 2.0, "a": 1},
    }

    assert differing_fields(STORED, validate_message(**retry)) == ()


def test_all_differences_are_named_in_the_order_of_the_table():
    changed = {**FULL, "metadata": {}, "content": "No.", "speaker": "Ana"}

    assert differing_fields(STORED, validate_message(**changed)) == ("content", "speaker", "metadata")

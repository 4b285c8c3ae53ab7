"""The table of SPEC 3, field by field: what is refused, as what, and that the nearest allowed value passes."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone, tzinfo
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.errors import InvalidMessageError, ReservedMetadataError, SpeakerError
from prme.message import validate_message
from prme.model.message import Message

LONE_SURROGATE = "\ud800"
NOON = datetime(2031, 4, 1, 12, tzinfo=UTC)


class Text(str):
    """A str subclass, whose methods might do anything."""


def message(**fields: Any) -> Message:
    return validate_message(**{"content": "I use Figma.", "user_id": "u1", **fields})


def test_a_plain_message_gets_the_documented_defaults():
    expected = Message(content="I use Figma.", user_id="u1", role="user", scope="personal", first_person_owner=False)

    assert expected == message()


def test_a_full_message_is_normalised():
    actual = message(
        content="I \x00use Figma.",
        role="Human",
        scope="work.2-b",
        session_id="s1",
        message_id="m1",
        speaker="  Ines ",
        occurred_at=datetime(2031, 4, 1, 14, tzinfo=timezone(timedelta(hours=2))),
        metadata={"b": [1, 2.5], "a": None},
    )

    expected = Message(
        content="I use Figma.",
        user_id="u1",
        role="human",
        scope="work.2-b",
        session_id="s1",
        message_id="m1",
        speaker="Ines",
        occurred_at=NOON,
        metadata_json='{"a":null,"b":[1,2.5]}',
    )
    assert expected == actual


REFUSED_AND_CONTROL = {
    "content is bytes": ("content", b"I use Figma.", "I use Figma.", InvalidMessageError),
    "content is a str subclass": ("content", Text("hi"), "hi", InvalidMessageError),
    "content is None": ("content", None, "None", InvalidMessageError),
    "content is empty": ("content", "", ".", InvalidMessageError),
    "content is white space": ("content", " \n\u2003\t", " \n.\t", InvalidMessageError),
    "content is NULs only": ("content", "\x00\x00", "\x00.\x00", InvalidMessageError),
    "content is too long": ("content", "x" * 100_001, "x" * 100_000, InvalidMessageError),
    "content has a lone surrogate": ("content", f"a{LONE_SURROGATE}", "a\U0001f600", InvalidMessageError),
    "user_id is a number": ("user_id", 7, "7", InvalidMessageError),
    "user_id is None": ("user_id", None, "None", InvalidMessageError),
    "user_id is blank": ("user_id", " ", " a ", InvalidMessageError),
    "user_id is too long": ("user_id", "u" * 257, "u" * 256, InvalidMessageError),
    "user_id has a NUL": ("user_id", "u\x001", "u1", InvalidMessageError),
    "user_id has a lone surrogate": ("user_id", LONE_SURROGATE, "ü", InvalidMessageError),
    "role is unknown": ("role", "robot", "tool", InvalidMessageError),
    "role is padded": ("role", "user ", "USER", InvalidMessageError),
    "role is None": ("role", None, "assistant", InvalidMessageError),
    "role folds to a known one": ("role", "u\u017fer", "uSer", InvalidMessageError),
    "scope is empty": ("scope", "", "a", InvalidMessageError),
    "scope is upper case": ("scope", "Work", "work", InvalidMessageError),
    "scope begins with a dot": ("scope", ".work", "w.ork", InvalidMessageError),
    "scope is too long": ("scope", "s" * 65, "s" * 64, InvalidMessageError),
    "scope ends in a line break": ("scope", "work\n", "work", InvalidMessageError),
    "scope has a foreign digit": ("scope", "\u0663", "3", InvalidMessageError),
    "scope is a number": ("scope", 3, "3", InvalidMessageError),
    "session_id is a number": ("session_id", 1, "1", InvalidMessageError),
    "session_id is blank": ("session_id", "", None, InvalidMessageError),
    "session_id is too long": ("session_id", "s" * 257, "s" * 256, InvalidMessageError),
    "message_id is too long": ("message_id", "m" * 257, "m" * 256, InvalidMessageError),
    "message_id is blank": ("message_id", " ", None, InvalidMessageError),
    "message_id has a lone surrogate": ("message_id", LONE_SURROGATE, "\u00e9", InvalidMessageError),
    "message_id has a NUL": ("message_id", "a\x00", "a", InvalidMessageError),
    "speaker is a number": ("speaker", 4, "4", SpeakerError),
    "speaker is blank": ("speaker", "  ", "x", SpeakerError),
    "speaker is empty": ("speaker", "", None, SpeakerError),
    "speaker is too long": ("speaker", "x" * 201, " " + "x" * 200 + " ", SpeakerError),
    "speaker has a line break": ("speaker", "Ines\nX", "Ines X", SpeakerError),
    "speaker has a NUL": ("speaker", "In\x00es", "Ines", SpeakerError),
    "speaker has a direction override": ("speaker", "In\u202ees", "In es", SpeakerError),
    "speaker has a direction mark": ("speaker", "In\u200fes", "In\u200des", SpeakerError),
    "speaker has an Arabic letter mark": ("speaker", "In\u061ces", "In\u200ces", SpeakerError),
    "speaker has an isolate": ("speaker", "In\u2066es", "In-es", SpeakerError),
    "speaker has a line separator": ("speaker", "In\u2028es", "In\u00a0es", SpeakerError),
    "speaker has a paragraph separator": ("speaker", "In\u2029es", "In es", SpeakerError),
    "speaker has a lone surrogate": ("speaker", f"In{LONE_SURROGATE}", "In\U0001f600", SpeakerError),
    "first_person_owner is one": ("first_person_owner", 1, True, SpeakerError),
    "first_person_owner is zero": ("first_person_owner", 0, False, SpeakerError),
    "first_person_owner is a word": ("first_person_owner", "yes", True, SpeakerError),
    "first_person_owner is None": ("first_person_owner", None, False, SpeakerError),
    "occurred_at is naive": ("occurred_at", NOON.replace(tzinfo=None), NOON, InvalidMessageError),
    "occurred_at is a text": ("occurred_at", "2031-04-01T12:00:00Z", NOON, InvalidMessageError),
    "occurred_at is a date": ("occurred_at", NOON.date(), NOON, InvalidMessageError),
    "occurred_at underflows in UTC": (
        "occurred_at",
        datetime.min.replace(tzinfo=timezone(timedelta(minutes=1))),
        datetime.min.replace(tzinfo=UTC),
        InvalidMessageError,
    ),
    "occurred_at overflows in UTC": (
        "occurred_at",
        datetime.max.replace(tzinfo=timezone(-timedelta(minutes=1))),
        datetime.max.replace(tzinfo=UTC),
        InvalidMessageError,
    ),
    "metadata is a list": ("metadata", [("a", 1)], {"a": 1}, InvalidMessageError),
    "metadata is a text": ("metadata", '{"a":1}', {}, InvalidMessageError),
    "metadata uses the reserved key": (
        "metadata",
        {"prme_first_person_owner_v1": False},
        {"prme_first_person_owner_v2": False},
        ReservedMetadataError,
    ),
}


@pytest.mark.parametrize(
    ("field", "refused", "allowed", "error"), REFUSED_AND_CONTROL.values(), ids=REFUSED_AND_CONTROL
)
def test_a_bad_value_is_refused_and_its_neighbour_is_not(
    field: str, refused: Any, allowed: Any, error: type[Exception]
):
    with pytest.raises(InvalidMessageError) as caught:
        message(**{field: refused})

    assert error is caught.type
    assert isinstance(message(**{field: allowed}), Message)


def test_the_error_for_long_content_names_the_limit():
    with pytest.raises(InvalidMessageError, match="100000"):
        message(content="x" * 100_001)


def test_the_limit_of_content_counts_after_nuls_are_gone():
    assert len(message(content="x" * 100_000 + "\x00" * 5).content) == 100_000


def test_content_keeps_its_white_space():
    assert message(content=" hi\n\n").content == " hi\n\n"


@pytest.mark.parametrize("role", ["user", "human"])
def test_the_owner_may_speak_in_the_first_person(role: str):
    assert message(role=role, first_person_owner=True).first_person_owner is True


@pytest.mark.parametrize("role", ["assistant", "system", "tool"])
def test_only_people_are_first_person_owners(role: str):
    with pytest.raises(SpeakerError, match=role):
        message(role=role, first_person_owner=True)

    assert message(role=role, first_person_owner=False).role == role


def test_an_owner_has_no_speaker_name():
    with pytest.raises(SpeakerError):
        message(first_person_owner=True, speaker="Ines")

    assert message(first_person_owner=False, speaker="Ines").speaker == "Ines"


def test_a_datetime_subclass_is_stored_as_a_plain_datetime():
    class Frozen(datetime):
        pass

    occurred_at = message(occurred_at=Frozen(2031, 4, 1, 12, 0, 0, 5, tzinfo=UTC)).occurred_at

    assert type(occurred_at) is datetime
    assert occurred_at == NOON + timedelta(microseconds=5)


def test_a_zone_without_an_offset_is_no_zone():
    class Nowhere(tzinfo):
        def utcoffset(self, when: datetime | None) -> None:
            return None

    with pytest.raises(InvalidMessageError, match="time zone"):
        message(occurred_at=datetime(2031, 4, 1, tzinfo=Nowhere()))


# Inside these years no zone can carry a time beyond the calendar.
FIRST, LAST = (NOON.replace(year=year, tzinfo=None) for year in (2, 9998))


@given(st.datetimes(FIRST, LAST, timezones=st.timezones(), allow_imaginary=False))
def test_a_time_keeps_its_instant(occurred_at: datetime):
    normalised = message(occurred_at=occurred_at).occurred_at

    assert normalised == occurred_at.astimezone(UTC)
    assert normalised is not None
    assert normalised.tzinfo is UTC


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=50))
def test_content_is_either_blank_or_kept_without_nuls(content: str):
    kept = content.replace("\x00", "")

    if kept.strip():
        assert message(content=content).content == kept
    else:
        with pytest.raises(InvalidMessageError, match="blank"):
            message(content=content)


SECRET = "Zebrafish-4711"


@pytest.mark.parametrize(
    "fields",
    [
        {"content": SECRET + LONE_SURROGATE},
        {"content": SECRET * 10_000},
        {"content": SECRET.encode()},
        {"user_id": SECRET + "\x00"},
        {"user_id": SECRET * 20},
        {"role": SECRET},
        {"scope": SECRET},
        {"session_id": SECRET + LONE_SURROGATE},
        {"message_id": SECRET * 20},
        {"speaker": SECRET + "\n" + SECRET},
        {"speaker": SECRET * 20},
        {"first_person_owner": SECRET},
        {"occurred_at": SECRET},
        {"metadata": {SECRET: float("nan")}},
        {"metadata": {"key": SECRET + LONE_SURROGATE}},
        {"metadata": {SECRET + LONE_SURROGATE: 1}},
        {"metadata": {"key": SECRET.encode()}},
        {"metadata": {"key": SECRET * 5_000}},
    ],
)
def test_an_error_never_repeats_what_was_passed(fields: dict[str, Any]):
    with pytest.raises(InvalidMessageError) as caught:
        message(**fields)

    assert SECRET not in str(caught.value)
    assert (caught.value.__cause__, caught.value.__context__) == (None, None)

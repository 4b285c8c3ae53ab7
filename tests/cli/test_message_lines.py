"""A line of JSON is a message, or the reason why it is none; never both, and never with its text in the reason."""

from __future__ import annotations

import io
import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.cli import message_lines
from prme.cli.message_lines import BadLineError, Line, LineReader, read_lines
from prme.model.message import Message

SECRET = "my-secret-words"


def line(data: bytes | str | dict[str, Any], number: int = 1) -> Line:
    raw = data if isinstance(data, bytes) else (data if isinstance(data, str) else json.dumps(data)).encode()
    return Line(number, raw, len(raw))


def read(*documents: bytes | str | dict[str, Any], default: str | None = None) -> list[Message | None]:
    reader = LineReader(default_user_id=default)
    return [reader.message(line(document, number)) for number, document in enumerate(documents, start=1)]


def refusal(document: bytes | str | dict[str, Any], default: str | None = None) -> str:
    with pytest.raises(BadLineError) as caught:
        read(document, default=default)
    return str(caught.value)


def message_id(*documents: bytes | str | dict[str, Any], default: str | None = None) -> str | None:
    message = read(*documents, default=default)[-1]
    assert message is not None
    return message.message_id


def test_a_line_has_the_fields_of_a_message():
    fields = {
        "content": "I use Figma.",
        "user_id": "sam",
        "role": "Human",
        "scope": "work",
        "session_id": "s",
        "message_id": "m",
        "first_person_owner": True,
        "occurred_at": "2031-04-01T11:00:00+02:00",
        "metadata": {"b": 1, "a": [True]},
    }
    (message,) = read(fields)

    assert message is not None
    assert message.model_dump(mode="json") == {
        **{key: value for key, value in fields.items() if key != "metadata"},
        "role": "human",
        "speaker": None,
        "occurred_at": "2031-04-01T09:00:00Z",
        "metadata_json": '{"a":[true],"b":1}',
    }


@pytest.mark.parametrize("blank", [b"", b"  \t", b"\r"])
def test_an_empty_line_is_skipped(blank: bytes):
    assert read(blank) == [None]


def test_a_byte_order_mark_before_the_first_line_is_no_text():
    assert read(b'\xef\xbb\xbf{"content":"x","user_id":"u"}')[0] is not None


def test_a_byte_order_mark_before_another_line_is_refused():
    with pytest.raises(BadLineError):
        read("", b'\xef\xbb\xbf{"content":"x","user_id":"u"}')


@pytest.mark.parametrize(
    ("document", "reason"),
    [
        (SECRET, "not JSON (column 1)"),
        (f'{{"content": "{SECRET}"', "not JSON (column"),
        (f'["{SECRET}"]', "not a JSON object"),
        (b'{"content": "my-secret-words \xff"}', "not UTF-8 (byte 30 of the line)"),
        (f'{{"content": "{SECRET}", "user_id": "u", "metadata": {{"a": NaN}}}}', "NaN"),
        (f'{{"content": "{SECRET}", "content": "{SECRET}", "user_id": "u"}}', "the same key stands twice"),
        ('{"a": ' * 200_000, "nested too deeply"),
        ('{"a": ' + "1" * 5_000 + "}", "too many digits"),
        ({"content": SECRET, "user_id": "u", SECRET: 1}, "unknown key"),
        ({"content": SECRET, "user_id": "u", "bogus": 1}, "unknown key 'bogus'"),
        ({"content": SECRET}, "user_id is missing"),
        ({"content": " ", "user_id": SECRET}, "content is blank"),
        ({"content": SECRET, "user_id": "u", "occurred_at": SECRET}, "occurred_at is not an ISO 8601 time"),
        ({"content": SECRET, "user_id": "u", "occurred_at": 5}, "occurred_at is not an ISO 8601 time"),
        ({"content": SECRET, "user_id": "u", "occurred_at": "2031-04-01T09:00:00"}, "no time zone"),
        ({"content": SECRET, "user_id": "u", "metadata": {"a": 2**60}}, "2^53-1"),
    ],
)
def test_a_bad_line_is_refused_with_a_reason_that_does_not_repeat_it(document: Any, reason: str):
    text = refusal(document)

    assert reason in text
    assert SECRET not in text
    assert "messages[0]" not in text


def test_a_line_without_an_owner_gets_the_default_one():
    assert [message and message.user_id for message in read({"content": "x"}, default="sam")] == ["sam"]


def test_a_line_with_an_owner_keeps_it():
    assert [m and m.user_id for m in read({"content": "x", "user_id": "ann"}, default="sam")] == ["ann"]


def test_null_means_that_a_field_was_not_given():
    (message,) = read({"content": "x", "user_id": None, "role": None, "occurred_at": None}, default="sam")

    assert message is not None
    assert (message.user_id, message.role, message.occurred_at) == ("sam", "user", None)


def test_a_given_message_id_is_kept():
    assert message_id({"content": "x", "user_id": "u", "message_id": "mine"}) == "mine"


def test_a_derived_message_id_is_the_same_in_every_run():
    assert message_id({"content": "x", "user_id": "u"}) == message_id({"content": "x", "user_id": "u"})


def test_a_derived_message_id_does_not_depend_on_how_the_line_is_written():
    assert message_id('{"user_id": "u", "content": "\\u0078"}') == message_id({"content": "x", "user_id": "u"})


def test_the_same_line_twice_is_two_messages():
    same = {"content": "x", "user_id": "u"}

    assert message_id(same, same) != message_id(same)


def test_an_occurrence_counts_equal_lines_only():
    assert message_id({"content": "y", "user_id": "u"}, {"content": "x", "user_id": "u"}) == message_id(
        {"content": "x", "user_id": "u"}
    )


def test_a_derived_message_id_holds_nothing_of_the_text():
    assert SECRET not in str(message_id({"content": SECRET, "user_id": "u"}))


@given(st.lists(st.sampled_from(["a", "b", "c"]), max_size=12))
def test_derived_message_ids_never_meet(contents: list[str]):
    found = [message and message.message_id for message in read(*({"content": c, "user_id": "u"} for c in contents))]

    assert len(set(found)) == len(contents)


@given(st.binary(max_size=60))
def test_any_bytes_are_a_message_or_refused_on_purpose(data: bytes):
    with suppress(BadLineError):
        read(data)


def test_lines_are_numbered_and_measured_with_their_breaks():
    found = list(read_lines(io.BytesIO(b"one\r\n\nthree")))

    assert found == [Line(1, b"one", 5), Line(2, b"", 1), Line(3, b"three", 5)]


def test_a_line_that_is_too_long_is_passed_over_without_being_held(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(message_lines, "MOST_LINE_BYTES", 4)

    found = list(read_lines(io.BytesIO(b"abcd\n" + b"x" * 11 + b"\nabc\n" + b"y" * 9)))

    # The limit counts the line break too.
    assert found == [Line(1, None, 5), Line(2, None, 12), Line(3, b"abc", 4), Line(4, None, 9)]


def test_a_line_that_is_too_long_is_refused():
    with pytest.raises(BadLineError, match="longer than"):
        LineReader(default_user_id=None).message(Line(1, None, 9))

"""A batch is validated as a whole, and the error says which message was at fault."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from prme.errors import InvalidMessageError, ReservedMetadataError, SpeakerError
from prme.message import validate_batch, validate_message
from prme.model.message import Message

GOOD: dict[str, Any] = {"content": "I use Figma.", "user_id": "u1"}


def test_mappings_and_messages_become_messages_in_order():
    made = validate_message("I use Penpot.", user_id="u1", metadata={"a": 1e21}, speaker="Ines")

    assert validate_batch([GOOD, made]) == (validate_message(**GOOD), made)


def test_an_empty_batch_has_no_messages():
    assert validate_batch([]) == ()


def test_any_iterable_is_a_batch():
    def stream() -> Iterator[dict[str, Any]]:
        yield GOOD
        yield GOOD

    assert len(validate_batch(stream())) == 2


def test_the_callers_mapping_is_left_alone():
    entry = {**GOOD, "metadata": {"a": [1]}}
    validate_batch([entry])

    assert entry == {**GOOD, "metadata": {"a": [1]}}


@pytest.mark.parametrize(
    ("bad", "error"),
    [
        ({**GOOD, "content": " "}, InvalidMessageError),
        ({**GOOD, "speaker": ""}, SpeakerError),
        ({**GOOD, "metadata": {"prme_first_person_owner_v1": True}}, ReservedMetadataError),
    ],
)
def test_the_error_names_the_position_and_keeps_its_class(bad: dict[str, Any], error: type[Exception]):
    with pytest.raises(InvalidMessageError, match=r"^messages\[3\]: ") as caught:
        validate_batch([GOOD, GOOD, GOOD, bad, GOOD])

    assert error is caught.type
    assert caught.value.__context__ is None
    assert len(validate_batch([GOOD, GOOD, GOOD, GOOD, GOOD])) == 5


def test_an_unknown_key_is_named():
    with pytest.raises(InvalidMessageError, match=r"messages\[0\]: has the unknown key 'timestamp'.*occurred_at"):
        validate_batch([{**GOOD, "timestamp": None}])


@pytest.mark.parametrize("key", ["my dog is called Rex", "x" * 65, 7, None])
def test_an_unknown_key_that_is_no_name_is_not_repeated(key: Any):
    with pytest.raises(InvalidMessageError, match="unknown key") as caught:
        validate_batch([{**GOOD, key: 1}])

    assert f"(a {type(key).__name__})" in str(caught.value)


@pytest.mark.parametrize("field", ["content", "user_id"])
def test_a_missing_field_is_named(field: str):
    entry = {name: value for name, value in GOOD.items() if name != field}

    with pytest.raises(InvalidMessageError, match=rf"messages\[1\]: {field} is missing"):
        validate_batch([GOOD, entry])


@pytest.mark.parametrize("entry", ["text", ["content", "x"], None, 4])
def test_an_entry_that_is_no_message_is_refused(entry: Any):
    with pytest.raises(InvalidMessageError, match=r"messages\[0\]: must be a mapping or a Message"):
        validate_batch([entry])


@pytest.mark.parametrize("batch", ["text", b"bytes", GOOD, validate_message(**GOOD), None, 5])
def test_what_is_no_list_of_messages_is_refused(batch: Any):
    with pytest.raises(InvalidMessageError, match="list of mappings"):
        validate_batch(batch)


def hand_made(**fields: Any) -> Message:
    made = Message.model_construct(**{**validate_message(**GOOD).model_dump(), **fields})
    return made


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"content": "\x00"}, InvalidMessageError),
        ({"role": "robot"}, InvalidMessageError),
        ({"first_person_owner": True, "speaker": "Ines"}, SpeakerError),
        ({"metadata_json": '{"prme_first_person_owner_v1":1}'}, ReservedMetadataError),
        ({"metadata_json": "[1]"}, InvalidMessageError),
        ({"metadata_json": "null"}, InvalidMessageError),
        ({"metadata_json": "{"}, InvalidMessageError),
        ({"metadata_json": '{"a":NaN}'}, InvalidMessageError),
        ({"metadata_json": {"a": 1}}, InvalidMessageError),
        ({"metadata_json": '{"a":' * 100_000}, InvalidMessageError),
    ],
)
def test_a_message_made_by_hand_is_validated_again(fields: dict[str, Any], error: type[Exception]):
    with pytest.raises(InvalidMessageError) as caught:
        validate_batch([hand_made(**fields)])

    assert error is caught.type
    assert caught.value.__context__ is None


def test_a_message_made_by_hand_is_normalised():
    assert validate_batch([hand_made(metadata_json='{ "b": 1, "a": 2 }')])[0].metadata_json == '{"a":2,"b":1}'

"""An export is read in the order in which things were said, and a damaged one not at all."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prme.cli import chat_exports
from prme.cli.chat_exports import ChatExportError
from tests.cli.chat_files import (
    BEGUN,
    SECRET,
    Document,
    api,
    contents,
    line_of,
    messages,
    node,
    openai,
    packed,
    refusals,
    skipped,
    source,
)


def test_what_was_said_earlier_comes_first_whatever_the_order_of_the_file():
    late = openai(*line_of("Late."), conversation_id="b", create_time=BEGUN)
    resumed = openai(
        node("r0", "root", "Early.", create_time=BEGUN - 100),
        node("r1", "r0", "Latest.", create_time=BEGUN + 100),
        conversation_id="a",
    )

    assert ["Early.", "Late.", "Latest."] == contents([late, resumed])


def test_a_conversation_keeps_its_order_even_where_its_times_go_back():
    back = openai(node("m0", "root", "One."), node("m1", "m0", "Two.", create_time=BEGUN - 100))

    assert ["One.", "Two."] == contents([back])


def test_a_message_without_a_time_has_that_of_the_one_before_it_or_of_its_conversation():
    nodes = [
        node("m0", "root", "One.", create_time=None),
        node("m1", "m0", "Two.", create_time=BEGUN + 5),
        node("m2", "m1", "Three.", create_time=None),
    ]
    seconds = [message.occurred_at and message.occurred_at.timestamp() for message in messages([openai(*nodes)])]

    assert [BEGUN, BEGUN + 5, BEGUN + 5] == seconds


def test_a_copy_of_a_conversation_adds_only_what_is_new_in_it():
    copied = openai(*line_of("I use Vim.", "Good."))
    copy = openai(*line_of("I use Vim.", "Good.", "I use Emacs."), conversation_id="copy", create_time=BEGUN + 50)
    found = messages([copy, copied])

    assert [("conversation-1", "I use Vim."), ("conversation-1", "Good."), ("copy", "I use Emacs.")] == [
        (message.session_id, message.content) for message in found
    ]
    assert {"repeated": 2} == skipped([copy, copied])


def test_an_id_with_two_texts_is_not_taken_for_a_repetition():
    assert ["a", "b"] == contents([openai(*line_of("a")), openai(*line_of("b"))])


def test_a_longer_api_document_of_the_same_conversation_adds_what_is_new_in_it():
    first, longer = api(("system", "Day 1"), ("user", "a")), api(("system", "Day 2"), ("user", "a"), ("user", "b"))
    lines = "\n".join(map(json.dumps, [first, longer])).encode()

    assert ["a", "b"] == contents(lines)
    assert messages(longer)[0].message_id == messages(first)[0].message_id


@pytest.mark.parametrize(
    "other",
    [
        api(("user", "a"), ("user", "b"), id="other"),
        api(("user", "b"), ("user", "a")),
        api(("assistant", "a"), ("user", "a")),
    ],
    ids=["conversation", "order", "role"],
)
def test_api_messages_in_another_place_have_other_ids(other: Document):
    ours = {message.message_id for message in messages(api(("user", "a"), ("user", "b")))}

    assert not ours & {message.message_id for message in messages(other)}


def refused(value: Any) -> str:
    with pytest.raises(ChatExportError) as caught:
        source(value)
    return str(caught.value)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (json.dumps([openai(*line_of(SECRET))])[:-9].encode(), "at conversation 1: not JSON, or cut short (character"),
        (json.dumps([openai(*line_of(SECRET)), api()])[:-3].encode(), "at conversation 2: not JSON, or cut short"),
        (b'[{"mapping": {}}, \xff]', "not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (json.dumps([SECRET]).encode(), "conversation 1: not a conversation"),
        (json.dumps([{"role": "user", "content": SECRET}]).encode(), "conversation 1: not a conversation"),
        (json.dumps([{"mapping": [SECRET]}]).encode(), "conversation 1: not a conversation"),
        (packed(users=[]), "no conversations.json"),
        (packed(conversations=[api()])[:-30], "cannot be read (BadZipFile)"),
        (packed(conversations=SECRET), "conversation 1: not a conversation"),
    ],
)
def test_a_damaged_file_is_refused_with_a_reason_that_does_not_repeat_it(data: bytes, reason: str):
    text = refused(data)

    assert reason in text
    assert SECRET not in text


def test_an_empty_export_is_no_error():
    assert [] == contents([])
    assert [] == contents(packed(conversations=[]))


def test_the_numbered_parts_of_an_archive_are_read_in_their_order():
    parts = {f"conversations-{number}": [api(("user", str(number)))] for number in ("010", "009", "2")}

    assert ["2", "9", "10"] == [text.lstrip("0") for text in contents(packed(**parts))]


def test_the_place_of_a_message_names_its_part():
    archive = packed(conversations_000=[api(("user", "x"))], conversations_001=[api(("robot", "x"))])

    assert ["conversations-001.json, conversation 1, message 1"] == list(refusals(archive))


def test_an_archive_is_unpacked_no_further_than_the_limit(monkeypatch: pytest.MonkeyPatch):
    bomb = packed(conversations=b"[" + b" " * 10_000_000 + b"]")
    assert [] == contents(bomb)
    monkeypatch.setattr(chat_exports, "MOST_CHARACTERS", 5_000_000)

    assert "longer than 5,000,000 characters" in refused(bomb)


def test_the_limit_is_for_all_parts_together(monkeypatch: pytest.MonkeyPatch):
    parts = {f"conversations_{number}": b"[" + b" " * 3_000_000 + b"]" for number in "012"}
    monkeypatch.setattr(chat_exports, "MOST_CHARACTERS", 5_000_000)

    assert "at conversations-1.json, conversation 1: longer than" in refused(packed(**parts))


def test_an_archive_with_a_password_is_refused():
    data = bytearray(packed(conversations=[api()]))
    directory = data.index(b"PK\x01\x02")
    data[directory + 8] |= 1

    assert "needs a password" in refused(bytes(data))


def test_an_archive_that_was_changed_is_refused():
    data = bytearray(packed(conversations=[api(("user", f"word {number}")) for number in range(50)]))
    data[80] ^= 0xFF

    assert "cannot be read" in refused(bytes(data))


def test_an_archive_is_not_read_from_a_pipe(process, tmp_path: Path):
    child = process("ingest", "-", "--user-id", "sam")
    _, err = child.communicate(packed(conversations=[api(("user", "x"))]))

    assert (child.returncode, b"read from its file" in err) == (1, True)

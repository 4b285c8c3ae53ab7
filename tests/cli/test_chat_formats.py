"""What a person sees of a conversation is taken in, the rest is counted, and what cannot be read is refused alone."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.cli.chat_exports import ChatExportError
from prme.cli.ingest_view import SKIPPED
from prme.cli.message_lines import BadLineError
from prme.model.message import Message
from tests.cli.chat_files import (
    BEGUN,
    SECRET,
    TREE,
    anthropic,
    api,
    branched,
    contents,
    line_of,
    messages,
    node,
    openai,
    refusals,
    skipped,
    source,
    turn,
)


def test_a_message_of_openai_has_its_ids_its_time_and_the_owner():
    (message,) = messages([openai(node("m0", "root", "I use Figma.", create_time=BEGUN + 0.5))])

    assert message == Message(
        content="I use Figma.",
        user_id="sam",
        role="user",
        session_id="conversation-1",
        message_id="openai:m0",
        first_person_owner=True,
        occurred_at=datetime(2023, 11, 14, 22, 13, 20, 500_000, tzinfo=UTC),
    )


def test_a_message_of_anthropic_has_its_ids_its_time_and_the_owner():
    (message,) = messages([anthropic(turn("t0", "I use Figma."))])

    assert message == Message(
        content="I use Figma.",
        user_id="sam",
        role="user",
        session_id="conversation-2",
        message_id="anthropic:t0",
        first_person_owner=True,
        occurred_at=datetime(2024, 5, 1, 10, 0, 0, 123_456, tzinfo=UTC),
    )


def test_a_message_of_an_api_document_names_its_conversation_and_no_time():
    (message,) = messages(api(("user", "I use Figma."), id="call-1"))

    assert (message.session_id, message.occurred_at, message.first_person_owner) == ("call-1", None, True)


def test_an_assistant_is_not_the_owner():
    found = messages([openai(*line_of("I use Figma.", "I like it."))])

    assert [("user", True), ("assistant", False)] == [(one.role, one.first_person_owner) for one in found]


@pytest.mark.parametrize("export", [[openai(*line_of("I use Figma."))], [anthropic(turn("t0", "I use Figma."))]])
def test_the_person_of_an_export_is_not_the_owner_when_told_so(export: Any):
    assert [False] == [message.first_person_owner for message in messages(export, owner=False)]
    assert [True] == [message.first_person_owner for message in messages(export, owner=True)]


@pytest.mark.parametrize(
    "export",
    [
        [openai(node("m0", "root", ["One.", {"content_type": "image_asset_pointer"}, "", "Two."]))],
        [
            anthropic(
                turn(
                    "t0",
                    "",
                    content=[{"type": "text", "text": "One."}, {"type": "x"}, {"type": "text", "text": "Two."}],
                )
            )
        ],
        api(
            ("user", [{"type": "text", "text": "One."}, {"type": "image_url"}, {"type": "input_text", "text": "Two."}])
        ),
    ],
    ids=["openai", "anthropic", "api"],
)
def test_the_texts_of_a_message_are_joined_and_its_other_parts_counted(export: Any):
    assert ["One.\nTwo."] == contents(export)
    assert {"part": 1} == skipped(export)


def test_what_was_spoken_is_text():
    spoken = {"content_type": "audio_transcription", "text": "I use Figma.", "direction": "in"}
    said = node("m0", "root", [], content={"content_type": "multimodal_text", "parts": [{"content_type": "a"}, spoken]})

    assert ["I use Figma."] == contents([openai(said)])


def test_an_older_export_of_anthropic_has_a_text_only():
    assert ["I use Figma."] == contents([anthropic(turn("t0", "I use Figma.", content=[]))])


def test_a_remark_in_place_of_what_is_no_text_is_not_taken_for_what_was_said():
    only_a_tool = turn("t0", "This block is not supported.", content=[{"type": "tool_use", "name": "search"}])

    assert [] == contents([anthropic(only_a_tool)])


def test_files_of_a_message_are_counted():
    assert {"part": 3} == skipped([anthropic(turn("t0", "Read.", files=[{}], attachments=[{}, {}]))])


@pytest.mark.parametrize(
    ("export", "reason"),
    [
        ([openai(node("m0", "root", "x", role="system"))], "system"),
        ([openai(node("m0", "root", "x", role="tool"))], "tool"),
        ([openai(node("m0", "root", "x", role="assistant", recipient="python"))], "tool"),
        ([openai(node("m0", "root", "x", metadata={"is_visually_hidden_from_conversation": True}))], "hidden"),
        ([openai(node("m0", "root", ""))], "no_text"),
        ([openai(node("m0", "root", "x", content={"content_type": "thoughts", "thoughts": []}))], "no_text"),
        ([openai(node("m0", "root", "x", content=None))], "no_text"),
        ([anthropic(turn("t0", " ", content=[]))], "no_text"),
        ([anthropic(turn("t0", "x", "system"))], "system"),
        (api(("developer", "x")), "system"),
        (api(("function", "x")), "tool"),
        ({"messages": [{"role": "assistant", "content": None, "tool_calls": [{}]}]}, "tool"),
        (api(("user", None)), "no_text"),
    ],
)
def test_what_nobody_said_in_words_is_skipped_and_counted(export: Any, reason: str):
    assert [] == contents(export)
    assert skipped(export).get(reason) == 1


def test_the_same_messages_without_what_skips_them_are_taken():
    assert ["x"] == contents([openai(node("m0", "root", "x", role="assistant", recipient="all"))])
    assert ["x"] == contents([openai(node("m0", "root", "x", metadata={}))])
    assert ["x"] == contents(api(("assistant", "x")))


@pytest.mark.parametrize(("current", "text"), [("m1", "I use Vim."), ("m2", "I use Emacs.")])
def test_the_branch_that_openai_calls_current_is_taken(current: str, text: str):
    assert ["Hello.", text] == contents(branched(current=current))
    assert {"other_branch": 1} == skipped(branched(current=current))


def test_without_a_current_node_it_is_the_branch_of_the_newest_message():
    assert ["Hello.", "I use Emacs."] == contents(branched(current_node=None))


def test_a_conversation_whose_current_node_is_unknown_is_refused():
    export = [*branched(current="m9"), openai(*line_of("Hello."))]

    assert {"conversation 1": "its current message is not among its messages"} == refusals(export)


@pytest.mark.parametrize("current", ["m1", None])
def test_messages_in_a_circle_are_refused(current: str | None):
    circle = openai(node("m0", "m1", "a"), node("m1", "m0", "b"), current_node=current)
    circle["mapping"].pop("root")

    assert {"conversation 2": "its messages follow one another in a circle"} == refusals(
        [openai(*line_of("Hello.")), circle]
    )


def test_the_branch_of_the_newest_message_of_anthropic_is_taken():
    assert ["Hello.", "I use Emacs."] == contents([anthropic(*TREE)])
    assert {"other_branch": 2} == skipped([anthropic(*TREE)])


def test_the_branch_that_anthropic_calls_current_is_taken():
    assert ["Hello.", "I use Vim.", "Good."] == contents([anthropic(*TREE, current_leaf_message_uuid="t3")])


def test_a_conversation_with_a_node_that_is_none_is_refused():
    spoilt_one = openai(*line_of("Hello."))
    spoilt_one["mapping"]["m0"] = SECRET

    assert {"conversation 1": "a node of its mapping is not an object"} == refusals([spoilt_one])


def test_messages_of_anthropic_without_parents_are_all_taken():
    flat = [{**one, "parent_message_uuid": None} for one in TREE]

    assert 4 == len(contents([anthropic(*flat)]))


def test_a_conversation_of_no_known_shape_among_others_is_refused_alone():
    export = [openai(*line_of("x")), {"title": SECRET}]

    assert ["conversation 2"] == list(refusals(export))
    assert SECRET not in str(refusals(export))


@pytest.mark.parametrize(
    ("export", "place", "reason"),
    [
        ([openai(node("m0", "root", SECRET, author={}))], "conversation 1, message 1", "author.role is missing"),
        ([openai(node("m0", "root", SECRET, role=SECRET))], "conversation 1, message 1", "author.role is not one of"),
        ([openai(node("m0", "root", SECRET, content=SECRET))], "conversation 1, message 1", "content is not an object"),
        ([openai(node("m0", "root", SECRET, create_time=SECRET))], "conversation 1, message 1", "create_time is"),
        ([openai(node("m0", "root", SECRET, create_time=1e300))], "conversation 1, message 1", "create_time is"),
        ([openai({**node("m0", "root", ""), "message": SECRET})], "conversation 1, message 1", "not an object"),
        ([openai(node("m0" * 200, "root", SECRET))], "conversation 1, message 1", "message_id has 407 characters"),
        ([openai(node("m0", "root", SECRET * 10_000))], "conversation 1, message 1", "the limit is 100000"),
        ([openai(node("m0", "root", SECRET + "\ud800"))], "conversation 1, message 1", "lone surrogate"),
        ([anthropic(turn("", SECRET))], "conversation 1, message 1", "uuid is missing"),
        ([anthropic(SECRET)], "conversation 1, message 1", "not an object"),
        ([anthropic(turn("t0", SECRET, created_at="2024-05-01T10:00"))], "conversation 1, message 1", "created_at is"),
        (api(("robot", SECRET)), "conversation 1, message 1", "role is not one of"),
        ({"messages": [{"role": "user", "content": "x"}, SECRET]}, "conversation 1, message 2", "not an object"),
    ],
)  # fmt: skip
def test_a_bad_message_is_refused_at_its_place_without_its_text(export: Any, place: str, reason: str):
    found = refusals(export)

    assert [place] == list(found)
    assert reason in found[place]
    assert SECRET not in found[place]


def test_the_messages_around_a_bad_one_are_taken():
    nodes = line_of("One.", "Two.", "Three.")
    nodes[1]["message"]["author"] = None
    found = source([openai(*nodes)])
    texts = []
    for entry in found.entries:
        with suppress(BadLineError):
            texts.append(found.reader.message(entry).content)

    assert ["One.", "Three."] == texts


@given(st.data())
def test_any_change_to_an_export_is_read_or_refused_on_purpose(data: st.DataObject):
    document = data.draw(
        st.sampled_from([openai(*line_of("a", "b")), anthropic(*TREE), api(("user", [{"type": "text", "text": "a"}]))])
    )
    junk = st.none() | st.booleans() | st.integers() | st.text(max_size=3) | st.just([{}]) | st.just({"a": [1]})
    changed = spoilt(json.loads(json.dumps(document)), data.draw, junk)
    with suppress(ChatExportError):
        refusals([changed])


def spoilt(value: Any, draw: Callable[[Any], Any], junk: Any) -> Any:
    """Return the value with something else in one drawn place of it."""
    places = list(value) if isinstance(value, dict) else list(range(len(value))) if isinstance(value, list) else []
    if not places or draw(st.integers(0, 4)) == 0:
        return draw(junk)
    place = draw(st.sampled_from(places))
    value[place] = spoilt(value[place], draw, junk)
    return value


def test_every_reason_for_skipping_is_in_words():
    export = [
        *branched(current="m1"),
        openai(node("a", "root", "x", role="system"), node("b", "a", "x", role="tool"), node("c", "b", "")),
        openai(node("d", "root", "x", metadata={"is_visually_hidden_from_conversation": True})),
        openai(node("m0", "root", ["Hello.", {}], role="assistant")),
    ]

    assert set(SKIPPED) == set(skipped(export))

"""What a conversation retires: faults found by somebody who had not seen the patterns, each with its control."""

from __future__ import annotations

import pytest

from prme import MemoryClient


def retired(*messages: str) -> list[str | None]:
    """Ingest a conversation and return the objects that its last message retires."""
    with MemoryClient(":memory:") as memory:
        *_, last = [memory.ingest(message, user_id="sam", first_person_owner=True) for message in messages]
        nodes = [memory.get_node(node_id, include_superseded=True) for node_id in last.retired]
        return [None if node is None else node.object for node in nodes]


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("I have two kids.", "Actually, I have three dogs, not two."),
        ("I take two puffs.", "I take three pills now instead of two."),
        ("I have two kids.", "I have four bikes now (was two)."),
        ("The shop has two doors.", "Correction: the shop has three floors, not two."),
        ("I have a blue bike.", "Actually, I have a red car, not blue."),
        ("I use a steel pan.", "Actually, I use a wooden spoon, not steel."),
        ("I prefer cold showers.", "I prefer hot tea now, not cold."),
    ],
)
def test_a_word_that_stands_for_a_former_value_hits_no_other_thing(before: str, message: str):
    assert retired(before, message) == []


@pytest.mark.parametrize(
    ("before", "message", "old"),
    [
        ("I drink coffee.", "I drink oat milk now instead of coffee.", "coffee"),
        ("I live in Bergen.", "Actually, I live in New York, not Bergen.", "Bergen"),
        ("My suitcase is orange.", "My suitcase is blue now, not orange.", "orange"),
        ("The demo is on floor 2.", "The demo is on floor 5, not 2.", "2"),
    ],
)
def test_a_former_value_that_is_named_is_retired(before: str, message: str, old: str):
    assert retired(before, message) == [old]


@pytest.mark.parametrize(
    ("before", "message", "old"),
    [
        ("I like cats and dogs.", "I no longer like dogs.", "dogs"),
        ("I eat rice and beans.", "I stopped eating beans.", "beans"),
        ("I watch anime and westerns.", "I stopped watching westerns.", "westerns"),
    ],
)
def test_one_of_two_liked_things_ends_alone(before: str, message: str, old: str):
    assert retired(before, message) == [old]


@pytest.mark.parametrize("mark", ["-- ", "> ", "--"])
def test_a_comment_or_a_pasted_reply_retires_nothing(mark: str):
    assert retired("I use Slack.", f"{mark}I no longer use Slack.") == []


def test_without_the_mark_it_does():
    assert retired("I use Slack.", "I no longer use Slack.") == ["Slack"]


def test_a_former_habit_told_beside_another_ends_nothing():
    assert retired("I use Slack.", "I used to use Slack too.") == []
    assert retired("I use Slack.", "I used to use Slack.") == ["Slack"]


@pytest.mark.parametrize(
    ("message", "predicate"),
    [
        ("My sister is Violet.", "sister"),
        ("My boss is Amber.", "boss"),
        ("My suitcase is violet.", "suitcase_color"),
    ],
)
def test_a_name_is_no_colour(message: str, predicate: str):
    with MemoryClient(":memory:") as memory:
        memory.ingest(message, user_id="sam", first_person_owner=True)
        assert [claim.predicate for claim in memory.claims(user_id="sam")] == [predicate]


@pytest.mark.parametrize(
    "message",
    [
        "My team moved from Slack to Teams.",
        "I'm engaged in a project.",
        "I collect my kids at 3.",
        "My phone is at 4%.",
    ],
)
def test_what_only_looks_like_a_state_makes_no_claim(message: str):
    with MemoryClient(":memory:") as memory:
        assert memory.ingest(message, user_id="sam", first_person_owner=True).claims == []

"""What the model is told of the memory, and what the memory takes in."""

from __future__ import annotations

import asyncio
from typing import Any

from remembering import remembering

from prme import MemoryEngine

Messages = list[dict[str, Any]]


def said(text: Any) -> dict[str, Any]:
    return {"role": "user", "content": text}


def talk(*turns: Messages) -> tuple[list[str], list[str]]:
    """Complete conversations one after the other; what the model was told first, and the claims at the end."""
    told: list[str] = []

    async def complete(messages: Messages) -> str:
        told.append(messages[0]["content"] if messages[0]["role"] == "system" else "")
        return "I see."

    async def session() -> list[str]:
        async with MemoryEngine(":memory:") as memory:
            for number, messages in enumerate(turns):
                chat = remembering(complete, memory, user_id="sam", session_id=f"s{number // 2}")
                assert await chat(messages) == "I see."
            claims = await memory.claims(user_id="sam")
            assert (await memory.verify()).ok
            return [f"{claim.predicate} {claim.object} {claim.polarity}" for claim in claims]

    return told, asyncio.run(session())


def test_what_was_said_in_one_conversation_is_known_in_the_next():
    told, claims = talk([said("I use an insulin pump.")], [said("Hello.")], [said("Which pump do I use?")])

    assert claims == ["uses insulin pump positive"]
    assert "insulin pump" in told[2]


def test_what_is_over_is_not_told_as_if_it_held():
    told, claims = talk(
        [said("I use an insulin pump.")],
        [said("I don't use an insulin pump anymore.")],
        [said("Which pump do I use?")],
    )

    assert claims == ["uses insulin pump negative"]
    assert "not" in told[2]


def test_a_conversation_that_is_passed_again_is_taken_in_once():
    first = [said("I use Trello.")]
    again = [*first, {"role": "assistant", "content": "I use Notion."}, said("I use Figma.")]
    _, claims = talk(first, again)

    assert claims == ["uses Trello positive", "uses Figma positive"]


def test_parts_of_text_are_read_and_others_left_alone():
    parts = [{"type": "image", "source": {}}, {"type": "text", "text": "I use Figma."}]
    _, claims = talk([said(parts)], [said([{"type": "image", "source": {}}])])

    assert claims == ["uses Figma positive"]

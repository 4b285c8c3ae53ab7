"""Memory around any function that completes chat messages: what holds is told before, what was said is kept.

`remembering(complete, memory, user_id=...)` has the form of `complete`: a list of messages in, the answer out. The
messages are those of the OpenAI and Anthropic interfaces: `{"role": "user", "content": "..."}`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from prme import MemoryEngine

ChatMessage = dict[str, Any]
Complete = Callable[[list[ChatMessage]], Awaitable[str]]


def remembering(
    complete: Complete, memory: MemoryEngine, *, user_id: str, session_id: str, budget: int = 500
) -> Complete:
    """Return a function that completes messages knowing what the user's memory holds, and takes in what they say.

    The whole conversation may be passed every time, as most programs do: a message that is known changes nothing.
    `budget` is how many tokens the memory may take.
    """

    async def complete_remembering(messages: list[ChatMessage]) -> str:
        for place, message in enumerate(messages):
            if message["role"] == "user":
                await _take_in(memory, message, user_id=user_id, session_id=session_id, place=place)
        known = await memory.context(_newest_words(messages), user_id, budget)
        recalled = [{"role": "system", "content": str(known)}] if known else []
        return await complete([*recalled, *messages])

    return complete_remembering


async def _take_in(memory: MemoryEngine, message: ChatMessage, *, user_id: str, session_id: str, place: int) -> None:
    content = _text(message)
    if not content.strip():
        return
    # An edited message is another one; the same message sent again is not.
    digest = hashlib.sha256(content.encode()).hexdigest()[:16]
    await memory.ingest(
        content,
        user_id=user_id,
        session_id=session_id,
        message_id=f"{session_id[:200]}:{place}:{digest}",
        first_person_owner=True,
    )


def _newest_words(messages: Sequence[ChatMessage]) -> str:
    spoken = [_text(message) for message in messages if message["role"] == "user"]
    return spoken[-1] if spoken else ""


def _text(message: ChatMessage) -> str:
    content = message["content"]
    if isinstance(content, str):
        return content
    return "\n".join(part["text"] for part in content if part.get("type") == "text")

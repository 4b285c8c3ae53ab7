"""The prompt that a person may choose when the memory is wrong: it tells the model how to correct it."""

from __future__ import annotations

from collections.abc import Mapping

from mcp.types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

WRONG = "what_is_wrong"
CORRECT_MEMORY = Prompt(
    name="correct_memory",
    title="Correct the memory",
    description="Something that is remembered is not so: check it, correct it, and say what changed.",
    arguments=[PromptArgument(name=WRONG, description="What is remembered wrongly, and what is so.", required=True)],
)
_STEPS = """\
The memory is wrong about this:

{what}

Correct it in these steps:
1. memory_retrieve the claim that is wrong. If the words do not find it, try others.
2. Verify: check the live system, or take the user's own words above if they are about the user.
3. memory_ingest the words that say what is so now. If its receipt lists the wrong claim in `retired`, that is all.
4. Else memory_supersede: old_id is the wrong claim, new_id the right one, evidence_id the event_id of step 3. If you \
cannot tell which is right, memory_contradict the two and ask the user.
5. memory_retrieve again, and tell the user what was closed and what holds now.
"""


def correct_memory(arguments: Mapping[str, str] | None) -> GetPromptResult:
    """Return the prompt. Raises `ValueError` without its one argument."""
    what = (arguments or {}).get(WRONG, "").strip()
    if not what or set(arguments or {}) != {WRONG}:
        raise ValueError(f"correct_memory takes one argument, {WRONG}: what is remembered wrongly, and what is so")
    message = PromptMessage(role="user", content=TextContent(type="text", text=_STEPS.format(what=what)))
    return GetPromptResult(description=CORRECT_MEMORY.description, messages=[message])

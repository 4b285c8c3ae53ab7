"""The tools: their names, what they take and answer, and the descriptions that teach when to use which."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.types import Tool, ToolAnnotations
from pydantic import BaseModel

from prme.mcp import arguments, calls
from prme.mcp.answers import Found, Stored
from prme.mcp.calls import Call
from prme.model.assertion import AssertionState
from prme.model.explanation import Explanation
from prme.model.history import History
from prme.model.receipt import DecisionReceipt, IngestReceipt


@dataclass(frozen=True, slots=True)
class MemoryTool:
    """One tool. `is_idempotent`: calling it again with the same arguments changes nothing more."""

    name: str
    title: str
    takes: type[arguments.Arguments]
    answers: type[BaseModel]
    call: Callable[[Call], Awaitable[BaseModel]]
    description: str
    is_reading: bool = False
    is_idempotent: bool = True

    def arguments(self, *, is_bound: bool) -> type[arguments.Arguments]:
        """Return the model of its arguments; a server that is bound to an owner takes none."""
        return self.takes if is_bound else arguments.with_owner(self.takes)

    def listed(self, *, is_bound: bool) -> Tool:
        """Return it as clients see it."""
        return Tool(
            name=self.name,
            title=self.title,
            description=self.description,
            input_schema=_without(self.arguments(is_bound=is_bound).model_json_schema(), "title"),
            output_schema=_without(self.answers.model_json_schema(mode="serialization"), "title", "description"),
            annotations=ToolAnnotations(
                read_only_hint=self.is_reading,
                destructive_hint=False,
                idempotent_hint=self.is_idempotent,
                open_world_hint=False,
            ),
        )


def _without(schema: Any, *remarks: str) -> Any:
    """Return a schema without the remarks that pydantic makes of names and docstrings: models would read them in vain.

    What a remark says is a text; a property may have its name.
    """
    if isinstance(schema, list):
        return [_without(part, *remarks) for part in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: part for name, part in schema.items() if not (name in remarks and isinstance(part, str))}
    return {name: _without(part, *remarks) for name, part in kept.items()}


TOOLS = (
    MemoryTool(
        name="memory_ingest",
        title="Learn from a message",
        takes=arguments.IngestArguments,
        answers=IngestReceipt,
        call=calls.ingest,
        is_idempotent=False,
        description=(
            "Hand in one message of the conversation, word for word, so that the memory learns from it. Use it "
            "whenever somebody states something that may matter later, and above all when they say that something "
            'is no longer so: "I don\'t use Vim anymore" or "I use Helix instead of Vim" closes the earlier claim '
            "by itself, with no id needed.\n"
            "Pass what was said, not your summary of it: a claim is taken over only if its words stand in the "
            "message. Set first_person_owner when the user speaks of themself. Give a message_id, so that sending "
            "it again is harmless.\n"
            "The receipt has the ids of new claims in `claims` and of what they closed in `retired`. If nothing "
            "was retired although something should have been, `decisions` says why; correct it with "
            "memory_supersede. With status failed or pending the message is stored all the same: do not send it "
            "as a new one."
        ),
    ),
    MemoryTool(
        name="memory_store",
        title="Keep a note",
        takes=arguments.MessageArguments,
        answers=Stored,
        call=calls.store,
        is_idempotent=False,
        description=(
            "Keep a text as one note, without taking claims from it: a decision, a document, or what you saw when "
            "you checked the live system. For what people say in the conversation use memory_ingest.\n"
            "The answer has `note_id`, which can be the new_id of memory_supersede, and `event_id`, which can be "
            "the evidence_id of a decision."
        ),
    ),
    MemoryTool(
        name="memory_retrieve",
        title="Recall",
        takes=arguments.RetrieveArguments,
        answers=Found,
        call=calls.retrieve,
        is_reading=True,
        description=(
            "Recall what the memory holds: notes and claims that have words of the query, best first, only those "
            "in effect now. Use it before you rely on anything about the user or their work, and before you ask "
            "what they may have told already. Words are compared, not meanings: try other words before you "
            "conclude that nothing is known.\n"
            "RULE: if a result contradicts the live system, or what the user says now, verify it against the real "
            "system first, then correct the memory (memory_ingest the words that say so, or memory_supersede), "
            "and say that you did. Do not work around it. Never leave a memory that you know to be false.\n"
            "Each hit's `node.id` is the id that the other tools take. `contested` means that an unresolved "
            "contradiction names it: do not take it for true. A negative `polarity` is a denial. "
            "`evidence_mentions_retired` means that its text also says something that no longer holds. If nothing "
            "is found, look at `excluded`: superseded there means that it was said and holds no longer; "
            "include_superseded shows it."
        ),
    ),
    MemoryTool(
        name="memory_supersede",
        title="Correct: replace one by another",
        takes=arguments.SupersedeArguments,
        answers=DecisionReceipt,
        call=calls.supersede,
        description=(
            "Close a note or claim that holds no longer, with the one that replaces it. Use it when you know "
            "which of the two is right, because you checked or because the user said so; while you do not know, "
            "use memory_contradict. If the user's own words say that something changed, memory_ingest alone does "
            "it.\n"
            "Both ids come from memory_retrieve, or from the answer of memory_ingest or memory_store. If nothing "
            "says the new fact yet, store it first. Nothing is deleted: the old one keeps its history and is no "
            "longer recalled. The same call again changes nothing. Superseding a note leaves its claims open: "
            "`open_claims` lists them, decide each. If the error names a live successor, supersede that one "
            "instead."
        ),
    ),
    MemoryTool(
        name="memory_contradict",
        title="Note a contradiction",
        takes=arguments.ContradictArguments,
        answers=DecisionReceipt,
        call=calls.contradict,
        description=(
            "Say that two open notes or claims cannot both be true, while you do not know which one is. Both "
            "stay, marked contested, until memory_resolve_contradiction. Use memory_supersede instead when you "
            "know the right one, and neither when both can be true: two pets, two homes, a former and a present "
            "job."
        ),
    ),
    MemoryTool(
        name="memory_resolve_contradiction",
        title="Resolve a contradiction",
        takes=arguments.ResolveArguments,
        answers=DecisionReceipt,
        call=calls.resolve_contradiction,
        description=(
            "Settle a contradiction that was noted between two notes or claims: the winner holds again, the loser "
            "is closed without successor and keeps its history. Check the live system or ask the user first; pass "
            "the event_id of what you found as evidence_id."
        ),
    ),
    MemoryTool(
        name="memory_get_assertion_state",
        title="What is known of one thing",
        takes=arguments.StateArguments,
        answers=AssertionState,
        call=calls.get_assertion_state,
        is_reading=True,
        description=(
            "Say what the memory holds of one subject and predicate: what is stated, denied, uncertain, and what "
            "was closed last and by what. Use it for a question with one answer, such as where the user lives. "
            "Status multiple means several values that may all be true; contested means that you should not "
            "choose one."
        ),
    ),
    MemoryTool(
        name="memory_history",
        title="What it said before",
        takes=arguments.HistoryArguments,
        answers=History,
        call=calls.history,
        is_reading=True,
        description=(
            "Tell everything ever recorded of a note or claim, closed ones included: every version of the time in "
            "which it holds, what it replaced, what replaced it, and who decided that. Use it to answer what was "
            "said before, and who changed it. The id comes from memory_retrieve."
        ),
    ),
    MemoryTool(
        name="memory_explain",
        title="Why it holds, or does not",
        takes=arguments.ExplainArguments,
        answers=Explanation,
        call=calls.explain,
        is_reading=True,
        description=(
            "Explain a claim, a note or a whole message: the words it rests on, what closed it and by which rule, "
            "and what nearly did. Use it when the memory surprises you, before you correct it by hand."
        ),
    ),
)

"""What each tool does: one call of the engine, for one owner. The client's name is the actor of every decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prme.engine import MemoryEngine
from prme.ids import note_id
from prme.mcp.answers import Found, Stored
from prme.mcp.arguments import Arguments
from prme.model.assertion import AssertionState
from prme.model.explanation import Explanation
from prme.model.history import History
from prme.model.receipt import DecisionReceipt, IngestReceipt


@dataclass(frozen=True, slots=True)
class Call:
    """A call that was let in: its owner, its actor and its checked arguments."""

    engine: MemoryEngine
    owner: str
    actor: str
    arguments: Arguments

    @property
    def fields(self) -> dict[str, Any]:
        """The arguments by name, without the owner."""
        return {name: value for name, value in self.arguments if name != "user_id"}

    @property
    def decision(self) -> dict[str, Any]:
        """The arguments of a decision, with who decides and for whom."""
        return {**self.fields, "user_id": self.owner, "actor_id": self.actor}


async def ingest(call: Call) -> IngestReceipt:
    """Store a message and learn from it."""
    return await call.engine.ingest(**call.fields, user_id=call.owner)


async def store(call: Call) -> Stored:
    """Store a note."""
    event_id = await call.engine.store(**call.fields, user_id=call.owner)
    return Stored(event_id=event_id, note_id=note_id(event_id))


async def retrieve(call: Call) -> Found:
    """Search."""
    found = await call.engine.retrieve(**call.fields, user_id=call.owner)
    return Found(hits=list(found), excluded=dict(found.excluded))


async def supersede(call: Call) -> DecisionReceipt:
    """Let one note or claim replace another."""
    return await call.engine.supersede(**call.decision)


async def contradict(call: Call) -> DecisionReceipt:
    """Note a contradiction."""
    return await call.engine.contradict(**call.decision)


async def resolve_contradiction(call: Call) -> DecisionReceipt:
    """Resolve a contradiction."""
    return await call.engine.resolve_contradiction(**call.decision)


async def get_assertion_state(call: Call) -> AssertionState:
    """Say what is known of a subject and predicate."""
    return await call.engine.get_assertion_state(**call.fields, user_id=call.owner)


async def history(call: Call) -> History:
    """Tell everything recorded of a note or claim."""
    return await call.engine.history(**call.fields, user_id=call.owner)


async def explain(call: Call) -> Explanation:
    """Explain a message, a note or a claim."""
    return await call.engine.explain(call.fields["id"], user_id=call.owner)

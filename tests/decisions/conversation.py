"""What tests of explicit decisions share: a store with a few drinks in it, and a look at everything it says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prme import MemoryClient, Node
from prme.errors import PrmeError
from tests.engine.conversation import COFFEE, DRINKS, NO_TEA, TEA, Scripted, SettableClock, claim, extraction

UNKNOWN = "00000000-0000-0000-0000-000000000000"
WINE = "I drink wine."
MILK = "I drink milk."
BOTH = "I drink milk. I drink wine."
SCRIPT = {
    **DRINKS,
    WINE: extraction(claim("I", "drinks", "wine")),
    MILK: extraction(claim("I", "drinks", "milk")),
    BOTH: extraction(claim("I", "drinks", "milk"), claim("I", "drinks", "wine")),
}


def opened(directory: Path | str = ":memory:") -> MemoryClient:
    return MemoryClient(directory, extractor=Scripted(SCRIPT), clock=SettableClock())


def said(memory: MemoryClient, content: str, **fields: Any) -> Node:
    """Ingest a sentence and return its first claim."""
    receipt = memory.ingest(content, **{"user_id": "sam", "first_person_owner": True, **fields})
    return found(memory, receipt.claims[0])


def noted(memory: MemoryClient, content: str, **fields: Any) -> Node:
    """Store a note and return it."""
    event = memory.store(content, **{"user_id": "sam", **fields})
    return memory.get_event_nodes(event)[0]


def found(memory: MemoryClient, node_id: str) -> Node:
    node = memory.get_node(node_id, include_superseded=True)
    assert node is not None
    return node


def everything(memory: MemoryClient) -> Any:
    """Return what must not change when a call is refused: the state, and the head of every journal."""
    report = memory.verify()
    assert report.ok, report.differences
    return report.owners, {owner: memory.journal_head(owner) for owner in report.owners}


def refusal(call: Any) -> tuple[type[Exception], str]:
    """Carry out a call that must be refused; return the type of its error and what it says."""
    try:
        call()
    except (PrmeError, ValueError) as error:
        return type(error), str(error)
    raise AssertionError("the call was not refused")


__all__ = ["BOTH", "COFFEE", "MILK", "NO_TEA", "TEA", "UNKNOWN", "WINE", "everything", "found", "noted", "opened"]
__all__ += ["refusal", "said"]

"""Evidence is an event of the same owner and scope; everything else gives one and the same error (003-12, 003-13)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from prme import MemoryClient, Node
from tests.decisions.conversation import COFFEE, TEA, UNKNOWN, everything, noted, refusal, said

NO_EVIDENCE = "Evidence event is not available in the node owner and scope"


def resolved(memory: MemoryClient, a: str, b: str, evidence_id: str | None) -> Any:
    if memory.history(a).node.status != "contested":
        memory.contradict(a, b)
    return memory.resolve_contradiction(a, b, evidence_id=evidence_id)


CALLS: list[Any] = [
    pytest.param(lambda memory, a, b, evidence_id: memory.supersede(a, b, evidence_id=evidence_id), id="supersede"),
    pytest.param(lambda memory, a, b, evidence_id: memory.contradict(a, b, evidence_id=evidence_id), id="contradict"),
    pytest.param(resolved, id="resolve"),
    pytest.param(
        lambda memory, a, b, evidence_id: memory.supersede_many(
            [{"old_id": a, "new_id": b, "evidence_id": evidence_id}]
        ),
        id="supersede_many",
    ),
]
EVERY_CALL = pytest.mark.parametrize("call", CALLS)
UNAVAILABLE = {
    "missing": lambda memory: UNKNOWN,
    "malformed": lambda memory: "not an id",
    "empty": lambda memory: "",
    "of another owner": lambda memory: memory.store("Theirs.", user_id="ann"),
    "of another scope": lambda memory: memory.store("At work.", user_id="sam", scope="work"),
    "a node": lambda memory: noted(memory, "A note.").id,
}


@pytest.fixture
def pair(memory: MemoryClient) -> tuple[Node, Node]:
    return said(memory, TEA), said(memory, COFFEE)


@EVERY_CALL
@pytest.mark.parametrize("kind", UNAVAILABLE)
def test_evidence_that_is_not_available_is_refused_with_one_text(
    memory: MemoryClient, pair: tuple[Node, Node], call: Callable[..., Any], kind: str
):
    evidence = UNAVAILABLE[kind](memory)
    if call is resolved:
        memory.contradict(pair[0].id, pair[1].id)
    before = everything(memory)

    assert refusal(lambda: call(memory, pair[0].id, pair[1].id, evidence)) == (ValueError, NO_EVIDENCE)
    assert everything(memory) == before


@EVERY_CALL
def test_an_event_of_the_same_owner_and_scope_is_evidence(
    memory: MemoryClient, pair: tuple[Node, Node], call: Callable[..., Any]
):
    event = memory.store("My own words.", user_id="sam")

    receipt = call(memory, pair[0].id, pair[1].id, event)

    assert (receipt[0] if isinstance(receipt, list) else receipt).evidence_id == event


@EVERY_CALL
def test_evidence_may_be_left_out(memory: MemoryClient, pair: tuple[Node, Node], call: Callable[..., Any]):
    receipt = call(memory, pair[0].id, pair[1].id, None)

    assert (receipt[0] if isinstance(receipt, list) else receipt).evidence_id is None

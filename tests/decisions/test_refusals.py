"""What cannot be decided is refused with the reason and the way out, and nothing is stored (SPEC 10, 003-14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from prme import MemoryClient
from prme.errors import ConflictError, NodeNotFoundError
from tests.decisions.conversation import (
    COFFEE,
    MILK,
    NO_TEA,
    TEA,
    UNKNOWN,
    WINE,
    everything,
    found,
    noted,
    refusal,
    said,
)

CALLS = [
    pytest.param(lambda memory, a, b, **more: memory.supersede(a, b, **more), id="supersede"),
    pytest.param(lambda memory, a, b, **more: memory.contradict(a, b, **more), id="contradict"),
    pytest.param(lambda memory, a, b, **more: memory.resolve_contradiction(a, b, **more), id="resolve"),
    pytest.param(
        lambda memory, a, b, **more: memory.supersede_many([{"old_id": a, "new_id": b}], **more), id="supersede_many"
    ),
]
EVERY_CALL = pytest.mark.parametrize("call", CALLS)
Call = Callable[..., Any]


def refused(memory: MemoryClient, call: Callable[[], Any]) -> tuple[type[Exception], str]:
    """Return how a call is refused, and check that it left nothing behind."""
    before = everything(memory)
    answer = refusal(call)
    assert everything(memory) == before
    return answer


@EVERY_CALL
@pytest.mark.parametrize("strange", [UNKNOWN, "not an id", "", "\0", "x' or 1=1 --"])
@pytest.mark.parametrize("side", [0, 1])
def test_an_unknown_or_malformed_id_is_not_found(memory: MemoryClient, call: Call, strange: str, side: int):
    pair = [said(memory, TEA).id, said(memory, COFFEE).id]
    pair[side] = strange

    kind, text = refused(memory, lambda: call(memory, *pair))

    assert kind is NodeNotFoundError
    assert "no note or claim with this id for this caller" in text


@EVERY_CALL
@pytest.mark.parametrize("side", [0, 1])
def test_a_foreign_id_reads_as_an_unknown_one(memory: MemoryClient, call: Call, side: int):
    mine = [said(memory, TEA).id, said(memory, COFFEE).id]
    with_foreign, with_unknown = list(mine), list(mine)
    with_foreign[side] = said(memory, TEA, user_id="ann").id
    with_unknown[side] = UNKNOWN

    foreign = refused(memory, lambda: call(memory, *with_foreign, user_id="sam"))
    unknown = refused(memory, lambda: call(memory, *with_unknown, user_id="sam"))

    assert foreign == unknown


@EVERY_CALL
def test_an_event_id_is_not_found_either(memory: MemoryClient, call: Call):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)

    assert refused(memory, lambda: call(memory, tea.event_id, coffee.id))[0] is NodeNotFoundError


@EVERY_CALL
def test_two_owners_never_meet_not_even_for_the_operator(memory: MemoryClient, call: Call):
    tea, theirs = said(memory, TEA), said(memory, TEA, user_id="ann")

    kind, text = refused(memory, lambda: call(memory, tea.id, theirs.id))

    assert (kind, "different owners" in text) == (ConflictError, True)


@EVERY_CALL
def test_two_scopes_never_meet(memory: MemoryClient, call: Call):
    tea, coffee = said(memory, TEA), said(memory, COFFEE, scope="work")

    kind, text = refused(memory, lambda: call(memory, tea.id, coffee.id))

    assert (kind, "different scopes" in text) == (ConflictError, True)


@EVERY_CALL
def test_a_node_is_never_decided_against_itself(memory: MemoryClient, call: Call):
    tea = said(memory, TEA)

    assert refused(memory, lambda: call(memory, tea.id, tea.id))[0] is ConflictError


@EVERY_CALL
@pytest.mark.parametrize("actor", ["", "   ", "x" * 257, 7])
def test_an_actor_is_a_short_text(memory: MemoryClient, call: Call, actor: Any):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)

    kind, text = refused(memory, lambda: call(memory, tea.id, coffee.id, actor_id=actor))

    assert (kind, "actor_id" in text) == (ValueError, True)


def test_a_superseded_target_is_refused_with_its_live_successor(memory: MemoryClient):
    tea, coffee, wine, milk = (said(memory, text) for text in (TEA, COFFEE, WINE, MILK))
    memory.supersede(tea.id, coffee.id)
    memory.supersede(coffee.id, wine.id)

    kind, text = refused(memory, lambda: memory.supersede(tea.id, milk.id))

    assert (kind, wine.id in text, coffee.id in text) == (ConflictError, True, False)


def test_the_live_successor_is_found_through_what_it_confirms(memory: MemoryClient):
    tea, coffee, milk = said(memory, TEA), said(memory, COFFEE), said(memory, MILK)
    denial = said(memory, NO_TEA)
    again = said(memory, NO_TEA)

    kind, text = refused(memory, lambda: memory.supersede(tea.id, milk.id))
    assert (kind, denial.id in text) == (ConflictError, True)

    kind, text = refused(memory, lambda: memory.supersede(again.id, coffee.id))
    assert (kind, f"only confirms {denial.id}" in text) == (ConflictError, True)


def test_what_a_rule_closed_is_closed(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    said(memory, NO_TEA)

    assert refused(memory, lambda: memory.supersede(tea.id, coffee.id))[0] is ConflictError
    assert refused(memory, lambda: memory.contradict(tea.id, coffee.id))[0] is ConflictError


def test_a_deprecated_target_is_refused(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.contradict(tea.id, coffee.id)
    memory.resolve_contradiction(coffee.id, tea.id)

    kind, text = refused(memory, lambda: memory.supersede(tea.id, wine.id))

    assert (kind, "deprecated" in text) == (ConflictError, True)


def test_a_contested_target_is_to_be_resolved_first(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.contradict(tea.id, coffee.id)

    kind, text = refused(memory, lambda: memory.supersede(tea.id, wine.id))

    assert (kind, "resolve" in text) == (ConflictError, True)


def test_a_closed_or_confirming_replacement_is_refused(memory: MemoryClient):
    tea, again, coffee, wine = said(memory, TEA), said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.supersede(coffee.id, wine.id)

    assert refused(memory, lambda: memory.supersede(wine.id, coffee.id))[0] is ConflictError
    kind, text = refused(memory, lambda: memory.supersede(wine.id, again.id))
    assert (kind, tea.id in text) == (ConflictError, True)


def test_an_open_replacement_is_not(memory: MemoryClient):
    tea, wine = said(memory, TEA), said(memory, WINE)

    assert memory.supersede(wine.id, tea.id).status == "applied"


def test_two_nodes_cannot_replace_each_other(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.supersede(tea.id, coffee.id)

    assert refused(memory, lambda: memory.supersede(coffee.id, tea.id))[0] is ConflictError
    assert found(memory, coffee.id).status == "current"


def test_the_checks_come_in_the_order_of_the_specification(memory: MemoryClient):
    tea, elsewhere = said(memory, TEA), noted(memory, "A note.", scope="work")
    theirs = said(memory, TEA, user_id="ann")

    assert refused(memory, lambda: memory.supersede(UNKNOWN, theirs.id))[0] is NodeNotFoundError
    assert "different owners" in refused(memory, lambda: memory.supersede(elsewhere.id, theirs.id))[1]
    assert "itself" in refused(memory, lambda: memory.supersede(tea.id, tea.id, evidence_id="nonsense"))[1]
    assert "scopes" in refused(memory, lambda: memory.supersede(tea.id, elsewhere.id, evidence_id="nonsense"))[1]


def test_no_refusal_tells_what_a_message_said(memory: MemoryClient):
    wine, coffee, milk = said(memory, WINE), said(memory, COFFEE), said(memory, MILK)
    memory.supersede(wine.id, coffee.id)

    _, text = refused(memory, lambda: memory.supersede(wine.id, milk.id))

    assert [word for word in ("wine", "coffee", "milk", "drink", "sam") if word in text] == []

"""An exact retry is a durable no-op; any other call for the same pair is refused (003-19 to 003-21)."""

from __future__ import annotations

from pathlib import Path

import pytest

from prme import MemoryClient
from prme.errors import ConflictError
from tests.decisions.conversation import BOTH, COFFEE, TEA, WINE, everything, noted, opened, refusal, said


def test_an_exact_retry_changes_nothing_and_says_so(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    first = memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id, user_id="sam", actor_id="nurse")
    before = everything(memory)

    again = memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id, user_id="sam", actor_id="nurse")

    assert again == first.model_copy(update={"status": "duplicate"})
    assert everything(memory) == before


def test_it_is_one_after_a_restart_too(tmp_path: Path):
    with opened(tmp_path) as memory:
        tea, coffee = said(memory, TEA), said(memory, COFFEE)
        first = memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id)

    with opened(tmp_path) as memory:
        before = everything(memory)
        again = memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id.upper())

        assert again == first.model_copy(update={"status": "duplicate"})
        assert everything(memory) == before


def test_it_is_one_after_the_replacement_was_replaced_as_well(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.supersede(tea.id, coffee.id)
    memory.supersede(coffee.id, wine.id)

    assert memory.supersede(tea.id, coffee.id).status == "duplicate"


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"actor_id": "somebody else"}, "another actor"),
        ({"evidence": False}, "other evidence"),
        ({"evidence_id": "not an id"}, "other evidence"),
    ],
)
def test_a_retry_with_another_actor_or_evidence_is_refused(memory: MemoryClient, other: dict[str, object], says: str):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    passed = {"evidence_id": coffee.event_id, "actor_id": "nurse"}
    memory.supersede(tea.id, coffee.id, **passed)
    before = everything(memory)
    changed = {**passed, **other}
    if changed.pop("evidence", True) is False:
        del changed["evidence_id"]

    kind, text = refusal(lambda: memory.supersede(tea.id, coffee.id, **changed))

    assert (kind, says in text) == (ConflictError, True)
    assert everything(memory) == before


def test_a_contradiction_is_the_same_in_either_order(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    first = memory.contradict(tea.id, coffee.id)

    again = memory.contradict(coffee.id, tea.id)

    assert (again.operation_id, again.status) == (first.operation_id, "duplicate")


def test_a_resolution_may_be_repeated_but_not_turned_round(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)
    first = memory.resolve_contradiction(tea.id, coffee.id)

    assert memory.resolve_contradiction(tea.id, coffee.id) == first.model_copy(update={"status": "duplicate"})
    assert refusal(lambda: memory.resolve_contradiction(coffee.id, tea.id))[0] is ConflictError


def test_a_retry_tells_which_claims_of_the_note_are_open_now(memory: MemoryClient):
    receipt = memory.ingest(BOTH, user_id="sam", first_person_owner=True)
    note, milk, wine = memory.get_event_nodes(receipt.event_id)
    other = noted(memory, "Only coffee.")
    first = memory.supersede(note.id, other.id)
    memory.supersede(milk.id, other.id)

    assert first.open_claims == [milk.id, wine.id]
    assert memory.supersede(note.id, other.id).open_claims == [wine.id]

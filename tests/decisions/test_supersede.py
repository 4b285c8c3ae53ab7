"""A caller lets one note or claim replace another one (SPEC 10)."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from prme import MemoryClient, NodeType, ids
from tests.decisions.conversation import BOTH, COFFEE, NO_TEA, TEA, everything, found, noted, opened, said
from tests.engine.conversation import NOON


def test_the_old_claim_closes_with_the_new_one_as_its_successor(memory: MemoryClient):
    tea = said(memory, TEA, occurred_at=NOON - timedelta(days=2))
    coffee = said(memory, COFFEE, occurred_at=NOON - timedelta(days=1))

    receipt = memory.supersede(tea.id, coffee.id, user_id="sam")
    closed = found(memory, tea.id)

    assert (closed.status, closed.superseded_by, closed.valid_to) == ("superseded", coffee.id, coffee.valid_from)
    assert found(memory, coffee.id) == coffee
    assert (receipt.status, receipt.retired, receipt.effective_at) == ("applied", [tea.id], coffee.valid_from)
    assert memory.verify().ok


def test_it_closes_when_it_began_if_that_is_later(memory: MemoryClient):
    tea = said(memory, TEA, occurred_at=NOON - timedelta(days=1))
    coffee = said(memory, COFFEE, occurred_at=NOON - timedelta(days=2))

    memory.supersede(tea.id, coffee.id)

    assert found(memory, tea.id).valid_to == tea.valid_from


def test_a_closed_node_is_read_only_when_asked_for(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)

    memory.supersede(tea.id, coffee.id)

    assert memory.get_node(tea.id) is None
    assert [node.id for node in memory.claims(user_id="sam")] == [coffee.id]
    assert {node.id for node in memory.claims(user_id="sam", include_superseded=True)} == {tea.id, coffee.id}
    assert tea.id in [node.id for node in memory.get_event_nodes(tea.event_id)]


def test_the_source_message_stays_as_it_was(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    before = memory.get_event(tea.event_id)

    memory.supersede(tea.id, coffee.id)

    assert memory.get_event(tea.event_id) == before


def test_a_note_replaces_a_note(memory: MemoryClient):
    boston, chicago = noted(memory, "I live in Boston."), noted(memory, "I live in Chicago.")

    memory.supersede(boston.id, chicago.id)

    assert (found(memory, boston.id).status, found(memory, boston.id).superseded_by) == ("superseded", chicago.id)
    assert memory.get_node(boston.id) is None
    assert memory.verify().ok


def test_a_note_replaces_a_claim_and_a_claim_a_note(memory: MemoryClient):
    tea, note, coffee = said(memory, TEA), noted(memory, "No more tea."), said(memory, COFFEE)

    memory.supersede(tea.id, note.id)
    memory.supersede(note.id, coffee.id)

    assert found(memory, tea.id).superseded_by == note.id
    assert found(memory, note.id).superseded_by == coffee.id
    assert memory.verify().ok


def test_superseding_a_note_leaves_its_claims_open_and_names_them(memory: MemoryClient):
    receipt = memory.ingest(BOTH, user_id="sam", first_person_owner=True)
    note, milk, wine = memory.get_event_nodes(receipt.event_id)
    closed = memory.supersede(milk.id, said(memory, COFFEE).id)
    other = noted(memory, "Only coffee.")

    superseded = memory.supersede(note.id, other.id)

    assert note.node_type is NodeType.NOTE
    assert (closed.open_claims, superseded.open_claims) == ([], [wine.id])
    assert found(memory, wine.id).status == "current"


def test_an_equal_claim_known_then_closes_with_it(memory: MemoryClient):
    tea, again = said(memory, TEA), said(memory, TEA)
    coffee = said(memory, COFFEE)

    memory.supersede(tea.id, coffee.id)

    assert again.confirms == tea.id
    assert memory.get_node(again.id) is None
    assert [node.id for node in memory.claims(user_id="sam")] == [coffee.id]


def test_an_equal_claim_said_later_stands(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.supersede(tea.id, coffee.id)

    later = said(memory, TEA)

    assert (later.status, later.valid_to) == ("current", None)


def test_a_rule_does_not_move_what_was_decided_by_hand(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE, occurred_at=NOON + timedelta(days=1))
    memory.supersede(tea.id, coffee.id)
    closed = found(memory, tea.id)

    receipt = memory.ingest(NO_TEA, user_id="sam", first_person_owner=True, occurred_at=NOON + timedelta(hours=1))

    assert found(memory, tea.id) == closed
    assert (receipt.retired, receipt.decisions[0].reason) == ([], "decided")


def test_without_the_decision_the_rule_retires_it(memory: MemoryClient):
    tea = said(memory, TEA)
    said(memory, COFFEE, occurred_at=NOON + timedelta(days=1))

    receipt = memory.ingest(NO_TEA, user_id="sam", first_person_owner=True, occurred_at=NOON + timedelta(hours=1))

    assert receipt.retired == [tea.id]


def test_a_chain_of_replacements_leaves_only_the_last_current(memory: MemoryClient):
    first, second, third = (noted(memory, text) for text in ("one", "two", "three"))

    memory.supersede(first.id, second.id)
    memory.supersede(second.id, third.id)

    assert [memory.get_node(node.id) is None for node in (first, second, third)] == [True, True, False]
    assert [node.id for node in memory.history(first.id).successors] == [second.id, third.id]


def test_the_ids_follow_from_the_ordered_pair(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)

    receipt = memory.supersede(tea.id.upper(), coffee.id)

    assert receipt.operation_id == ids.operation_id("supersede", tea.id, coffee.id)
    assert receipt.operation_id != ids.operation_id("supersede", coffee.id, tea.id)
    assert receipt.edge_id == ids.edge_id(receipt.operation_id)


def test_the_actor_is_who_is_named_else_the_owner_else_the_operator(memory: MemoryClient):
    one, two, three, four = (noted(memory, text) for text in ("one", "two", "three", "four"))

    actors = [
        memory.supersede(one.id, two.id, user_id="sam", actor_id="nurse").actor,
        memory.supersede(two.id, three.id, user_id="sam").actor,
        memory.supersede(three.id, four.id).actor,
    ]

    assert actors == ["nurse", "sam", "operator"]


def test_a_decision_survives_a_restart(tmp_path: Path):
    with opened(tmp_path) as memory:
        tea, coffee = said(memory, TEA), said(memory, COFFEE)
        memory.supersede(tea.id, coffee.id)
        before = everything(memory)

    with opened(tmp_path) as memory:
        assert everything(memory) == before
        # A claim that arrives late is folded under the decision as well.
        late = said(memory, TEA, occurred_at=NOON - timedelta(days=3))
        assert (late.status, late.superseded_by) == ("superseded", coffee.id)
        assert memory.verify().ok

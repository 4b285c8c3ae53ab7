"""Relations as data: directed, each with its status, its evidence and when it was decided (001-05 to 001-10)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from prme import MemoryClient, Relation, ids
from tests.decisions.conversation import COFFEE, NO_TEA, SCRIPT, TEA, noted, said
from tests.engine.conversation import NOON, Scripted, SettableClock


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=clock) as memory:
        yield memory


def relations(memory: MemoryClient, node_id: str) -> tuple[Relation, ...]:
    return memory.history(node_id).relations


def test_a_retirement_points_from_the_correction_to_what_it_closed(memory: MemoryClient):
    tea, denial = said(memory, TEA), said(memory, NO_TEA)

    [relation] = relations(memory, tea.id)

    assert (relation.kind, relation.source, relation.target) == ("supersedes", denial.id, tea.id)
    said_then = memory.get_event(denial.event_id)
    assert said_then is not None
    assert (relation.how, relation.status, relation.decided_at) == ("rule", "active", said_then.received_at)
    assert [(piece.event_id, piece.quote) for piece in relation.evidence] == [(denial.event_id, "tea")]
    assert relations(memory, denial.id) == (relation,)


def test_a_decision_by_hand_has_its_actor_and_its_evidence(memory: MemoryClient, clock: SettableClock):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    clock.advance(hours=1)
    receipt = memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id, actor_id="nurse")

    [relation] = relations(memory, coffee.id)

    assert (relation.id, relation.kind, relation.how) == (receipt.edge_id, "supersedes", "explicit")
    assert (relation.source, relation.target) == (coffee.id, tea.id)
    assert (relation.actor, relation.evidence_id, relation.evidence) == ("nurse", coffee.event_id, ())
    assert relation.decided_at == NOON + timedelta(hours=1)


def test_a_contradiction_is_active_until_it_is_resolved(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(coffee.id, tea.id)
    [relation] = relations(memory, tea.id)
    assert (relation.kind, relation.status, relation.how) == ("conflicts_with", "active", "explicit")
    assert (relation.source, relation.target) == tuple(sorted([tea.id, coffee.id]))

    memory.resolve_contradiction(tea.id, coffee.id)

    assert [(found.id, found.status) for found in relations(memory, coffee.id)] == [(relation.id, "resolved")]


def test_a_confirmation_points_from_the_repetition_to_the_claim(memory: MemoryClient):
    tea = said(memory, TEA)
    again = said(memory, TEA, occurred_at=NOON + timedelta(days=1))

    [relation] = relations(memory, tea.id)

    assert (relation.kind, relation.source, relation.target) == ("confirms", again.id, tea.id)
    assert [piece.quote for piece in relation.evidence] == [TEA]
    assert relations(memory, again.id) == (relation,)


def test_a_confirmation_that_ends_with_its_claim_is_no_second_replacement(memory: MemoryClient):
    tea, again, denial = said(memory, TEA), said(memory, TEA), said(memory, NO_TEA)

    assert [(found.kind, found.target) for found in relations(memory, denial.id)] == [("supersedes", tea.id)]
    assert [found.kind for found in relations(memory, again.id)] == ["confirms"]


def test_a_note_has_relations_too(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")
    receipt = memory.supersede(one.id, two.id)

    history = memory.history(one.id)

    assert [relation.id for relation in history.relations] == [receipt.edge_id]
    assert [node.id for node in history.successors] == [two.id]
    assert [node.id for node in memory.history(two.id).predecessors] == [one.id]


def test_what_was_not_decided_yet_is_not_known(memory: MemoryClient, clock: SettableClock):
    tea, coffee, denial = said(memory, TEA), said(memory, COFFEE), None
    clock.advance(days=1)
    memory.contradict(tea.id, coffee.id)
    clock.advance(days=1)
    memory.resolve_contradiction(tea.id, coffee.id)
    clock.advance(days=1)
    denial = said(memory, NO_TEA, occurred_at=clock.moment)

    def known(days: float) -> list[tuple[str, str]]:
        history = memory.history(tea.id, known_at=NOON + timedelta(days=days))
        return [(relation.kind, relation.status) for relation in history.relations]

    assert known(0.5) == []
    assert known(1.5) == [("conflicts_with", "active")]
    assert known(2.5) == [("conflicts_with", "resolved")]
    assert known(3.5) == [("conflicts_with", "resolved"), ("supersedes", "active")]
    assert denial is not None


def test_the_id_of_a_relation_by_rule_follows_from_its_nodes(memory: MemoryClient):
    tea, denial = said(memory, TEA), said(memory, NO_TEA)

    assert relations(memory, tea.id)[0].id == ids.pair_edge_id("supersedes", denial.id, tea.id)

"""explain tells who closed a claim by hand, on what evidence, and what stands instead (003-53)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from prme import MemoryClient, NodeType
from prme.model.explanation import ExplainedClaim
from tests.decisions.conversation import COFFEE, NO_TEA, SCRIPT, TEA, noted, said
from tests.engine.conversation import NOON, Scripted, SettableClock


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=clock) as memory:
        yield memory


def explained(memory: MemoryClient, claim_id: str) -> ExplainedClaim:
    [claim] = memory.explain(claim_id).claims
    return claim


def test_a_replacement_by_hand_tells_its_actor_and_its_evidence(memory: MemoryClient, clock: SettableClock):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    clock.advance(hours=2)
    receipt = memory.supersede(tea.id, coffee.id, evidence_id=coffee.event_id, actor_id="nurse")

    closed = explained(memory, tea.id).closed_by

    assert closed is not None
    assert closed.by_hand is not None
    assert (closed.by_hand.actor, closed.by_hand.evidence_id) == ("nurse", coffee.event_id)
    assert (closed.by_hand.operation_id, closed.by_hand.kind) == (receipt.operation_id, "supersede")
    assert closed.by_hand.decided_at == NOON + timedelta(hours=2)
    assert (closed.rule, closed.trigger, closed.correction.id) == (None, None, coffee.id)
    assert closed.before is not None
    assert (closed.before.valid_to, closed.after.valid_to) == (None, coffee.valid_from)


def test_what_a_rule_closed_was_not_decided_by_hand(memory: MemoryClient):
    tea = said(memory, TEA)
    said(memory, NO_TEA)

    closed = explained(memory, tea.id).closed_by

    assert closed is not None
    assert (closed.by_hand, closed.rule is None) == (None, False)


def test_a_loser_names_the_winner(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)
    memory.resolve_contradiction(coffee.id, tea.id, actor_id="nurse")

    closed = explained(memory, tea.id).closed_by

    assert closed is not None
    assert closed.by_hand is not None
    assert (closed.correction.id, closed.by_hand.kind, closed.by_hand.actor) == (coffee.id, "resolve", "nurse")
    assert closed.before is not None
    assert closed.before.status == "contested"


def test_a_note_can_be_what_replaced_a_claim(memory: MemoryClient):
    tea, note = said(memory, TEA), noted(memory, "No more tea.")
    memory.supersede(tea.id, note.id)

    closed = explained(memory, tea.id).closed_by

    assert closed is not None
    assert (closed.correction.id, closed.correction.node_type) == (note.id, NodeType.NOTE)


def test_an_equal_claim_that_closed_with_it_names_the_same_decision(memory: MemoryClient):
    late = NOON - timedelta(days=3)
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    receipt = memory.supersede(tea.id, coffee.id)
    equal = said(memory, TEA, occurred_at=late)

    closed = explained(memory, equal.id).closed_by

    assert closed is not None
    assert closed.by_hand is not None
    assert closed.by_hand.operation_id == receipt.operation_id


def test_a_note_tells_the_decision_that_closed_it(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")
    memory.supersede(one.id, two.id, user_id="sam")

    for wanted in (one.id, one.event_id):
        explanation = memory.explain(wanted)
        assert explanation.note is not None
        closed = explanation.note.closed_by
        assert closed is not None
        assert closed.by_hand is not None
        assert (closed.correction.id, closed.by_hand.actor) == (two.id, "sam")
        assert [(line.seq, line.kind) for line in explanation.journal] == [
            (1, "NOTE_STORED"),
            (3, "SUPERSEDENCE_APPLIED"),
        ]


def test_a_note_that_nothing_closed_says_no_more(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")
    memory.contradict(one.id, two.id)

    note = memory.explain(one.id).note

    assert note is not None
    assert (note.node.status, note.closed_by) == ("contested", None)


def test_one_claim_is_explained_without_its_note(memory: MemoryClient):
    assert memory.explain(said(memory, TEA).id).note is None

"""Contradictions: both sides stay, marked, until a caller decides between them (001-06, 001-21)."""

from __future__ import annotations

from datetime import timedelta

from prme import MemoryClient
from prme.errors import ConflictError
from tests.decisions.conversation import COFFEE, NO_TEA, TEA, WINE, found, noted, refusal, said
from tests.engine.conversation import NOON


def test_both_sides_stay_open_and_are_marked(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)

    receipt = memory.contradict(tea.id, coffee.id)

    assert [(node.id, node.status) for node in memory.claims(user_id="sam")] == [
        (tea.id, "contested"),
        (coffee.id, "contested"),
    ]
    assert (receipt.effective_at, receipt.retired, sorted(receipt.revised)) == (None, [], sorted([tea.id, coffee.id]))
    assert memory.verify().ok


def test_a_rule_retires_no_contested_claim(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)

    receipt = memory.ingest(NO_TEA, user_id="sam", first_person_owner=True)

    assert (receipt.retired, receipt.decisions[0].reason) == ([], "contested")
    assert found(memory, tea.id).status == "contested"


def test_a_repetition_confirms_a_contested_claim(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)

    assert said(memory, TEA).confirms == tea.id


def test_the_loser_closes_without_a_successor_and_the_winner_is_current(memory: MemoryClient):
    tea = said(memory, TEA, occurred_at=NOON - timedelta(days=1))
    coffee = said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)

    receipt = memory.resolve_contradiction(coffee.id, tea.id)
    lost = found(memory, tea.id)

    assert (lost.status, lost.superseded_by, lost.valid_to) == ("deprecated", None, coffee.valid_from)
    assert found(memory, coffee.id).status == "current"
    assert memory.get_node(tea.id) is None
    assert (receipt.kind, receipt.old_id, receipt.new_id) == ("resolve", tea.id, coffee.id)
    assert memory.verify().ok


def test_only_that_very_pair_can_be_resolved(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.contradict(tea.id, coffee.id)
    memory.contradict(coffee.id, wine.id)

    assert "not in an unresolved contradiction" in refusal(lambda: memory.resolve_contradiction(tea.id, wine.id))[1]
    assert memory.resolve_contradiction(tea.id, coffee.id).status == "applied"


def test_a_node_is_contested_as_long_as_one_of_its_pairs_is(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.contradict(tea.id, coffee.id)
    memory.contradict(tea.id, wine.id)

    memory.resolve_contradiction(tea.id, coffee.id)
    assert [found(memory, node.id).status for node in (tea, coffee, wine)] == ["contested", "deprecated", "contested"]

    memory.resolve_contradiction(tea.id, wine.id)
    assert [found(memory, node.id).status for node in (tea, coffee, wine)] == ["current", "deprecated", "deprecated"]
    assert memory.verify().ok


def test_notes_can_be_contested_too(memory: MemoryClient):
    boston, chicago = noted(memory, "I live in Boston."), noted(memory, "I live in Chicago.")

    memory.contradict(boston.id, chicago.id)
    assert [found(memory, node.id).status for node in (boston, chicago)] == ["contested", "contested"]

    memory.resolve_contradiction(chicago.id, boston.id)
    assert [found(memory, node.id).status for node in (boston, chicago)] == ["deprecated", "current"]
    assert memory.verify().ok


def test_a_winner_is_held_against_what_was_known_then(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)
    memory.ingest(NO_TEA, user_id="sam", first_person_owner=True)

    memory.resolve_contradiction(tea.id, coffee.id)

    assert found(memory, tea.id).status == "current"


def test_a_later_denial_retires_the_winner(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)
    memory.resolve_contradiction(tea.id, coffee.id)

    receipt = memory.ingest(NO_TEA, user_id="sam", first_person_owner=True, occurred_at=NOON + timedelta(days=1))

    assert receipt.retired == [tea.id]


def test_a_closed_side_wins_nothing(memory: MemoryClient):
    oulu, turku, vaasa = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    for a, b in ((oulu, turku), (turku, vaasa), (vaasa, oulu)):
        memory.contradict(a.id, b.id)
    memory.resolve_contradiction(oulu.id, turku.id)
    memory.resolve_contradiction(vaasa.id, oulu.id)

    kind, text = refusal(lambda: memory.resolve_contradiction(turku.id, vaasa.id))

    assert (kind, "the other way round" in text) == (ConflictError, True)
    assert found(memory, vaasa.id).status == "contested"


def test_a_side_whose_opponent_is_closed_already_can_be_settled(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.contradict(tea.id, coffee.id)
    memory.contradict(coffee.id, wine.id)
    memory.resolve_contradiction(tea.id, coffee.id)

    memory.resolve_contradiction(wine.id, coffee.id)

    assert [found(memory, node.id).status for node in (tea, coffee, wine)] == ["current", "deprecated", "current"]
    assert memory.verify().ok


def test_a_contested_claim_does_not_close_along_with_an_equal_one(memory: MemoryClient):
    tea, coffee, wine = said(memory, TEA), said(memory, COFFEE), said(memory, WINE)
    memory.contradict(tea.id, coffee.id)
    equal = said(memory, TEA, occurred_at=NOON - timedelta(days=5))

    kind, text = refusal(lambda: memory.supersede(equal.id, wine.id))

    assert (equal.status, kind, tea.id in text) == ("current", ConflictError, True)
    memory.resolve_contradiction(tea.id, coffee.id)
    assert memory.supersede(equal.id, wine.id).status == "applied"


def test_of_equal_claims_the_contested_one_is_shown(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)
    memory.contradict(tea.id, coffee.id)
    said(memory, TEA, occurred_at=NOON - timedelta(days=5))

    state = memory.get_assertion_state(user_id="sam", subject="I", predicate="drinks")

    assert [(node.id, node.status) for node in state.claims] == [(tea.id, "contested"), (coffee.id, "contested")]

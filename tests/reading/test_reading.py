from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from prme import MemoryClient, NodeType
from prme import ids as derived
from prme.errors import PlanCorruptError, StoreCorruptError, UnsupportedPlanError
from tests.engine.conversation import (
    COFFEE,
    DRINKS,
    NO_TEA,
    NOON,
    TEA,
    Scripted,
    SettableClock,
    claim,
    extraction,
    raw,
)

SAM = {"user_id": "sam", "first_person_owner": True}
TWO = "I drink milk. I drink wine."
SCRIPT = {**DRINKS, TWO: extraction(claim("I", "drinks", "milk"), claim("I", "drinks", "wine"))}


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryClient]:
    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        yield memory


def test_the_nodes_of_an_event_are_its_note_and_then_its_claims_by_position(memory: MemoryClient):
    receipt = memory.ingest(TWO, **SAM)
    nodes = memory.get_event_nodes(receipt.event_id)

    assert [node.id for node in nodes] == [derived.note_id(receipt.event_id), *receipt.claims]
    assert [(node.node_type, node.position, node.object) for node in nodes] == [
        (NodeType.NOTE, None, None),
        (NodeType.FACT, 0, "milk"),
        (NodeType.FACT, 1, "wine"),
    ]
    assert {node.event_id for node in nodes} == {receipt.event_id}


def test_a_note_carries_the_message_and_a_claim_its_own_sentence(memory: MemoryClient):
    nodes = memory.get_event_nodes(memory.ingest(TWO, **SAM).event_id)

    assert [node.content for node in nodes] == [TWO, "I drink milk.", "I drink wine."]


def test_evidence_slices_to_its_quote(memory: MemoryClient):
    receipt = memory.ingest(TWO, **SAM)
    evidence = [piece for node in memory.get_event_nodes(receipt.event_id) for piece in node.evidence]

    assert [piece.quote for piece in evidence] == ["I drink milk.", "I drink wine."]
    assert [TWO[piece.start : piece.end] for piece in evidence] == [piece.quote for piece in evidence]


def test_a_closed_claim_is_read_only_when_asked_for(memory: MemoryClient):
    tea = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=2)).claims[0]
    denied = memory.ingest(NO_TEA, **SAM, occurred_at=NOON - timedelta(days=1)).claims[0]
    closed = memory.get_node(tea, include_superseded=True)

    assert memory.get_node(tea) is None
    assert (closed.status, closed.superseded_by, closed.valid_to) == ("superseded", denied, NOON - timedelta(days=1))
    assert (closed.valid_from, closed.content) == (NOON - timedelta(days=2), TEA)


def test_an_open_claim_is_read_either_way(memory: MemoryClient):
    tea = memory.ingest(TEA, **SAM).claims[0]

    assert memory.get_node(tea) == memory.get_node(tea, include_superseded=True)
    assert memory.get_node(tea).valid_to is None


def test_the_nodes_of_an_event_keep_their_closed_claims(memory: MemoryClient):
    receipt = memory.ingest(TEA, **SAM)
    memory.ingest(NO_TEA, **SAM)

    assert [node.status for node in memory.get_event_nodes(receipt.event_id)] == ["current", "superseded"]


def test_a_confirming_claim_names_what_it_confirms_and_is_not_listed(memory: MemoryClient):
    first = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=3)).claims[0]
    again = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=1)).claims[0]
    node = memory.get_node(again)

    assert (node.status, node.confirms, node.valid_from) == ("confirming", first, NOON - timedelta(days=1))
    assert memory.get_node(first).last_confirmed_at == NOON - timedelta(days=1)
    assert [node.id for node in memory.claims(user_id="sam")] == [first]
    assert [node.id for node in memory.claims(user_id="sam", include_superseded=True)] == [first, again]


def test_a_claim_that_nothing_confirms_was_never_confirmed(memory: MemoryClient):
    assert memory.get_node(memory.ingest(TEA, **SAM).claims[0]).last_confirmed_at is None


def test_the_latest_confirmation_counts_whatever_the_order_of_arrival(memory: MemoryClient):
    first = memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=9)).claims[0]
    for days in (1, 5, 3):
        memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=days))

    assert memory.get_node(first).last_confirmed_at == NOON - timedelta(days=1)


def test_a_confirming_claim_is_hidden_with_the_one_it_confirms(memory: MemoryClient):
    first = memory.ingest(TEA, **SAM).claims[0]
    again = memory.ingest(TEA, **SAM).claims[0]
    denied = memory.ingest(NO_TEA, **SAM).claims[0]
    node = memory.get_node(again, include_superseded=True)

    assert (memory.get_node(first), memory.get_node(again)) == (None, None)
    assert (node.status, node.superseded_by, node.valid_to is None) == ("confirming", denied, False)


def test_a_correction_of_the_same_moment_leaves_an_empty_interval(memory: MemoryClient):
    tea = memory.ingest(TEA, **SAM, occurred_at=NOON).claims[0]
    memory.ingest(NO_TEA, **SAM, occurred_at=NOON)
    node = memory.get_node(tea, include_superseded=True)

    assert (node.valid_from, node.valid_to) == (NOON, NOON)


def test_claims_come_in_the_order_in_which_they_took_effect(memory: MemoryClient):
    memory.ingest(COFFEE, **SAM, occurred_at=NOON - timedelta(days=1))
    memory.ingest(TEA, **SAM, occurred_at=NOON - timedelta(days=2))

    assert [node.object for node in memory.claims(user_id="sam")] == ["tea", "coffee"]


def test_claims_may_be_listed_by_scope(memory: MemoryClient):
    memory.ingest(TEA, **SAM)
    memory.ingest(COFFEE, **SAM, scope="work")

    assert [node.object for node in memory.claims(user_id="sam", scope="work")] == ["coffee"]
    assert len(memory.claims(user_id="sam")) == 2
    assert memory.claims(user_id="sam", scope="other") == []


def test_a_note_is_found_by_its_id(memory: MemoryClient):
    event = memory.store("A note.", **SAM)
    note = memory.get_node(derived.note_id(event))

    assert (note.node_type, note.content, note.event_id) == (NodeType.NOTE, "A note.", event)
    assert note == memory.get_event_nodes(event)[0]


def test_an_owner_with_many_messages_is_read_and_verified_whole(tmp_path: Path):
    """More nodes than one query names by id: the other way of reading gives the same."""
    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        receipts = memory.ingest_batch([{"content": TWO, **SAM, "scope": f"scope-{n}"} for n in range(130)] * 2)
        claims = memory.claims(user_id="sam", include_superseded=True)
        report = memory.verify()

        assert report.ok
        assert sorted(node.id for node in claims) == sorted(claim for receipt in receipts for claim in receipt.claims)
        assert claims[-1] == memory.get_node(claims[-1].id, include_superseded=True)
        assert [memory.get_node(node.id) for node in claims[:5]] == claims[:5]


@pytest.mark.parametrize(
    ("damage", "error"),
    [
        ("update plans set document = replace(document, 'tea', 'pea')", PlanCorruptError),
        ("update plans set document = replace(document, 'prme.plan/1', 'prme.plan/2')", PlanCorruptError),
        ('update plans set document = \'{"format":"prme.plan/2"}\'', UnsupportedPlanError),
    ],
)
def test_a_damaged_plan_is_refused_when_read(tmp_path: Path, damage: str, error: type[Exception]):
    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        event = memory.ingest(TEA, **SAM).event_id
    raw(tmp_path, damage)

    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        with pytest.raises(error) as caught:
            memory.get_plan(event)
        assert "pea" not in str(caught.value)
        assert memory.get_event(event).content == TEA


@pytest.mark.parametrize(
    ("damage", "what"), [("delete from intervals", "interval"), ("delete from decisions", "decision")]
)
def test_missing_rows_are_reported_as_damage_when_read(tmp_path: Path, damage: str, what: str):
    with MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        event = memory.ingest(TEA, **SAM, message_id="m").event_id
    raw(tmp_path, damage)

    with (
        MemoryClient(tmp_path, extractor=Scripted(SCRIPT), clock=SettableClock()) as memory,
        pytest.raises(StoreCorruptError, match=f"{what}.*prme verify"),
    ):
        memory.get_event_nodes(event) if what == "interval" else memory.ingest(TEA, **SAM, message_id="m")


def test_the_head_of_a_journal_is_its_newest_entry(memory: MemoryClient):
    memory.store("A note.", user_id="ann")
    receipt = memory.ingest(TEA, **SAM)
    head = memory.journal_head("sam")

    assert (head.seq, head.kind) == (2, "PLAN_PUBLISHED")
    assert head == memory.explain(receipt.event_id).journal[-1]


def test_the_head_moves_with_every_entry_and_stays_without_one(memory: MemoryClient):
    memory.ingest(TEA, **SAM, message_id="m")
    before = memory.journal_head("sam")
    memory.ingest(TEA, **SAM, message_id="m")
    assert memory.journal_head("sam") == before
    memory.store("A note.", user_id="ann")
    assert memory.journal_head("sam") == before
    memory.ingest(COFFEE, **SAM)

    assert memory.journal_head("sam").seq == before.seq + 2


def test_an_unknown_owner_has_no_journal(memory: MemoryClient):
    assert memory.journal_head("nobody") is None

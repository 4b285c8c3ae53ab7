"""supersede_many: entries in order, one transaction, all or none (003-18)."""

from __future__ import annotations

from typing import Any

import pytest

from prme import MemoryClient
from prme.errors import ConflictError, NodeNotFoundError
from tests.decisions.conversation import TEA, UNKNOWN, everything, found, noted, refusal, said


def entry(old: str, new: str, **more: Any) -> dict[str, Any]:
    return {"old_id": old, "new_id": new, **more}


def test_entries_are_carried_out_in_order_and_see_each_other(memory: MemoryClient):
    one, two, three = (noted(memory, text) for text in ("one", "two", "three"))

    receipts = memory.supersede_many([entry(one.id, two.id), entry(two.id, three.id)], user_id="sam")

    assert [(receipt.old_id, receipt.new_id) for receipt in receipts] == [(one.id, two.id), (two.id, three.id)]
    assert [found(memory, node.id).superseded_by for node in (one, two, three)] == [two.id, three.id, None]
    assert memory.verify().ok


def test_an_order_that_would_need_a_closed_replacement_is_refused(memory: MemoryClient):
    one, two, three = (noted(memory, text) for text in ("one", "two", "three"))
    before = everything(memory)

    kind, text = refusal(lambda: memory.supersede_many([entry(two.id, three.id), entry(one.id, two.id)]))

    assert (kind, text.startswith("entries[1]: ")) == (ConflictError, True)
    assert everything(memory) == before


def test_one_bad_entry_aborts_the_batch(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")
    before = everything(memory)

    kind, text = refusal(lambda: memory.supersede_many([entry(one.id, two.id), entry(UNKNOWN, two.id)]))

    assert (kind, text.startswith("entries[1]: ")) == (NodeNotFoundError, True)
    assert everything(memory) == before


def test_without_the_bad_entry_the_batch_is_applied(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")

    assert [receipt.status for receipt in memory.supersede_many([entry(one.id, two.id)])] == ["applied"]


def test_the_same_pair_twice_is_one_decision(memory: MemoryClient):
    one, two = noted(memory, "one"), noted(memory, "two")

    receipts = memory.supersede_many([entry(one.id, two.id), entry(one.id, two.id)])

    assert [receipt.status for receipt in receipts] == ["applied", "duplicate"]
    assert len(memory.history(one.id).versions) == 2


def test_what_an_entry_leaves_out_is_common_to_all(memory: MemoryClient):
    one, two, three = (noted(memory, text) for text in ("one", "two", "three"))

    receipts = memory.supersede_many(
        [entry(one.id, three.id), entry(two.id, three.id, actor_id="nurse")], user_id="sam", evidence_id=one.event_id
    )

    assert [(receipt.actor, receipt.evidence_id) for receipt in receipts] == [
        ("sam", one.event_id),
        ("nurse", one.event_id),
    ]


def test_an_entry_cannot_unbind_the_call(memory: MemoryClient):
    theirs, other = noted(memory, "one", user_id="ann"), noted(memory, "two", user_id="ann")
    before = everything(memory)

    call = lambda: memory.supersede_many([entry(theirs.id, other.id, user_id="ann")], user_id="sam")  # noqa: E731

    assert refusal(call)[0] is NodeNotFoundError
    assert everything(memory) == before


def test_a_batch_is_one_owners(memory: MemoryClient):
    mine, newer = noted(memory, "one"), noted(memory, "two")
    theirs, other = noted(memory, "one", user_id="ann"), noted(memory, "two", user_id="ann")
    before = everything(memory)

    kind, text = refusal(lambda: memory.supersede_many([entry(mine.id, newer.id), entry(theirs.id, other.id)]))

    assert (kind, text.startswith("entries[1]: ")) == (ConflictError, True)
    assert everything(memory) == before


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ("not a mapping", "a mapping"),
        ({"old_id": "x"}, "new_id is missing"),
        ({"old_id": "x", "new_id": "y", "reason": "z"}, "unknown field 'reason'"),
        ({"old_id": "x", "new_id": "y", "actor_id": " "}, "actor_id"),
    ],
)
def test_an_entry_that_cannot_be_read_is_refused_with_its_position(memory: MemoryClient, bad: Any, says: str):
    tea = said(memory, TEA)
    good = entry(tea.id, noted(memory, "two").id)

    kind, text = refusal(lambda: memory.supersede_many([good, bad]))

    assert (kind, text.startswith("entries[1]: "), says in text) == (ValueError, True, True)


def test_no_entries_change_nothing(memory: MemoryClient):
    before = everything(memory)

    assert memory.supersede_many([]) == []
    assert everything(memory) == before

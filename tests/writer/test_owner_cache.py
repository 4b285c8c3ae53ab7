"""What the writer remembers of owners is bounded, and nothing depends on it but speed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient
from prme.publication.publish import OwnerState, unknown_owner
from prme.store.rows import Row
from prme.writer.owners import EVENT_IDS_PER_CLAIM, OwnerCache
from tests.engine.conversation import DRINKS, NO_TEA, TEA, Scripted
from tests.writer.desk import Desk


def state(user_id: str) -> OwnerState:
    return unknown_owner(1, user_id)


def keep(cache: OwnerCache, user_id: str, claims: int, *, events: set[str] | None = None) -> None:
    cache.keep(state(user_id), event_ids=events, new_events=(), new_claims=claims)


def remembered(cache: OwnerCache) -> list[str]:
    return [user_id for user_id in ("ann", "sam", "eve") if cache.get(user_id)]


def test_owners_stay_as_long_as_their_claims_fit():
    cache = OwnerCache(most_claims=30)
    for user_id in ("ann", "sam", "eve"):
        keep(cache, user_id, 9)

    assert (remembered(cache), cache.weight) == (["ann", "sam", "eve"], 30)


def test_the_least_recently_used_owner_is_forgotten_first():
    cache = OwnerCache(most_claims=30)
    for user_id in ("ann", "sam", "ann", "eve"):
        keep(cache, user_id, 9)

    assert (remembered(cache), cache.weight) == (["ann", "eve"], 29)


def test_the_owner_used_last_stays_however_large():
    cache = OwnerCache(most_claims=30)
    keep(cache, "ann", 5)
    keep(cache, "sam", 1_000)

    assert remembered(cache) == ["sam"]


def test_event_ids_count_as_well():
    cache = OwnerCache(most_claims=30)
    keep(cache, "ann", 0, events={f"event {number}" for number in range(EVENT_IDS_PER_CLAIM * 5)})

    assert cache.weight == 6


def test_what_is_forgotten_weighs_nothing():
    cache = OwnerCache(most_claims=30)
    keep(cache, "ann", 9)
    keep(cache, "sam", 9)
    cache.forget("ann")
    cache.forget("nobody")

    assert (remembered(cache), cache.weight) == (["sam"], 10)
    cache.clear()
    assert (remembered(cache), cache.weight, len(cache)) == ([], 0, 0)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def queries(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that everything asked of the store's tables from now on enters."""
    asked: list[str] = []
    query = desk.database.query

    def noted(sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        asked.append(sql)
        return query(sql, parameters)

    monkeypatch.setattr(desk.database, "query", noted)
    return asked


def test_a_forgotten_owner_is_read_from_the_store_again(desk: Desk):
    tea = desk.ingest("sam").result(30)
    desk.writer.owners.clear()

    denial = desk.ingest("sam", NO_TEA).result(30)

    assert list(denial.retired) == list(tea.claims)
    assert desk.is_sound()


def test_what_is_said_of_an_owner_new_to_the_store_is_not_looked_for_there(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    first = desk.ingest("sam").result(30)
    asked = queries(desk, monkeypatch)

    desk.ingest("sam").result(30)
    denial = desk.ingest("sam", NO_TEA).result(30)

    assert asked == []
    assert list(denial.retired) == list(first.claims)


def test_what_is_said_of_a_forgotten_owner_is_looked_for(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    desk.ingest("sam").result(30)
    desk.writer.owners.clear()
    asked = queries(desk, monkeypatch)

    desk.ingest("sam").result(30)

    assert any("from claims" in " ".join(sql.split()) for sql in asked)


def test_a_decision_finds_a_claim_of_a_new_owner_whose_subject_only_its_message_knows(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(DRINKS)) as memory:
        # Nobody says who "I" is: no other message can mean the same person.
        first, second = (memory.ingest(TEA, user_id="sam").claims[0] for _ in range(2))

        receipt = memory.supersede(first, second)

        assert receipt.retired == [first]
        assert memory.verify().ok


def test_a_message_of_a_forgotten_owner_is_still_known(desk: Desk):
    first = desk.ingest("sam", TEA, "m1").result(30)
    desk.writer.owners.clear()

    assert desk.ingest("sam", TEA, "m1").result(30).event_id == first.event_id
    assert len(desk.commits()) == 1


def test_a_message_whose_transaction_was_refused_is_not_known(desk: Desk):
    desk.ingest("sam", TEA, "m1").result(30)
    refusals = iter([True])
    desk.database.refuses = lambda batch: next(refusals, False)
    assert desk.ingest("sam", TEA, "m2").exception(30) is not None

    assert desk.ingest("sam", TEA, "m2").result(30).status == "published"
    assert len(desk.commits()) == 2

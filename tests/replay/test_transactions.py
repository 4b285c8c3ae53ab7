"""A replay publishes owners in transactions of several, as the records decide, and leaves nothing of them in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.plans import write_plans
from prme import MemoryClient
from prme.replay import replay
from prme.service import MemoryService

OWNERS, TURNS = 5, 4


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "plans.jsonl"
    write_plans(path, owners=OWNERS, turns=TURNS)
    return path


def owners_by_commit(source: Path) -> list[int]:
    with MemoryClient(":memory:") as memory:
        memory.replay(source)
        assert memory.verify().ok
        database = memory._engine._service._database
        rows = database.query("select count(distinct owner_key) from journal group by commit_no order by commit_no")
        return [count for (count,) in rows]


def test_small_owners_share_a_transaction(source: Path):
    assert owners_by_commit(source) == [OWNERS]


def test_a_transaction_takes_owners_until_it_has_its_number_of_records(source: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replay, "RECORDS_PER_TRANSACTION", 2 * TURNS)

    assert owners_by_commit(source) == [2, 2, 1]


def test_an_owner_is_never_parted(source: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(replay, "RECORDS_PER_TRANSACTION", 1)

    assert owners_by_commit(source) == [1] * OWNERS


def test_the_writer_remembers_nothing_of_what_was_replayed(source: Path):
    service = MemoryService(":memory:")
    try:
        service.replay([source])

        assert len(service._writer.owners) == 0
    finally:
        service.close()

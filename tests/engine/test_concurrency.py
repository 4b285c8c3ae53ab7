from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from prme import MemoryClient, MemoryEngine, VerifyReport
from prme.errors import PrmeError, StoreError
from prme.store.database import Database
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Remote, Scripted, SettableClock, raw

MANY = 200


def message(number: int) -> dict[str, object]:
    content = (TEA, COFFEE, NO_TEA)[number % 3]
    return {"content": content, "user_id": f"user {number % 7}", "first_person_owner": True, "message_id": str(number)}


def commits(directory: Path) -> int:
    return int(raw(directory, "select max(commit_no) from journal")[0][0])


@pytest.mark.parametrize("extractor", [Scripted, Remote])
def test_many_calls_at_once_are_all_published_in_few_commits(tmp_path: Path, extractor: type[Scripted]):
    async def session() -> tuple[list[str], VerifyReport]:
        async with MemoryEngine(tmp_path, extractor=extractor(), clock=SettableClock()) as engine:
            calls = [engine.ingest(**message(number)) for number in range(MANY)]  # type: ignore[arg-type]
            receipts = await asyncio.gather(*calls)
            return [receipt.status for receipt in receipts], await engine.verify()

    statuses, report = asyncio.run(session())

    assert statuses == ["published"] * MANY
    assert (report.ok, len(report.owners)) == (True, 7)
    assert commits(tmp_path) < MANY / 2


def test_many_threads_may_share_one_client(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        with ThreadPoolExecutor(16) as threads:
            receipts = list(threads.map(lambda number: memory.ingest(**message(number)), range(MANY)))
        report = memory.verify()

    assert [receipt.status for receipt in receipts] == ["published"] * MANY
    assert report.ok
    assert commits(tmp_path) < MANY


def test_reads_beside_writes_see_whole_messages_only(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:

        def write(number: int) -> bool:
            memory.ingest(TEA, user_id="sam", first_person_owner=True)
            return True

        def read(number: int) -> bool:
            return memory.verify().ok and len(memory.claims(user_id="sam")) <= 1

        with ThreadPoolExecutor(4) as threads:
            outcomes = list(threads.map(lambda number: (write, read)[number % 2](number), range(40)))

    assert outcomes == [True] * 40


def test_the_same_message_at_once_is_stored_once(tmp_path: Path):
    async def session() -> list[str]:
        async with MemoryEngine(tmp_path, extractor=Scripted(), clock=SettableClock()) as engine:
            receipts = await asyncio.gather(*[engine.ingest(**message(3)) for _ in range(20)])  # type: ignore[arg-type]
            return sorted(receipt.status for receipt in receipts)

    assert asyncio.run(session()) == ["duplicate"] * 19 + ["published"]
    assert raw(tmp_path, "select count(*) from events") == [(1,)]


def test_different_messages_under_one_id_at_once_leave_one(tmp_path: Path):
    async def session() -> list[bool]:
        async with MemoryEngine(tmp_path, extractor=Scripted(), clock=SettableClock()) as engine:
            calls = [engine.ingest(f"Message {number}.", user_id="sam", message_id="m") for number in range(8)]
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            return sorted(isinstance(outcome, PrmeError) for outcome in outcomes)

    assert asyncio.run(session()) == [False] + [True] * 7
    assert raw(tmp_path, "select count(*) from events") == [(1,)]


def test_a_transaction_that_the_store_refuses_costs_no_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    commit = Database.commit
    refusals = iter([True, False, True])

    def flaky(self: Database, *arguments: object) -> None:
        if next(refusals, False):
            raise StoreError("refused")
        commit(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(Database, "commit", flaky)

    async def session() -> tuple[list[str], bool]:
        async with MemoryEngine(tmp_path, extractor=Scripted(), clock=SettableClock()) as engine:
            calls = [engine.ingest(**message(number)) for number in range(50)]  # type: ignore[arg-type]
            outcomes = await asyncio.gather(*calls, return_exceptions=True)
            again = await asyncio.gather(*[engine.ingest(**message(number)) for number in range(50)])  # type: ignore[arg-type]
            report = await engine.verify()
            stored = [outcome for outcome in outcomes if not isinstance(outcome, BaseException)]
            assert len(stored) >= 48
            assert all(isinstance(o, StoreError) for o in outcomes if isinstance(o, BaseException))
            return [receipt.status for receipt in again], report.ok

    statuses, ok = asyncio.run(session())

    assert (set(statuses) <= {"duplicate", "published"}, ok) == (True, True)
    assert raw(tmp_path, "select count(*) from events") == [(50,)]


def test_batches_at_once_keep_the_order_of_each(tmp_path: Path):
    async def session() -> list[list[str]]:
        async with MemoryEngine(tmp_path, extractor=Scripted(), clock=SettableClock()) as engine:
            batches = [
                [{"content": f"Message {batch} {place}.", "user_id": "sam"} for place in range(10)]
                for batch in range(5)
            ]
            receipts = await asyncio.gather(*map(engine.ingest_batch, batches))
            return [[receipt.event_id for receipt in batch] for batch in receipts]

    batches = asyncio.run(session())

    place = {row[0]: row[1] for row in raw(tmp_path, "select event_id, received_at from events")}
    for batch in batches:
        assert [place[event] for event in batch] == sorted(place[event] for event in batch)

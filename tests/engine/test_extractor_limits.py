"""How much and how many at once: limits of an extractor, and what becomes of a message beyond them."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from prme import Extraction, ExtractionLimits, ExtractionRequest, IngestReceipt, MemoryClient, MemoryEngine
from prme.extraction.failures import TransientExtractionError
from prme.extraction.spending import record_usage
from prme.model.extractor_run import ModelUsage
from prme.store.run_log import RUN_LOG_FILE
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Remote, Scripted, SettableClock, everything_stored

OWNER = {"user_id": "sam", "first_person_owner": True}
USAGE = ModelUsage(input_tokens=70, output_tokens=30)


class Costly(Remote):
    """Each answer costs a hundred tokens."""

    async def extract(self, request: ExtractionRequest) -> Extraction:
        record_usage(USAGE)
        return await super().extract(request)


def messages(*contents: str) -> list[dict[str, Any]]:
    return [{"content": content, **OWNER} for content in contents]


def ingest(directory: Path, extractor: Any, *contents: str, **limits: Any) -> list[IngestReceipt]:
    options = {"limits": ExtractionLimits(**limits), "clock": SettableClock()}
    with MemoryClient(directory, extractor=extractor, **options) as memory:
        return memory.ingest_batch(messages(*contents))


def test_once_the_tokens_are_spent_messages_stay_pending(tmp_path: Path):
    extractor = Costly()
    receipts = ingest(tmp_path, extractor, TEA, COFFEE, NO_TEA, max_tokens=150, concurrency=1)

    assert [(receipt.status, receipt.reason_code) for receipt in receipts] == [
        ("published", None),
        ("published", None),
        ("pending", "token_limit_reached"),
    ]
    assert len(extractor.requests) == 2


def test_what_stayed_pending_is_extracted_by_the_next_process(tmp_path: Path):
    ingest(tmp_path, Costly(), TEA, NO_TEA, max_tokens=100, concurrency=1)

    with MemoryClient(tmp_path, extractor=Costly(), clock=SettableClock()) as memory:
        memory.process_pending()
        assert memory.claims(user_id="sam")[0].polarity == "negative"
        assert memory.verify().ok


def test_without_a_limit_all_is_asked(tmp_path: Path):
    receipts = ingest(tmp_path, Costly(), TEA, COFFEE, NO_TEA)

    assert [receipt.status for receipt in receipts] == ["published"] * 3


def test_a_limit_of_nothing_asks_nothing(tmp_path: Path):
    extractor = Costly()
    (receipt,) = ingest(tmp_path, extractor, TEA, max_tokens=0)

    assert (receipt.status, extractor.requests) == ("pending", [])


def test_a_local_extractor_costs_nothing_and_has_no_limit(tmp_path: Path):
    (receipt,) = ingest(tmp_path, Scripted(), TEA, max_tokens=0)

    assert receipt.status == "published"
    assert not (tmp_path / RUN_LOG_FILE).exists()


@pytest.mark.parametrize("concurrency", [1, 2, 5])
def test_no_more_questions_are_open_at_once_than_allowed(concurrency: int):
    class Watched(Remote):
        now = most = 0
        all_are_there = asyncio.Barrier(concurrency)

        async def extract(self, request: ExtractionRequest) -> Extraction:
            self.now += 1
            self.most = max(self.most, self.now)
            await self.all_are_there.wait()
            self.now -= 1
            return await super().extract(request)

    extractor = Watched()
    ingest(":memory:", extractor, *[f"{TEA} {number}" for number in range(2 * concurrency)], concurrency=concurrency)

    assert extractor.most == concurrency


def test_the_cost_of_each_message_is_in_the_log_and_not_in_the_plan(tmp_path: Path):
    extractor = Costly({TEA: TransientExtractionError("busy"), COFFEE: Extraction()})
    options = {"limits": ExtractionLimits(tries=2, first_wait_seconds=0), "clock": SettableClock()}
    with MemoryClient(tmp_path, extractor=extractor, **options) as memory:
        memory.ingest_batch(messages(TEA, COFFEE))
        (stats,) = memory.extractor_stats()
        plan = memory.get_plan(memory.ingest(COFFEE, **OWNER).event_id).model_dump_json()

    assert (stats.extractor, stats.model, stats.runs, stats.calls) == ("scripted", "1", 2, 3)
    assert (stats.input_tokens, stats.output_tokens, stats.failures) == (210, 90, {"extractor_unavailable": 1})
    assert "token" not in plan


def test_the_log_names_no_owner_and_repeats_no_message(tmp_path: Path):
    ingest(tmp_path, Costly(), "I drink Zebrafish tea.")
    logged = (tmp_path / RUN_LOG_FILE).read_bytes()

    assert b"Zebrafish" not in logged
    assert b"sam" not in logged
    assert "Zebrafish" in everything_stored(tmp_path)


def test_a_store_without_its_log_is_whole(tmp_path: Path):
    ingest(tmp_path, Costly(), TEA)
    (tmp_path / RUN_LOG_FILE).unlink()

    with MemoryClient(tmp_path, extractor=Costly(), clock=SettableClock()) as memory:
        assert memory.verify().ok
        assert memory.extractor_stats() == []


def test_two_calls_for_one_message_share_its_lease(tmp_path: Path):
    class Slow(Remote):
        async def extract(self, request: ExtractionRequest) -> Extraction:
            await asyncio.sleep(0.05)
            return await super().extract(request)

    extractor = Slow()

    async def session() -> list[Any]:
        async with MemoryEngine(tmp_path, extractor=extractor, clock=SettableClock()) as engine:
            receipt = await engine.ingest(TEA, **OWNER, wait_for_extraction=False)
            calls = [engine.retry(receipt.event_id), engine.process_pending(), engine.retry(receipt.event_id)]
            return await asyncio.gather(*calls)

    first, (second,), third = asyncio.run(session())

    assert first == second == third
    assert len(extractor.requests) == 1


def test_closing_a_store_lets_its_extractor_give_up_connections_and_be_asked_again(tmp_path: Path):
    class Closable(Remote):
        closed = 0

        async def aclose(self) -> None:
            self.closed += 1

    extractor = Closable()
    ingest(tmp_path, extractor, TEA)
    (receipt,) = ingest(tmp_path, extractor, COFFEE)

    assert (extractor.closed, receipt.status) == (2, "published")

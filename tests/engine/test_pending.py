from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, TypeVar

import pytest

from prme import IngestReceipt, MemoryClient, MemoryEngine, UnfinishedMessages
from prme.errors import NodeNotFoundError, PlanNotFoundError
from tests.engine.conversation import (
    COFFEE,
    DRINKS,
    NO_TEA,
    TEA,
    Remote,
    Scripted,
    SettableClock,
    Stalled,
    raw,
    row_counts,
)

T = TypeVar("T")
OWNER = {"user_id": "sam", "first_person_owner": True}


def run(directory: Path, use: Callable[[MemoryEngine], Awaitable[T]], extractor: Scripted, **options: Any) -> T:
    async def session() -> T:
        async with MemoryEngine(directory, extractor=extractor, clock=SettableClock(), **options) as engine:
            return await use(engine)

    return asyncio.run(session())


def leave_pending(directory: Path, *contents: str) -> list[IngestReceipt]:
    """Store messages whose extraction never happens, and close."""

    async def use(engine: MemoryEngine) -> list[IngestReceipt]:
        return [await engine.ingest(content, **OWNER, wait_for_extraction=False) for content in contents]

    return run(directory, use, Stalled())


def test_a_pending_message_is_durable_before_its_extraction(tmp_path: Path):
    (receipt,) = leave_pending(tmp_path, TEA)

    assert (receipt.status, receipt.plan_id, list(receipt.claims)) == ("pending", None, [])
    assert [("pending", None, "speech_act_v14")] == raw(tmp_path, "select state, reason_code, policy from work")
    counts = row_counts(tmp_path)
    assert (counts["events"], counts["plans"], counts["journal"]) == (1, 0, 2)


def test_a_pending_message_has_its_note_and_no_plan(tmp_path: Path):
    async def use(engine: MemoryEngine) -> tuple[int, bool]:
        receipt = await engine.ingest(TEA, **OWNER, wait_for_extraction=False)
        with pytest.raises(PlanNotFoundError):
            await engine.get_plan(receipt.event_id)
        return len(await engine.get_event_nodes(receipt.event_id)), (await engine.verify()).ok

    assert run(tmp_path, use, Stalled()) == (1, True)


def test_messages_without_a_plan_are_counted_by_the_state_of_their_extraction(tmp_path: Path):
    leave_pending(tmp_path, TEA, COFFEE)

    async def count(engine: MemoryEngine) -> UnfinishedMessages:
        return await engine.unfinished()

    async def extract_and_count(engine: MemoryEngine) -> UnfinishedMessages:
        await engine.process_pending()
        return await engine.unfinished()

    assert UnfinishedMessages(pending=2, failed=0) == run(tmp_path, count, Stalled())
    half = Remote(DRINKS | {TEA: RuntimeError("no answer")})
    assert UnfinishedMessages(pending=0, failed=1) == run(tmp_path, extract_and_count, half)


def test_a_pending_message_is_extracted_in_the_background(tmp_path: Path):
    extractor = Stalled()

    async def use(engine: MemoryEngine) -> list[str | None]:
        receipt = await engine.ingest(TEA, **OWNER, wait_for_extraction=False)
        extractor.released.set()
        await engine.process_pending()
        return [node.object for node in await engine.claims(user_id="sam")] + [receipt.status]

    assert run(tmp_path, use, extractor) == ["tea", "pending"]


def test_a_local_extractor_may_work_in_the_background_too(tmp_path: Path):
    async def use(engine: MemoryEngine) -> tuple[str, int]:
        receipt = await engine.ingest(TEA, **OWNER, wait_for_extraction=False)
        await engine.process_pending()
        return receipt.status, len(await engine.claims(user_id="sam"))

    assert run(tmp_path, use, Scripted()) == ("pending", 1)


def test_pending_work_resumes_when_the_store_is_opened(tmp_path: Path):
    leave_pending(tmp_path, TEA)

    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        for _ in range(200):
            if memory.claims(user_id="sam"):
                break
            time.sleep(0.02)

        assert [node.object for node in memory.claims(user_id="sam")] == ["tea"]
        assert memory.verify().ok


def test_process_pending_waits_for_the_work_that_opening_resumed(tmp_path: Path):
    receipts = leave_pending(tmp_path, TEA, COFFEE)

    done = run(tmp_path, lambda engine: engine.process_pending(), Remote())

    assert [(receipt.event_id, "published") for receipt in receipts] == [
        (receipt.event_id, receipt.status) for receipt in done
    ]
    assert row_counts(tmp_path)["plans"] == 2


def test_process_pending_has_nothing_to_do_in_a_store_without_pending_work(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        memory.ingest(TEA, **OWNER)

        assert memory.process_pending() == []


def test_process_pending_takes_the_oldest_first_and_at_most_its_limit(tmp_path: Path):
    async def use(engine: MemoryEngine) -> list[list[str]]:
        tasks = [asyncio.create_task(engine.ingest(content, **OWNER)) for content in (TEA, COFFEE, NO_TEA)]
        while len(stalled.requests) < 3:
            await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        stalled.released.set()
        return [[receipt.event_id for receipt in await engine.process_pending(limit)] for limit in (2, 0, None)]

    stalled = Stalled()
    rounds = run(tmp_path, use, stalled)

    stored = [row[0] for row in raw(tmp_path, "select event_id from events order by received_at")]
    assert rounds == [stored[:2], [], stored[2:]]


def test_one_pending_message_is_extracted_once_however_many_calls_want_it(tmp_path: Path):
    stalled = Stalled()

    async def use(engine: MemoryEngine) -> list[str]:
        receipt = await engine.ingest(TEA, **OWNER, wait_for_extraction=False)
        calls = [engine.process_pending(), engine.process_pending(), engine.retry(receipt.event_id)]
        tasks = [asyncio.create_task(call) for call in calls]  # type: ignore[arg-type]
        await asyncio.sleep(0.1)
        stalled.released.set()
        await asyncio.gather(*tasks)
        return [request.message.content for request in stalled.requests]

    assert run(tmp_path, use, stalled) == [TEA]


def test_cancelling_an_ingest_leaves_the_event_pending(tmp_path: Path):
    stalled = Stalled()

    async def use(engine: MemoryEngine) -> list[str]:
        task = asyncio.create_task(engine.ingest(TEA, **OWNER))
        while not stalled.requests:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        stalled.released.set()
        return [receipt.status for receipt in await engine.process_pending()]

    assert run(tmp_path, use, stalled) == ["published"]


def test_who_waits_for_a_cancelled_call_takes_its_work_over(tmp_path: Path):
    stalled = Stalled()

    async def use(engine: MemoryEngine) -> list[str]:
        first = asyncio.create_task(engine.ingest(TEA, **OWNER))
        while not stalled.requests:
            await asyncio.sleep(0.01)
        second = asyncio.create_task(engine.process_pending())
        await asyncio.sleep(0.1)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        stalled.released.set()
        return [receipt.status for receipt in await second]

    assert run(tmp_path, use, stalled) == ["published"]


def test_retry_publishes_a_failed_message(tmp_path: Path):
    script = {TEA: [RuntimeError("no"), Scripted().script[TEA]]}
    with MemoryClient(tmp_path, extractor=Remote(script), clock=SettableClock()) as memory:
        failed = memory.ingest(TEA, **OWNER)
        retried = memory.retry(failed.event_id)

        assert (failed.status, retried.status) == ("failed", "published")
        assert failed.event_id == retried.event_id
        assert [node.object for node in memory.claims(user_id="sam")] == ["tea"]
        assert memory.verify().ok


def test_retry_that_fails_again_says_so_and_can_be_repeated(tmp_path: Path):
    script = {TEA: [RuntimeError(), ValueError(), Scripted().script[TEA]]}
    with MemoryClient(tmp_path, extractor=Remote(script), clock=SettableClock()) as memory:
        event_id = memory.ingest(TEA, **OWNER).event_id

        assert [memory.retry(event_id).status for _ in range(2)] == ["failed", "published"]


def test_retry_after_a_restart_with_another_extractor_publishes(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Remote({TEA: RuntimeError()}), clock=SettableClock()) as memory:
        event_id = memory.ingest(TEA, **OWNER).event_id
    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        assert memory.process_pending() == []
        assert memory.retry(event_id).status == "published"


def test_retry_of_a_published_message_asks_nobody_and_changes_nothing(tmp_path: Path):
    extractor = Remote()
    with MemoryClient(tmp_path, extractor=extractor, clock=SettableClock()) as memory:
        receipt = memory.ingest(TEA, **OWNER)
        again = memory.retry(receipt.event_id.upper())

        assert again == receipt.model_copy(update={"status": "duplicate"})
    assert (len(extractor.requests), row_counts(tmp_path)["plans"]) == (1, 1)


def test_retry_knows_only_ingested_events(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Remote(), clock=SettableClock()) as memory:
        note = memory.store(TEA, user_id="sam")
        texts = []
        for wanted in (note, "0" * 8, "00000000-0000-0000-0000-000000000000"):
            with pytest.raises(NodeNotFoundError) as caught:
                memory.retry(wanted)
            texts.append(str(caught.value))

    assert len(set(texts)) == 1


def test_a_message_published_late_keeps_the_place_it_was_received_in(tmp_path: Path):
    script = {TEA: [RuntimeError(), Scripted().script[TEA]], NO_TEA: Scripted().script[NO_TEA]}
    with MemoryClient(tmp_path, extractor=Remote(script), clock=SettableClock()) as memory:
        tea = memory.ingest(TEA, **OWNER)
        denied = memory.ingest(NO_TEA, **OWNER)
        late = memory.retry(tea.event_id)

        assert (list(denied.retired), memory.claims(user_id="sam")[0].polarity) == ([], "negative")
        assert memory.get_node(late.claims[0], include_superseded=True).superseded_by == denied.claims[0]
        assert memory.verify().ok


def test_the_extractor_sees_earlier_messages_of_the_session_oldest_first(tmp_path: Path):
    remote = Remote()
    with MemoryClient(tmp_path, extractor=remote, clock=SettableClock()) as memory:
        for number in range(10):
            memory.store(f"note {number}", user_id="sam", session_id="s")
        memory.store("other session", user_id="sam", session_id="t")
        memory.store("other scope", user_id="sam", session_id="s", scope="work")
        memory.store("other owner", user_id="ann", session_id="s")
        memory.ingest(TEA, user_id="sam", session_id="s")

    context = [message.content for message in remote.requests[0].context]
    assert context == [f"note {number}" for number in range(2, 10)]


def test_a_message_without_a_session_has_no_context(tmp_path: Path):
    remote = Remote()
    with MemoryClient(tmp_path, extractor=remote, clock=SettableClock()) as memory:
        memory.store("note", user_id="sam")
        memory.ingest(TEA, user_id="sam")

    assert list(remote.requests[0].context) == []

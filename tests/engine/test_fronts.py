from __future__ import annotations

import asyncio
import inspect
import threading
from pathlib import Path

import pytest

from prme import MemoryClient, MemoryEngine
from prme.errors import StoreError, StoreLockedError
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Remote, Scripted, SettableClock, row_counts


def public_methods(front: type) -> dict[str, inspect.Signature]:
    members = inspect.getmembers(front, inspect.isfunction)
    return {name: inspect.signature(member) for name, member in members if not name.startswith("_")}


def test_both_fronts_have_the_same_methods():
    assert sorted(public_methods(MemoryEngine)) == sorted(public_methods(MemoryClient))


@pytest.mark.parametrize("name", sorted(public_methods(MemoryEngine)))
def test_both_fronts_have_the_same_signature(name: str):
    assert public_methods(MemoryEngine)[name] == public_methods(MemoryClient)[name]


def test_both_fronts_are_made_from_the_same_arguments():
    assert inspect.signature(MemoryEngine.__init__) == inspect.signature(MemoryClient.__init__)


@pytest.mark.parametrize("name", sorted(public_methods(MemoryEngine)))
def test_every_method_of_the_engine_is_awaited(name: str):
    assert inspect.iscoroutinefunction(getattr(MemoryEngine, name))


@pytest.mark.parametrize("front", [MemoryEngine, MemoryClient])
def test_every_public_method_says_what_it_does(front: type):
    undocumented = [name for name in public_methods(front) if not (getattr(front, name).__doc__ or "").strip()]

    assert undocumented == []


def test_both_fronts_store_the_same(tmp_path: Path):
    messages = [{"content": content, "user_id": "sam", "first_person_owner": True} for content in (TEA, COFFEE, NO_TEA)]

    async def asynchronously() -> tuple[object, ...]:
        async with MemoryEngine(tmp_path / "engine", extractor=Scripted(), clock=SettableClock()) as engine:
            receipts = await engine.ingest_batch(messages)
            return receipts, await engine.claims(user_id="sam"), (await engine.verify()).state_digest

    with MemoryClient(tmp_path / "client", extractor=Scripted(), clock=SettableClock()) as client:
        receipts = client.ingest_batch(messages)
        synchronously = receipts, client.claims(user_id="sam"), client.verify().state_digest

    assert asyncio.run(asynchronously()) == synchronously


def test_the_engine_works_without_a_with_block(tmp_path: Path):
    async def used() -> list[str]:
        engine = MemoryEngine(tmp_path, extractor=Scripted(), clock=SettableClock())
        receipt = await engine.ingest(TEA, user_id="sam")
        await engine.close()
        return [receipt.status]

    assert asyncio.run(used()) == ["published"]


def test_a_closed_engine_refuses_every_call(tmp_path: Path):
    async def used() -> None:
        async with MemoryEngine(tmp_path, extractor=Scripted(), clock=SettableClock()) as engine:
            pass
        await engine.close()
        for call in (
            engine.ingest(TEA, user_id="sam"),
            engine.ingest_batch([{"content": TEA, "user_id": "sam"}]),
            engine.store(TEA, user_id="sam"),
            engine.claims(user_id="sam"),
            engine.verify(),
        ):
            with pytest.raises(StoreError, match="closed"):
                await call

    asyncio.run(used())


def test_a_closed_client_refuses_every_call(tmp_path: Path):
    client = MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock())
    client.close()
    client.close()

    with pytest.raises(StoreError, match="closed"):
        client.ingest(TEA, user_id="sam")
    with pytest.raises(StoreError, match="closed"):
        client.verify()


def own_threads() -> list[str]:
    return sorted(thread.name for thread in threading.enumerate() if thread.name.startswith("prme-"))


def test_a_client_leaves_no_thread_behind(tmp_path: Path):
    before = own_threads()
    client = MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock())
    during = own_threads()
    client.close()

    assert (len(during) - len(before), own_threads()) == (2, before)


def test_a_client_that_is_refused_leaves_no_thread_behind(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()):
        before = own_threads()

        with pytest.raises(StoreLockedError):
            MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock())

        assert before == own_threads()


def test_the_store_is_closed_when_the_block_ends_with_an_error(tmp_path: Path):
    def failing() -> None:
        with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
            memory.ingest(TEA, user_id="sam")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        failing()

    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        assert list(memory.verify().owners) == ["sam"]


def test_closing_a_client_ends_the_calls_of_other_threads(tmp_path: Path):
    class Endless(Remote):
        async def extract(self, request: object) -> object:  # type: ignore[override]
            asked.set()
            return await asyncio.Event().wait()

    asked = threading.Event()
    outcomes: list[object] = []
    client = MemoryClient(tmp_path, extractor=Endless(), clock=SettableClock())  # type: ignore[arg-type]

    def ingest() -> None:
        try:
            outcomes.append(client.ingest(TEA, user_id="sam"))
        except StoreError as error:
            outcomes.append(str(error))

    caller = threading.Thread(target=ingest)
    caller.start()
    assert asked.wait(20)
    client.close()
    caller.join(20)

    assert outcomes == ["the store was closed before the call ended: what it stored stays pending"]
    assert row_counts(tmp_path)["work"] == 1


def test_threads_may_close_one_client_together(tmp_path: Path):
    client = MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock())
    threads = [threading.Thread(target=client.close) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)

    assert [thread.is_alive() for thread in threads] == [False] * 8


def test_a_client_may_be_used_inside_a_running_event_loop(tmp_path: Path):
    async def used() -> str:
        with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
            return memory.ingest(TEA, user_id="sam").status

    assert asyncio.run(used()) == "published"

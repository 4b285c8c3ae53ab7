"""Extractors that end themselves, forked processes, and clocks that are none: each a clear answer, never a hang."""

from __future__ import annotations

import asyncio
import os
from datetime import datetime
from pathlib import Path

import pytest

from prme import Extraction, ExtractionRequest, MemoryClient, MemoryEngine
from prme.errors import StoreError
from tests.engine.conversation import TEA, Scripted, SettableClock

OWNER = {"user_id": "sam", "first_person_owner": True}


class Ending:
    """An extractor that raises what would end a program or a task."""

    name = "ending"
    model = "1"

    def __init__(self, error: BaseException, *, local: bool) -> None:
        self.error = error
        self.local = local

    async def extract(self, request: ExtractionRequest) -> Extraction:
        raise self.error


@pytest.mark.parametrize("local", [True, False])
@pytest.mark.parametrize("error", [SystemExit(1), KeyboardInterrupt(), asyncio.CancelledError()], ids=repr)
def test_an_extractor_that_ends_itself_has_failed(error: BaseException, local: bool):
    with MemoryClient(":memory:", extractor=Ending(error, local=local), clock=SettableClock()) as memory:
        receipt = memory.ingest(TEA, **OWNER)

        assert (receipt.status, receipt.reason_code) == ("failed", "extractor_error")
        assert memory.get_event(receipt.event_id).content == TEA
        assert memory.verify().ok


def test_a_cancelled_call_is_still_cancelled():
    class Waiting(Ending):
        async def extract(self, request: ExtractionRequest) -> Extraction:
            await asyncio.sleep(60)
            raise self.error

    async def cancel() -> bool:
        async with MemoryEngine(
            ":memory:", extractor=Waiting(SystemExit(1), local=False), clock=SettableClock()
        ) as engine:
            task = asyncio.create_task(engine.ingest(TEA, **OWNER))
            await asyncio.sleep(0.2)
            task.cancel()
            await asyncio.wait([task])
            return task.cancelled()

    assert asyncio.run(cancel())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_a_client_says_that_it_does_not_work_in_a_forked_child(tmp_path: Path):
    with MemoryClient(tmp_path, extractor=Scripted(), clock=SettableClock()) as memory:
        memory.ingest(TEA, **OWNER)
        child = os.fork()
        if child == 0:
            os._exit(_refusals(memory))
        _, status = os.waitpid(child, 0)

        assert os.waitstatus_to_exitcode(status) == 4
        assert memory.ingest(TEA, **OWNER).status == "published"
        assert memory.verify().ok


def _refusals(memory: MemoryClient) -> int:
    """Count the calls that are refused with the reason; a close that returns counts too."""
    refused = 0
    for call in (
        lambda: memory.ingest(TEA, **OWNER),
        lambda: memory.claims(user_id="sam"),
        lambda: memory._engine._service.claims("sam", None, include_superseded=False),
    ):
        try:
            call()
        except StoreError as error:
            refused += "before this process was forked" in str(error)
    memory.close()
    return refused + 1


@pytest.mark.parametrize("reading", [datetime(2031, 4, 1, 12, 0), 5, None], ids=repr)  # noqa: DTZ001
def test_a_clock_without_a_time_zone_is_refused_and_nothing_is_stored(reading: object):
    with MemoryClient(":memory:", extractor=Scripted(), clock=lambda: reading) as memory:
        with pytest.raises(ValueError, match=r"the clock returned .* aware"):
            memory.ingest(TEA, **OWNER)

        assert memory.verify().owners == {}

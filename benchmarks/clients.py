"""Many concurrent clients, against raw group commit: the same batches of the same rows through appenders."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable

from benchmarks.measure import MILLISECONDS, Spread, interleaved, timed
from benchmarks.raw import RawStore, seen_batches
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop, extracting
from benchmarks.workload import Turn, WorkloadExtractor
from prme import MemoryEngine
from prme.store.rows import RowBatch


def measure(workshop: Workshop) -> Outcome:
    """Let the library and the raw store take turns; each round starts with an empty store."""
    size = workshop.size
    messages = size.clients * size.client_messages
    rates: list[float] = []
    floors: list[float] = []
    commits: list[int] = []
    one_extraction = _one_extraction(size.queries)
    for _ in range(size.client_rounds):
        with seen_batches() as seen:
            wall = asyncio.run(_all_clients(workshop))
        rates.append(messages / (wall - messages * one_extraction))
        floors.append(messages / _raw_seconds(workshop, seen))
        commits.append(len(seen))
    average = messages * len(commits) / sum(commits)
    notes = (
        f"{average:.1f} messages in a transaction on average",
        f"the extractor took {one_extraction * MILLISECONDS:.3f} ms a message, which is not counted",
    )
    name = f"{size.clients} concurrent clients"
    floor_name = "raw group commit of the same batches"
    value, floor = Spread.of(rates), Spread.of(floors)
    return Outcome((Result(name, "messages/s", value, floor_name, floor, "clients", notes),))


async def _all_clients(workshop: Workshop) -> float:
    size = workshop.size
    async with MemoryEngine(workshop.place("store"), extractor=WorkloadExtractor()) as engine:
        began = time.perf_counter()
        await asyncio.gather(*(_client(engine, owner, size.client_messages) for owner in range(size.clients)))
        return time.perf_counter() - began


async def _client(engine: MemoryEngine, owner: int, messages: int) -> None:
    for number in range(messages):
        message = Turn(owner, number).message
        await engine.ingest(
            message.content, user_id=message.user_id, first_person_owner=True, occurred_at=message.occurred_at
        )


def _raw_seconds(workshop: Workshop, batches: Iterable[RowBatch]) -> float:
    with RawStore(workshop.place("raw")) as raw:
        began = time.perf_counter()
        for batch in batches:
            raw.append(batch)
        return time.perf_counter() - began


def _one_extraction(times: int) -> float:
    with extracting(Turn(0, 0).message) as extract:
        found = interleaved({"extractor": timed(extract)}, range(times))
    return Spread.of(timing.wall for timing in found["extractor"]).median

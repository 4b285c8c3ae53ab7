"""Bulk replay, against the least that it could do: checksum, parse and append the same plans."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.contestant import Contestant
from benchmarks.measure import Spread, Step, timed
from benchmarks.raw import RawStore, seen_batches
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop, open_store, replay
from benchmarks.workload import conversation
from prme.model.plan import ExtractionPlan
from prme.store.rows import RowBatch

TIMES_AS_MANY = 4
_HEAD = re.compile(rb'\{"checksum":"sha256:([0-9a-f]{64})",')


def measure(workshop: Workshop) -> Outcome:
    """Measure speed in one process and in several, and memory."""
    size = workshop.size
    plans = workshop.plans(conversation(size.replay_owners, size.replay_turns))
    many = workshop.plans(conversation(size.replay_owners * TIMES_AS_MANY, size.replay_turns))
    count = size.replay_owners * size.replay_turns
    jobs = max(2, os.cpu_count() or 1)
    one, floor, several = _rates(workshop, plans, count, jobs)
    name = f"replay of {count:,} plans"
    floor_name = "checksum, parse and raw append"
    ideal = Spread.of(jobs * rate for rate in one)
    loaded = f"load {os.getloadavg()[0]:.2f} on {os.cpu_count()} cores: other work here lowers it"
    return Outcome(
        (
            Result(name, "plans/s", Spread.of(one), floor_name, Spread.of(floor), "replay"),
            Result(f"{name}, one process", "plans/s", Spread.of(one), floor_name, Spread.of(floor), "replay-rate"),
            Result(
                name=f"{name}, {jobs} processes",
                unit="plans/s",
                value=Spread.of(several),
                floor_name=f"{jobs} times the rate of one",
                floor=ideal,
                budget="replay-processes",
                notes=(loaded,),
            ),
            Result(
                name=f"peak memory of a replay of {TIMES_AS_MANY * count:,} plans",
                unit="MiB",
                value=_peak_memory(workshop, many),
                floor_name=f"of {count:,} plans",
                floor=_peak_memory(workshop, plans),
                budget="replay-memory",
            ),
        )
    )


def _rates(workshop: Workshop, plans: Path, count: int, jobs: int) -> tuple[list[float], list[float], list[float]]:
    """Return how many plans a second one process, the floor and several processes did, taking turns."""
    one: list[float] = []
    floor: list[float] = []
    several: list[float] = []
    for _ in range(workshop.size.replay_rounds):
        with seen_batches() as seen:
            one.append(count / _seconds(workshop, plans))
        floor.append(count / _floor_seconds(workshop, plans, seen))
        several.append(count / _seconds(workshop, plans, jobs=jobs))
    return one, floor, several


def _seconds(workshop: Workshop, plans: Path, *, jobs: int = 1) -> float:
    with open_store(workshop.place("store")) as memory:
        return timed(lambda _: replay(memory, plans, jobs=jobs))(0).wall


def _floor_seconds(workshop: Workshop, plans: Path, batches: Sequence[RowBatch]) -> float:
    with RawStore(workshop.place("raw")) as raw:

        def least(_: int) -> None:
            check_and_parse(plans)
            for batch in batches:
                raw.append(batch)

        return timed(least)(0).wall


def check_and_parse(plans: Path) -> int:
    """Prove the checksum of each plan on its saved bytes, and read it; return how many there were."""
    count = 0
    with plans.open("rb") as file:
        for line in file:
            head = _HEAD.match(line)
            assert head is not None
            body = b"{" + line[head.end() : -1]
            assert hashlib.sha256(body).hexdigest().encode("ascii") == head.group(1)
            ExtractionPlan.model_validate_json(line)
            count += 1
    return count


@contextmanager
def replaying(plans: Path, store: Path) -> Iterator[Step]:
    """Give a step that replays plans into a store."""
    with open_store(store) as memory:
        yield lambda _: replay(memory, plans)


def _peak_memory(workshop: Workshop, plans: Path) -> Spread:
    """Replay plans in a process of their own, and return how much memory it held at most, in MiB."""
    contestant = Contestant(partial(replaying, plans, workshop.place("store")))
    try:
        contestant.step(0)
        return Spread.of([contestant.end()])
    finally:
        contestant.stop()

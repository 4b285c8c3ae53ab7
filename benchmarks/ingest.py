"""One durable ingest of one client, against a raw transaction that inserts the same rows."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial

from benchmarks.measure import Spread, TimedStep, Timing, interleaved, timed
from benchmarks.raw import RawStore, seen_batches
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop, extracting, ingest, open_store
from benchmarks.workload import Turn
from prme.store.rows import RowBatch

UNNAMED, NAMED, EXTRACTOR = "one durable ingest", "one durable ingest with a message id", "extractor"


def measure(workshop: Workshop) -> Outcome:
    """Let the library and four raw ways take turns: statements or appenders, many threads of DuckDB or one."""
    found = _timings(workshop)
    spreads = {name: Spread.of_walls(timings) for name, timings in found.items()}
    raw = [name for name in found if name not in (UNNAMED, NAMED, EXTRACTOR)]
    floor = min(raw, key=lambda name: spreads[name].median)
    extractor = spreads[EXTRACTOR].median
    notes = [f"raw {name}: {spreads[name].median:.2f} ms" for name in raw]
    notes.append(f"the extractor took {extractor:.3f} ms, which is not counted")
    results = (
        Result.of_timings(UNNAMED, found[UNNAMED], f"raw {floor}", found[floor], "ingest", tuple(notes)),
        Result.of_timings(NAMED, found[NAMED], f"raw {floor}", found[floor]),
    )
    return Outcome(tuple(replace(result, value=result.value.less(extractor)) for result in results))


def _timings(workshop: Workshop) -> dict[str, list[Timing]]:
    warm_up = workshop.size.warm_up
    with ExitStack() as stack:
        memory, other = (stack.enter_context(open_store(workshop.place("store"))) for _ in range(2))
        seen = stack.enter_context(seen_batches())
        extract = stack.enter_context(extracting(Turn(0, 0).message))
        raw = _raw_ways(workshop, stack)

        def unnamed(number: int) -> None:
            seen.clear()
            ingest(memory, Turn(0, number).message)

        def raw_step(way: Callable[[RowBatch], None]) -> TimedStep:
            return timed(lambda _: way(*seen))

        library = {
            NAMED: timed(lambda number: ingest(other, Turn(0, number).message, named=True)),
            UNNAMED: timed(unnamed),
        }
        others = {EXTRACTOR: timed(extract), **{name: raw_step(way) for name, way in raw.items()}}
        found: dict[str, list[Timing]] = {name: [] for name in (*library, *others)}
        for number in range(warm_up + workshop.size.ingests):
            # The library first: the others insert what it has just committed, and nothing of the named one.
            for name, step in library.items():
                found[name].append(step(number))
            for name, timings in interleaved(others, [number]).items():
                found[name] += timings
    return {name: timings[warm_up:] for name, timings in found.items()}


def _raw_ways(workshop: Workshop, stack: ExitStack) -> dict[str, Callable[[RowBatch], None]]:
    ways: dict[str, Callable[[RowBatch], None]] = {}
    for setting, threads in (("", None), (", threads=1", 1)):
        for form in (RawStore.insert, RawStore.append):
            raw = stack.enter_context(RawStore(workshop.place("raw"), threads=threads))
            ways[f"{form.__name__}{setting}"] = partial(form, raw)
    return ways

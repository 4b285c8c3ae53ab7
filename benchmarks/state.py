"""The state of one assertion with few open and very many closed values, against one raw read by key."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import duckdb

from benchmarks.contestant import contestants
from benchmarks.measure import Spread, Step, interleaved
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop, ingest, open_store
from benchmarks.workload import Switch, user_id
from prme import MemoryClient
from prme.store.opening import DATABASE_FILE

WARM_UP = 4


def measure(workshop: Workshop) -> Outcome:
    """Let the store and DuckDB itself, on a copy of the file, answer in turns."""
    claims, values = workshop.size.state_claims, workshop.size.state_values
    store = workshop.store(Switch(0, number, values) for number in range(claims))
    openings = {
        "raw": partial(reading, workshop.copy(store)),
        "prme": partial(asking, store, values),
        "talking": partial(talking, workshop.copy(store), claims, values),
    }
    with contestants(openings) as started:
        steps = {name: contestant.step for name, contestant in started.items()}
        found = interleaved(steps, range(WARM_UP + workshop.size.queries))
    warm = {name: timings[WARM_UP:] for name, timings in found.items()}
    asked = (
        ("assertion state", "state", warm["prme"]),
        ("the same just after a message of the owner", "state-after-message", warm["talking"][1::2]),
    )
    return Outcome(
        tuple(
            Result.of_timings(
                name=f"{kind}, {claims:,} claims of the owner, {values} open values",
                timings=timings,
                floor_name="one raw read by key",
                floor=warm["raw"],
                budget=budget,
                notes=(
                    f"p50 {Spread.of_walls(timings).median:.2f} ms",
                    f"the other {claims - values:,} claims say the same of other values, and are closed",
                ),
            )
            for kind, budget, timings in asked
        )
    )


@contextmanager
def asking(store: Path, values: int) -> Iterator[Step]:
    """Give a step that asks for the state of the one assertion there is."""
    with open_store(store) as memory:
        yield lambda _: _ask(memory, values)


@contextmanager
def talking(store: Path, claims: int, values: int) -> Iterator[Step]:
    """Give a step that says something new of the assertion, and asks for its state the next time."""
    with open_store(store) as memory:

        def talk_or_ask(number: int) -> None:
            if number % 2:
                _ask(memory, values)
            else:
                ingest(memory, Switch(0, claims + number // 2, values).message)

        yield talk_or_ask


def _ask(memory: MemoryClient, values: int) -> None:
    state = memory.get_assertion_state(user_id=user_id(0), subject="I", predicate="uses")
    assert len(state.claims) == values, "the workload left another number of values open"


@contextmanager
def reading(store: Path) -> Iterator[Step]:
    """Give a step that reads one claim of a store by its key, without the library."""
    with duckdb.connect(str(store / DATABASE_FILE), read_only=True) as connection:
        (key,) = connection.execute("select owner_key, claim_id from claims limit 1").fetchall()
        sql = "select * from claims where owner_key = ? and claim_id = ?"
        yield lambda _: connection.cursor().execute(sql, key).fetchall()

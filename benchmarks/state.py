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
from benchmarks.stores import Workshop, open_store
from benchmarks.workload import Switch, user_id
from prme.store.opening import DATABASE_FILE

WARM_UP = 3


def measure(workshop: Workshop) -> Outcome:
    """Let the store and DuckDB itself, on a copy of the file, answer in turns."""
    claims, values = workshop.size.state_claims, workshop.size.state_values
    store = workshop.store(Switch(0, number, values) for number in range(claims))
    openings = {
        "raw": partial(reading, workshop.copy(store)),
        "prme": partial(asking, store, values),
    }
    with contestants(openings) as started:
        steps = {name: contestant.step for name, contestant in started.items()}
        found = interleaved(steps, range(WARM_UP + workshop.size.queries))
    result = Result.of_timings(
        name=f"assertion state, {claims:,} claims of the owner, {values} open values",
        timings=found["prme"][WARM_UP:],
        floor_name="one raw read by key",
        floor=found["raw"][WARM_UP:],
        budget="state",
        notes=(
            f"p50 {Spread.of_walls(found['prme'][WARM_UP:]).median:.2f} ms",
            f"the other {claims - values:,} claims say the same of other values, and are closed",
        ),
    )
    return Outcome((result,))


@contextmanager
def asking(store: Path, values: int) -> Iterator[Step]:
    """Give a step that asks for the state of the one assertion there is."""
    with open_store(store) as memory:

        def ask(_: int) -> None:
            state = memory.get_assertion_state(user_id=user_id(0), subject="I", predicate="uses")
            assert len(state.claims) == values, "the workload left another number of values open"

        yield ask


@contextmanager
def reading(store: Path) -> Iterator[Step]:
    """Give a step that reads one claim of a store by its key, without the library."""
    with duckdb.connect(str(store / DATABASE_FILE), read_only=True) as connection:
        (key,) = connection.execute("select owner_key, claim_id from claims limit 1").fetchall()
        sql = "select * from claims where owner_key = ? and claim_id = ?"
        yield lambda _: connection.cursor().execute(sql, key).fetchall()

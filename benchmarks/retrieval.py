"""Retrieval with many open claims of one owner, against the same words asked of a bare full-text index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.contestant import Contestant, contestants
from benchmarks.measure import MILLISECONDS, Spread, Step, Timing, interleaved
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop, open_store
from benchmarks.workload import VERBS, Turn, statements, user_id

STRIDE = 7_919
HITS = 10
WARM_UP = 3


def measure(workshop: Workshop) -> Outcome:
    """Let two stores and two bare indexes answer the same kind of question in turns."""
    few, many = workshop.size.open_claims
    openings = {}
    for claims in (few, many):
        store = workshop.store(statements(0, claims))
        openings[f"prme {claims}"] = partial(retrieving, store, claims)
        openings[f"index {claims}"] = partial(searching, workshop.place("index"), claims)
    with contestants(openings) as started:
        steps = {name: contestant.step for name, contestant in started.items()}
        found = interleaved(steps, range(WARM_UP + workshop.size.queries))
        warm = {name: timings[WARM_UP:] for name, timings in found.items()}
        cold = {claims: _cold(started[f"prme {claims}"], found[f"prme {claims}"]) for claims in (few, many)}
    return Outcome(
        tuple(
            Result.of_timings(
                name=f"retrieve, {claims:,} open claims of the owner",
                timings=warm[f"prme {claims}"],
                floor_name="a bare full-text index",
                floor=warm[f"index {claims}"],
                budget=budget,
                notes=(
                    f"p50 {Spread.of_walls(warm[f'prme {claims}']).median:.2f} ms",
                    f"opening the store and the first answer, which builds the index, took {cold[claims]:.0f} ms",
                ),
            )
            for claims, budget in ((few, "retrieve-few"), (many, "retrieve-many"))
        )
    )


def question(number: int, claims: int) -> str:
    """Return a question about one value; its verb stands in a tenth of all claims."""
    place = number * STRIDE % max(1, claims // 2)
    turn = Turn(0, place)
    if turn.is_correction:
        turn = Turn(0, place - 1)
    return f"Do I still {VERBS[turn.predicate]} {turn.objects[0]}?"


@contextmanager
def retrieving(store: Path, claims: int) -> Iterator[Step]:
    """Give a step that asks a store."""
    with open_store(store) as memory:

        def ask(number: int) -> None:
            hits = memory.retrieve(question(number, claims), user_id=user_id(0), limit=HITS)
            assert hits, "the workload was not found"

        yield ask


@contextmanager
def searching(path: Path, claims: int) -> Iterator[Step]:
    """Give a step that asks a bare index of the same sentences for the same words."""
    connection = sqlite3.connect(path)
    try:
        connection.execute("create virtual table claims using fts5(content)")
        sentences = ((sentence,) for turn in statements(0, claims) for sentence in turn.content.split(". "))
        connection.executemany("insert into claims values (?)", sentences)
        connection.commit()
        search = "select rowid from claims where claims match ? order by rank limit ?"

        def ask(number: int) -> None:
            words = question(number, claims).removesuffix("?").split()[-2:]
            assert connection.execute(search, [" OR ".join(words), HITS]).fetchall()

        yield ask
    finally:
        connection.close()


def _cold(contestant: Contestant, timings: list[Timing]) -> float:
    return (contestant.opening.wall + timings[0].wall) * MILLISECONDS

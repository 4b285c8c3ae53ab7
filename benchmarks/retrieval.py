"""Retrieval with many open claims of one owner, against the same words asked of a bare full-text index."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.contestant import Contestant, Opening, contestants
from benchmarks.measure import MILLISECONDS, Spread, Step, Timing, interleaved
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop, ingest, open_store
from benchmarks.workload import VERBS, Turn, statements, user_id
from prme import MemoryClient

STRIDE = 7_919
HITS = 10
WARM_UP = 4
AFTER = "retrieve-after-message"


def measure(workshop: Workshop) -> Outcome:
    """Let two stores, copies of them that are spoken to, and two bare indexes answer the same kind of question."""
    few, many = workshop.size.open_claims
    openings: dict[str, Opening] = {}
    for claims in (few, many):
        store = workshop.store(statements(0, claims))
        openings[f"talking {claims}"] = partial(talking, workshop.copy(store), claims)
        openings[f"prme {claims}"] = partial(retrieving, store, claims)
        openings[f"index {claims}"] = partial(searching, workshop.place("index"), claims)
    with contestants(openings) as started:
        steps = {name: contestant.step for name, contestant in started.items()}
        found = interleaved(steps, range(WARM_UP + workshop.size.queries))
        cold = {claims: _cold(started[f"prme {claims}"], found[f"prme {claims}"]) for claims in (few, many)}
    return Outcome((*_results(found, cold, few, "retrieve-few"), *_results(found, cold, many, "retrieve-many", AFTER)))


def _results(
    found: Mapping[str, Sequence[Timing]],
    cold: Mapping[int, float],
    claims: int,
    budget: str,
    budget_after: str | None = None,
) -> Iterator[Result]:
    warm = {name: found[f"{name} {claims}"][WARM_UP:] for name in ("prme", "talking", "index")}
    building = f"opening the store and the first answer, which builds the index, took {cold[claims]:.0f} ms"
    for kind, held_against, timings, notes in (
        ("retrieve", budget, warm["prme"], (building,)),
        ("the same just after a message of the owner", budget_after, warm["talking"][1::2], ()),
    ):
        yield Result.of_timings(
            name=f"{kind}, {claims:,} open claims of the owner",
            timings=timings,
            floor_name="a bare full-text index",
            floor=warm["index"],
            budget=held_against,
            notes=(f"p50 {Spread.of_walls(timings).median:.2f} ms", *notes),
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
        yield lambda number: _ask(memory, number, claims)


@contextmanager
def talking(store: Path, claims: int) -> Iterator[Step]:
    """Give a step that says something new, and asks the next time."""
    with open_store(store) as memory:

        def talk_or_ask(number: int) -> None:
            if number % 2:
                _ask(memory, number, claims)
            else:
                ingest(memory, Turn(0, claims + number // 2).message)

        yield talk_or_ask


def _ask(memory: MemoryClient, number: int, claims: int) -> None:
    hits = memory.retrieve(question(number, claims), user_id=user_id(0), limit=HITS)
    assert hits, "the workload was not found"


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

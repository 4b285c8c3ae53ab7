"""What one ingest costs as claims pile up, of one owner and in the whole store, in order and late."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from benchmarks.contestant import Opening, contestants
from benchmarks.measure import Spread, Step, Timing, interleaved
from benchmarks.result import Curve, Outcome, Point, Result
from benchmarks.stores import Workshop, ingest, open_store
from benchmarks.workload import CORRECTION_EVERY, Turn, conversation, turns_for

OF_ONE_OWNER, IN_THE_STORE = "claims of one owner", "claims in the store"


def measure(workshop: Workshop) -> Outcome:
    """Measure the curves; the first and the last point of one owner's, in order, are the budget."""
    size = workshop.size
    few, many = size.one_owner[0], size.one_owner[-1]
    stores = {claims: workshop.store(conversation(1, whole_turns(claims))) for claims in size.one_owner}
    in_order, late = _both(workshop, stores, {claims: whole_turns(claims) for claims in stores})
    results = [
        Result.of_timings(
            name=f"one ingest {kind}, {many:,} claims of the owner",
            timings=part(in_order[many]),
            floor_name=f"with {few:,} claims",
            floor=part(in_order[few]),
            budget=budget,
        )
        for kind, budget, part in (
            ("in order", "growth", plain_ones),
            ("that corrects", "growth-corrections", correcting_ones),
        )
    ]
    curves = [*_curves(OF_ONE_OWNER, in_order, late)]
    turns = whole_turns(size.owner_claims)
    stores = _growing_store(workshop, turns)
    curves += _curves(IN_THE_STORE, *_both(workshop, stores, dict.fromkeys(stores, turns)))
    return Outcome(tuple(results), tuple(curves))


@contextmanager
def ingesting(store: Path, *, first: int, late_by: int = 0) -> Iterator[Step]:
    """Give a step that ingests one more message of owner 0; `late_by` says how many turns late it comes."""
    with open_store(store) as memory:
        yield lambda number: ingest(memory, Turn(0, first + number, late_by).message)


def whole_turns(claims: int) -> int:
    """Return how many turns make about so many claims, so that the next turn is the first of ten."""
    return max(1, turns_for(claims) // CORRECTION_EVERY) * CORRECTION_EVERY


def plain_ones(timings: Sequence[Timing]) -> list[Timing]:
    """Return the timings of the messages that correct nothing."""
    return [timing for number, timing in enumerate(timings) if not Turn(0, number).is_correction]


def correcting_ones(timings: Sequence[Timing]) -> list[Timing]:
    """Return the timings of the corrections."""
    return [timing for number, timing in enumerate(timings) if Turn(0, number).is_correction]


def _both(
    workshop: Workshop, stores: Mapping[int, Path], turns: Mapping[int, int]
) -> tuple[dict[int, list[Timing]], dict[int, list[Timing]]]:
    """Let ingests in order and ones that come half of the owner's conversation late take turns, at all sizes."""
    size = workshop.size
    openings: dict[str, Opening] = {}
    for claims, store in stores.items():
        first = turns[claims]
        openings[f"late {claims}"] = partial(ingesting, workshop.copy(store), first=first, late_by=first // 2)
        openings[f"in order {claims}"] = partial(ingesting, store, first=first)
    with contestants(openings) as started:
        steps = {name: contestant.step for name, contestant in started.items()}
        found = interleaved(steps, range(size.warm_up + size.growth_rounds))
    in_order, late = (
        {claims: found[f"{kind} {claims}"][size.warm_up :] for claims in stores} for kind in ("in order", "late")
    )
    return in_order, late


def _growing_store(workshop: Workshop, turns: int) -> dict[int, Path]:
    """Return one store of many owners at several moments of its growth."""
    growing = workshop.place("store")
    owners, moments = 0, {}
    for claims in workshop.size.one_store:
        wanted = max(owners + 1, claims // workshop.size.owner_claims)
        workshop.store((Turn(owner, n) for owner in range(owners, wanted) for n in range(turns)), into=growing)
        owners = wanted
        moments[claims] = workshop.copy(growing)
    return moments


def _curves(plot: str, in_order: Mapping[int, list[Timing]], late: Mapping[int, list[Timing]]) -> Iterator[Curve]:
    for name, found in (("in order", in_order), ("late by half of the conversation", late)):
        points = (Point(claims, Spread.of_walls(timings)) for claims, timings in found.items())
        yield Curve(plot, name, tuple(points))

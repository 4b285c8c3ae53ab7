"""A late arrival, that is, a message said long before others that are stored, against one in order."""

from __future__ import annotations

from functools import partial

from benchmarks.contestant import contestants
from benchmarks.growth import ingesting, whole_turns
from benchmarks.measure import interleaved
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop
from benchmarks.workload import conversation


def measure(workshop: Workshop) -> Outcome:
    """Let two equal stores take turns: one is told something new, the other something from half its history ago."""
    claims, warm_up = workshop.size.late_claims, workshop.size.warm_up
    turns = whole_turns(claims)
    store = workshop.store(conversation(1, turns))
    openings = {
        "late": partial(ingesting, workshop.copy(store), first=turns, late_by=turns // 2),
        "in order": partial(ingesting, store, first=turns),
    }
    with contestants(openings) as started:
        steps = {name: contestant.step for name, contestant in started.items()}
        found = interleaved(steps, range(warm_up + workshop.size.late_rounds))
    name = f"a late arrival, {claims:,} claims of the owner"
    late, in_order = found["late"][warm_up:], found["in order"][warm_up:]
    return Outcome((Result.of_timings(name, late, "one in order", in_order, "late"),))

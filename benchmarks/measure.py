"""Measuring: steps that take turns, wall and processor time of each, and what the times have in common."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median

Step = Callable[[int], object]
MILLISECONDS = 1_000.0
PATIENCE = 180.0
ENOUGH_ROUNDS = 40


@dataclass(frozen=True, slots=True)
class Timing:
    """How long one step took, in seconds: on the clock, and of all processors together."""

    wall: float
    cpu: float


TimedStep = Callable[[int], Timing]


@dataclass(frozen=True, slots=True)
class Spread:
    """What many measurements have in common."""

    median: float
    p10: float
    p90: float
    p95: float
    mean: float
    count: int

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread:
        """Summarise measurements, of which there must be at least one."""
        ordered = sorted(values)
        return cls(
            median(ordered),
            quantile(ordered, 0.1),
            quantile(ordered, 0.9),
            quantile(ordered, 0.95),
            fmean(ordered),
            len(ordered),
        )

    @classmethod
    def of_walls(cls, timings: Iterable[Timing]) -> Spread:
        """Summarise wall times, in milliseconds."""
        return cls.of(timing.wall * MILLISECONDS for timing in timings)

    @classmethod
    def of_cpus(cls, timings: Iterable[Timing]) -> Spread:
        """Summarise processor times, in milliseconds."""
        return cls.of(timing.cpu * MILLISECONDS for timing in timings)

    def less(self, amount: float) -> Spread:
        """Return the spread without a cost that each measurement contains."""
        return Spread(
            self.median - amount,
            self.p10 - amount,
            self.p90 - amount,
            self.p95 - amount,
            self.mean - amount,
            self.count,
        )


def quantile(ordered: Sequence[float], share: float) -> float:
    """Return the smallest value that a share of the sorted values does not exceed."""
    return ordered[max(0, min(len(ordered) - 1, -int(-share * len(ordered) // 1) - 1))]


def timed(step: Step) -> TimedStep:
    """Return a step that says how long it took."""

    def run(number: int) -> Timing:
        wall, cpu = time.perf_counter(), time.process_time()
        step(number)
        return Timing(time.perf_counter() - wall, time.process_time() - cpu)

    return run


def interleaved(
    steps: Mapping[str, TimedStep], numbers: Iterable[int], *, patience: float = PATIENCE
) -> dict[str, list[Timing]]:
    """Let all steps take turns with each number: a noisy moment hits them alike. The number decides who is first.

    Once so many seconds have gone by and enough rounds are done, no other one begins: what is far over its budget is
    known to be so long before the last number.
    """
    found: dict[str, list[Timing]] = {name: [] for name in steps}
    names = list(steps)
    began = time.monotonic()
    for done, number in enumerate(numbers):
        if done >= ENOUGH_ROUNDS and time.monotonic() - began > patience:
            break
        turn = number % len(names)
        for name in names[turn:] + names[:turn]:
            found[name].append(steps[name](number))
    return found

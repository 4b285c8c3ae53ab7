"""Results: a measured value beside its floor, and whether it keeps its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from benchmarks.budgets import BUDGETS, Budget
from benchmarks.measure import Spread, Timing


@dataclass(frozen=True, slots=True)
class Result:
    """One measurement. `budget` names what it is held against; without one it is only told.

    `cpu_ratio` is the ratio of the processor times, which other programs on the machine disturb less.
    """

    name: str
    unit: str
    value: Spread
    floor_name: str
    floor: Spread
    budget: str | None = None
    notes: tuple[str, ...] = ()
    cpu_ratio: float | None = None

    @classmethod
    def of_timings(
        cls,
        name: str,
        timings: Sequence[Timing],
        floor_name: str,
        floor: Sequence[Timing],
        budget: str | None = None,
        notes: tuple[str, ...] = (),
    ) -> Self:
        """Compare what a step took with what its floor took, in milliseconds."""
        return cls(
            name=name,
            unit="ms",
            value=Spread.of_walls(timings),
            floor_name=floor_name,
            floor=Spread.of_walls(floor),
            budget=budget,
            notes=notes,
            cpu_ratio=Spread.of_cpus(timings).median / Spread.of_cpus(floor).median,
        )

    @property
    def held_against(self) -> Budget | None:
        """The budget itself."""
        return None if self.budget is None else BUDGETS[self.budget]

    @property
    def amount(self) -> float:
        """The value that counts: the median, or what 19 of 20 stay below where the budget says so."""
        budget = self.held_against
        return self.value.median if budget is None or budget.statistic == "median" else self.value.p95

    @property
    def ratio(self) -> float:
        """How many times its floor the value is."""
        return self.amount / self.floor.median

    @property
    def is_met(self) -> bool | None:
        """Whether the budget is kept; None without one."""
        budget = self.held_against
        return None if budget is None else budget.is_met(self.ratio if budget.of == "ratio" else self.amount)

    def document(self) -> dict[str, Any]:
        """Return the result as JSON."""
        budget = self.held_against
        return {
            "budget": self.budget,
            "cpu_ratio": self.cpu_ratio,
            "floor": self.floor.median,
            "floor_name": self.floor_name,
            "floor_spread": asdict(self.floor),
            "met": self.is_met,
            "name": self.name,
            "notes": list(self.notes),
            "ratio": self.ratio,
            "spread": asdict(self.value),
            "target": None if budget is None else str(budget),
            "unit": self.unit,
            "value": self.amount,
        }


@dataclass(frozen=True, slots=True)
class Point:
    """What one ingest costs with so many claims stored, in milliseconds."""

    claims: int
    cost: Spread


@dataclass(frozen=True, slots=True)
class Curve:
    """Cost against stored claims; `plot` says what the claims are counted in, `name` what was ingested."""

    plot: str
    name: str
    points: tuple[Point, ...]

    def document(self) -> dict[str, Any]:
        """Return the curve as JSON."""
        points = [{"claims": point.claims, **asdict(point.cost)} for point in self.points]
        return {"name": self.name, "plot": self.plot, "points": points}


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything that one benchmark found."""

    results: tuple[Result, ...]
    curves: tuple[Curve, ...] = field(default=())

"""The budgets: what each measurement may cost, and the sizes that it is meant for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Budget:
    """A bound on a measured value, or on its ratio to its floor."""

    what: str
    of: Literal["ratio", "value"]
    bound: Literal["at most", "at least"]
    limit: float
    unit: str = ""
    statistic: Literal["median", "p95"] = "median"

    def __str__(self) -> str:
        """Say the bound in a few words."""
        unit = "x" if self.of == "ratio" else f" {self.unit}"
        return f"{self.bound} {self.limit:g}{unit}"

    def is_met(self, amount: float) -> bool:
        """Whether an amount keeps within the bound."""
        return amount <= self.limit if self.bound == "at most" else amount >= self.limit


BUDGETS = {
    "ingest": Budget("one durable ingest against a raw transaction with the same rows", "ratio", "at most", 1.4),
    "growth": Budget("one ingest with 100,000 claims stored against 1,000", "ratio", "at most", 1.3),
    "growth-corrections": Budget("the same for messages that correct", "ratio", "at most", 1.3),
    "late": Budget("a late arrival with 20,000 claims stored against one in order", "ratio", "at most", 5.0),
    "clients": Budget("32 clients against raw group commit with the same rows", "ratio", "at least", 0.5),
    "replay": Budget("replay against checksum, parse and raw append", "ratio", "at least", 0.5),
    "replay-rate": Budget("replay in one process", "value", "at least", 4_000, "plans/s"),
    "replay-memory": Budget("most memory of a replay, however many plans", "value", "at most", 1_500, "MiB"),
    "replay-processes": Budget("replay in N processes against N times one", "ratio", "at least", 0.8),
    "retrieve-few": Budget("retrieve with 1,000 open claims", "value", "at most", 2, "ms", "p95"),
    "retrieve-many": Budget("retrieve with 100,000 open claims", "value", "at most", 10, "ms", "p95"),
    "retrieve-after-message": Budget("the same just after a message of the owner", "value", "at most", 10, "ms", "p95"),
    "state": Budget("assertion state with 100,000 claims stored", "value", "at most", 3, "ms", "p95"),
    "state-after-message": Budget("the same just after a message of the owner", "value", "at most", 3, "ms", "p95"),
    "import": Budget("import prme against import duckdb, pydantic", "ratio", "at most", 1.5),
    "install": Budget("installed size without extras", "value", "at most", 150, "MB"),
}

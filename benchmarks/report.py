"""The report: JSON for programs, a table and Markdown for readers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.machine import Machine
from benchmarks.result import Curve, Result

HEADINGS = ("what", "value", "p10 to p90", "floor", "ratio", "of CPU time", "target", "met")


@dataclass(frozen=True, slots=True)
class Report:
    """Everything that one run found."""

    size: str
    machine: Machine
    results: tuple[Result, ...]
    curves: tuple[Curve, ...]

    @property
    def missed(self) -> list[Result]:
        """The results that keep their budget not."""
        return [result for result in self.results if result.is_met is False]

    def document(self) -> dict[str, Any]:
        """Return the report as JSON."""
        return {
            "curves": [curve.document() for curve in self.curves],
            "machine": self.machine.document(),
            "missed": [result.budget for result in self.missed],
            "results": [result.document() for result in self.results],
            "size": self.size,
        }

    def write(self, directory: Path) -> list[Path]:
        """Write the report into a directory, and return the files."""
        directory.mkdir(parents=True, exist_ok=True)
        as_json, as_markdown = directory / f"{self.size}.json", directory / f"{self.size}.md"
        as_json.write_text(json.dumps(self.document(), indent=2, sort_keys=True) + "\n", encoding="utf-8")
        as_markdown.write_text(self._markdown(), encoding="utf-8")
        return [as_json, as_markdown]

    def show(self, console: Console) -> None:
        """Print the table, then what was missed."""
        for line in self.machine.lines():
            console.print(line, highlight=False)
        table = Table(*HEADINGS)
        for result in self.results:
            table.add_row(*cells(result))
        console.print(table)
        for result in self.results:
            for note in result.notes:
                console.print(f"{result.name}: {note}", highlight=False)
        console.print(self.verdict(), highlight=False)

    def verdict(self) -> str:
        """Say in one line which budgets were missed."""
        held = sum(result.budget is not None for result in self.results)
        if not self.missed:
            return f"All {held} budgets are kept."
        return f"{len(self.missed)} of {held} budgets are missed: {', '.join(str(one.budget) for one in self.missed)}."

    def _markdown(self) -> str:
        lines = [f"# Benchmarks, size {self.size}", "", *(f"- {line}" for line in self.machine.lines()), ""]
        lines += _markdown_table(HEADINGS, [cells(result) for result in self.results])
        lines += ["", *(f"- {result.name}: {note}" for result in self.results for note in result.notes)]
        for curve in self.curves:
            lines += ["", f"## Cost of one ingest {curve.name}, by {curve.plot}", ""]
            rows = [(f"{p.claims:,}", *map(_number, (p.cost.median, p.cost.p10, p.cost.p90))) for p in curve.points]
            lines += _markdown_table(("claims", "median ms", "p10", "p90"), rows)
        return "\n".join([*lines, "", self.verdict(), ""])


def cells(result: Result) -> tuple[str, ...]:
    """Return the row of a result, in the order of the headings."""
    budget, spread = result.held_against, result.value
    statistic = f"{budget.statistic} " if budget is not None and budget.statistic != "median" else ""
    return (
        result.name,
        f"{statistic}{_number(result.amount)} {result.unit}",
        f"{_number(spread.p10)} to {_number(spread.p90)}",
        f"{_number(result.floor.median)} {result.unit} ({result.floor_name})",
        f"{_number(result.ratio)}x",
        "" if result.cpu_ratio is None else f"{_number(result.cpu_ratio)}x",
        "" if budget is None else str(budget),
        "" if result.is_met is None else "yes" if result.is_met else "NO",
    )


def _markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (headings, ["---"] * len(headings), *rows)]


def _number(amount: float) -> str:
    return f"{amount:,.0f}" if amount >= 100 else f"{amount:.3g}"

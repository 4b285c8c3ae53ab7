"""All benchmarks by name, and a run of some of them."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path

from benchmarks import clients, growth, imports, ingest, install, late, replay, retrieval, state
from benchmarks.machine import machine
from benchmarks.report import Report
from benchmarks.result import Outcome
from benchmarks.sizes import Size
from benchmarks.stores import Workshop

BENCHMARKS: dict[str, Callable[[Workshop], Outcome]] = {
    "ingest": ingest.measure,
    "growth": growth.measure,
    "late": late.measure,
    "clients": clients.measure,
    "replay": replay.measure,
    "retrieval": retrieval.measure,
    "state": state.measure,
    "imports": imports.measure,
    "install": install.measure,
}


def run(names: Iterable[str], size: Size, directory: Path, *, tell: Callable[[str], object]) -> Report:
    """Run benchmarks one after the other; their files lie below the directory while they run, and are removed."""
    directory.mkdir(parents=True, exist_ok=True)
    facts = machine(directory)
    outcomes: list[Outcome] = []
    for name in names:
        tell(f"measuring {name}")
        with tempfile.TemporaryDirectory(prefix=f"{name}-", dir=directory) as files:
            outcomes.append(BENCHMARKS[name](Workshop(Path(files), size)))
    return Report(
        size=size.name,
        machine=facts,
        results=tuple(result for outcome in outcomes for result in outcome.results),
        curves=tuple(curve for outcome in outcomes for curve in outcome.curves),
    )

"""Facts about the machine, without which no number means anything."""

from __future__ import annotations

import os
import platform
import tempfile
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from benchmarks.measure import Spread, interleaved, timed

PROBES = 30
BLOCK = b"\0" * 4_096


@dataclass(frozen=True, slots=True)
class Machine:
    """What the numbers depend on. `sync` is how long a write of 4 KiB takes to reach the disk, in milliseconds."""

    processor: str
    cores: int
    memory_gib: float
    load: tuple[float, float, float]
    system: str
    python: str
    packages: dict[str, str]
    sync: Spread

    def document(self) -> dict[str, Any]:
        """Return the facts as JSON."""
        return asdict(self)

    def lines(self) -> list[str]:
        """Return the facts for readers."""
        packages = ", ".join(f"{name} {number}" for name, number in self.packages.items())
        return [
            f"{self.processor}, {self.cores} cores, {self.memory_gib:.1f} GiB, {self.system}",
            f"Python {self.python}, {packages}",
            f"load {', '.join(f'{part:.2f}' for part in self.load)} at the start; "
            f"a synced write of 4 KiB takes {self.sync.median:.2f} ms ({self.sync.p10:.2f} to {self.sync.p90:.2f})",
        ]


def machine(directory: Path) -> Machine:
    """Return the facts; `directory` is on the disk that is measured."""
    return Machine(
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1,
        memory_gib=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30,
        load=os.getloadavg(),
        system=platform.platform(),
        python=platform.python_version(),
        packages={name: version(name) for name in ("prme", "duckdb", "pydantic")},
        sync=_sync(directory),
    )


def _processor() -> str:
    facts = Path("/proc/cpuinfo")
    if facts.exists():
        for line in facts.read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _sync(directory: Path) -> Spread:
    with tempfile.TemporaryFile(dir=directory) as file:

        def write(_: int) -> None:
            file.write(BLOCK)
            file.flush()
            os.fsync(file.fileno())

        return Spread.of_walls(interleaved({"sync": timed(write)}, range(PROBES))["sync"])

"""Stores to measure on, built from saved plans, and what is done with them in a process of its own."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from benchmarks.measure import Step
from benchmarks.plans import saved_plans
from benchmarks.sizes import Size
from benchmarks.workload import Said, WorkloadExtractor
from prme import MemoryClient
from prme.model.extraction import ExtractionRequest
from prme.model.message import Message
from prme.model.receipt import IngestReceipt


@dataclass(frozen=True, slots=True)
class Workshop:
    """Where a benchmark may put files, and how much it measures."""

    directory: Path
    size: Size
    _numbers: Iterator[int] = field(default_factory=count)

    def place(self, name: str) -> Path:
        """Return a new path that begins with a name."""
        return self.directory / f"{name}-{next(self._numbers)}"

    def plans(self, messages: Iterable[Said]) -> Path:
        """Write the plans of some messages, one a line."""
        path = self.place("plans").with_suffix(".jsonl")
        with path.open("wb") as file:
            for prepared in saved_plans(messages):
                file.write(prepared.data + b"\n")
        return path

    def store(self, messages: Iterable[Said], *, into: Path | None = None) -> Path:
        """Build a store that holds some messages, or let another one hold them too."""
        plans = self.plans(messages)
        directory = self.place("store") if into is None else into
        with open_store(directory) as memory:
            replay(memory, plans)
        plans.unlink()
        return directory

    def copy(self, store: Path) -> Path:
        """Copy a closed store."""
        return Path(shutil.copytree(store, self.place("copy")))


def replay(memory: MemoryClient, plans: Path, *, jobs: int = 1) -> None:
    """Publish saved plans into an open store; each of them must be usable."""
    report = memory.replay(plans, jobs=jobs)
    if report.problems:
        raise RuntimeError(f"the workload cannot be replayed: {report.problems[0]}")


def open_store(directory: Path) -> MemoryClient:
    """Open a store with the extractor of the workload."""
    return MemoryClient(directory, extractor=WorkloadExtractor())


def ingest(memory: MemoryClient, message: Message, *, named: bool = False) -> IngestReceipt:
    """Ingest a message of the workload; it is `named` when its own id goes with it."""
    receipt = memory.ingest(
        message.content,
        user_id=message.user_id,
        message_id=message.message_id if named else None,
        first_person_owner=message.first_person_owner,
        occurred_at=message.occurred_at,
    )
    if receipt.status != "published":
        raise RuntimeError(f"a message of the workload was not published: {receipt.reason_code}")
    return receipt


@contextmanager
def extracting(message: Message) -> Iterator[Step]:
    """Give a step that only runs the extractor of the workload."""
    extractor, request = WorkloadExtractor(), ExtractionRequest(message=message, policy="speech_act_v14")
    with asyncio.Runner() as runner:
        yield lambda _: runner.run(extractor.extract(request))

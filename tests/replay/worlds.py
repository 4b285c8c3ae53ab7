"""What tests of exports and replays share: a store in which everything happens, and random conversations."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from prme import MemoryClient, ReplayReport
from tests.decisions.conversation import SCRIPT
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Scripted, SettableClock

FAILING = "This one fails."
NOBODY = Scripted({})


def talk(memory: MemoryClient, clock: SettableClock) -> None:
    """Tell a store everything that an export has to carry: notes, plans, failures, late messages, all decisions."""
    for owner in ("sam", "Zoë\u202e"):
        said: dict[str, Any] = {"user_id": owner, "first_person_owner": True}
        tea = memory.ingest(TEA, **said).claims[0]
        clock.advance(hours=1)
        coffee = memory.ingest(COFFEE, **said, message_id="coffee", metadata={"a": [1, 2]}).claims[0]
        memory.ingest(TEA, **said)
        clock.advance(hours=1)
        memory.ingest(NO_TEA, **said)
        milk, wine = memory.ingest("I drink milk. I drink wine.", **said).claims
        note = memory.store("A note.", user_id=owner, speaker="Ines")
        other = memory.store("Another note.", user_id=owner, supersedes=memory.get_event_nodes(note)[0].id)
        memory.supersede(coffee, milk, evidence_id=other, user_id=owner)
        memory.contradict(milk, wine, user_id=owner, actor_id="support")
        clock.advance(hours=1)
        memory.ingest(COFFEE, **said)
        memory.resolve_contradiction(wine, milk, user_id=owner)
        memory.ingest(FAILING, **said)
        memory.ingest(TEA, **said, occurred_at=clock.moment.replace(year=2030))
        memory.store("Work.", user_id=owner, scope="work")
        assert tea


def opened(directory: Path | str = ":memory:", clock: SettableClock | None = None) -> MemoryClient:
    extractor = Scripted({**SCRIPT, FAILING: ValueError()})
    return MemoryClient(directory, extractor=extractor, clock=clock or SettableClock())


def exported(target: Path) -> tuple[Path, dict[str, str]]:
    """Export a store in which everything happened; return the target and the state digest of each owner."""
    clock = SettableClock()
    with opened(clock=clock) as memory:
        talk(memory, clock)
        memory.export_plans(target)
        report = memory.verify()
        assert report.ok
        return target, report.owners


def replayed(source: Path | list[Path], *, jobs: int = 1) -> tuple[ReplayReport, dict[str, str]]:
    """Replay into a new store, verify that, and return the report and the state digest of each owner."""
    with opened() as memory:
        report = memory.replay(source, jobs=jobs)
        verified = memory.verify()
        assert verified.ok, verified.differences
        return report, verified.owners


def dying(task: object) -> None:
    """Stand in for work that a process does not survive."""
    os._exit(3)


def lines(file: Path) -> list[bytes]:
    return file.read_bytes().splitlines(keepends=True)


def formats(file: Path) -> list[str]:
    return [json.loads(line)["format"] for line in lines(file)]


__all__ = ["dying", "exported", "formats", "lines", "opened", "replayed", "talk"]

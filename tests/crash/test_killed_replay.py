"""A replay that was killed has published whole owners, and goes on where it ended when it is run again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from prme import MemoryClient
from tests.engine.conversation import COFFEE, NO_TEA, TEA, Scripted

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("replaying_child.py")
OWNERS = 60

pytestmark = pytest.mark.slow


def export(target: Path) -> dict[str, str]:
    with MemoryClient(":memory:", extractor=Scripted()) as memory:
        said = {"first_person_owner": True}
        memory.ingest_batch(
            [
                {"content": content, "user_id": f"user {number}", **said}
                for number in range(OWNERS)
                for content in (TEA, COFFEE, NO_TEA, TEA)
            ]
        )
        memory.export_plans(target)
        return memory.verify().owners


def commits(store: Path) -> int:
    """Return the number of the newest commit that the anchor knows."""
    anchor = store / "anchor"
    words = anchor.read_text().split() if anchor.exists() else []
    return int(words[1]) if len(words) > 1 else 0


def replay_and_kill(store: Path, source: Path, *, after: int) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "extractors")])}
    arguments = [sys.executable, str(CHILD), str(store), str(source)]
    with subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE) as child:
        while commits(store) < after and child.poll() is None:
            time.sleep(0.001)
        child.send_signal(signal.SIGKILL)
        _, complaint = child.communicate(timeout=60)
    assert child.returncode == -signal.SIGKILL, complaint.decode()


def test_a_killed_replay_goes_on_where_it_ended(tmp_path: Path):
    store, source = tmp_path / "store", tmp_path / "x.jsonl"
    states = export(source)
    for after in (1, 5, 15):
        replay_and_kill(store, source, after=after)
        with MemoryClient(store) as memory:
            report = memory.verify()
            assert report.ok, report.differences
            assert report.owners.items() <= states.items()
            assert 2 * after <= len(report.owners) < OWNERS
            done = len(report.owners)
    with MemoryClient(store) as memory:
        rest = memory.replay(source)

        assert (rest.problems, rest.already_there, rest.events) == ((), 4 * done, 4 * (OWNERS - done))
        assert (memory.verify().ok, memory.verify().owners) == (True, states)

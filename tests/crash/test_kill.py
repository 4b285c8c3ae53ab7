"""A process killed at any moment has lost nothing that it had answered, and left nothing half-published."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from prme import MemoryClient
from tests.engine.conversation import Remote, raw

ROOT = Path(__file__).parents[2]
CHILD = Path(__file__).with_name("writing_child.py")

pytestmark = pytest.mark.slow

HALF_PUBLISHED = """
    select e.event_id from events e
    left join plans p on p.owner_key = e.owner_key and p.event_id = e.event_id
    left join extractions x on x.owner_key = e.owner_key and x.event_id = e.event_id
    left join journal j on j.owner_key = e.owner_key and j.event_id = e.event_id and j.kind = 'PLAN_PUBLISHED'
    left join claims c on c.owner_key = e.owner_key and c.event_id = e.event_id
    left join intervals i on i.owner_key = e.owner_key and i.node_id = c.claim_id
    left join evidence v on v.owner_key = e.owner_key and v.claim_id = c.claim_id
    left join decisions d on d.owner_key = e.owner_key and d.claim_id = c.claim_id
    group by e.event_id
    having count(distinct p.event_id) + count(distinct x.event_id) + count(distinct j.event_id)
        + count(distinct c.event_id) + count(distinct i.node_id) + count(distinct v.claim_id)
        + count(distinct d.claim_id) not in (0, 7)
"""
NEITHER_PUBLISHED_NOR_WAITING = """
    select e.event_id from events e
    where not exists (select 1 from plans p where p.event_id = e.event_id)
    and not exists (select 1 from work w where w.event_id = e.event_id)
"""


@dataclass
class Acknowledged:
    """What the killed process had answered: message number, event id and plan checksum."""

    number: int
    event_id: str
    checksum: str


def acknowledged(path: Path) -> list[Acknowledged]:
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return [Acknowledged(int(number), event, checksum) for number, event, checksum in map(str.split, lines)]


def run_and_kill(store: Path, answers: Path, *, way: str, after: float) -> None:
    """Start the writing process, let it answer at least once, and kill it `after` seconds later."""
    before = len(acknowledged(answers))
    first = max((answer.number for answer in acknowledged(answers)), default=-1) + 100
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "extractors")])}
    child = subprocess.Popen(
        [sys.executable, str(CHILD), str(store), str(answers), str(first), way],
        env=environment,
        stderr=subprocess.PIPE,
    )
    with child:
        deadline = time.monotonic() + 60
        while len(acknowledged(answers)) == before and child.poll() is None and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(after)
        alive = child.poll() is None
        child.send_signal(signal.SIGKILL)
        _, complaint = child.communicate(timeout=60)
    assert (alive, child.returncode) == (True, -signal.SIGKILL), complaint.decode()


def check(store: Path, answers: Path, *, way: str) -> None:
    """Open what the killed process left, and hold it against what it had answered."""
    with MemoryClient(store, extractor=Remote()) as memory:
        report = memory.verify()
        assert (report.ok, list(report.notes)) == (True, []), report.differences
        for answer in acknowledged(answers):
            event = memory.get_event(answer.event_id)
            assert event is not None, answer
            assert event.message_id == str(answer.number)
            if way != "queued":
                assert memory.get_plan(answer.event_id).checksum == answer.checksum
        if way == "queued":
            memory.process_pending()
            assert all(memory.get_plan(answer.event_id) for answer in acknowledged(answers))
            assert memory.verify().ok
    assert raw(store, HALF_PUBLISHED) == []
    assert raw(store, NEITHER_PUBLISHED_NOR_WAITING) == []


@pytest.mark.parametrize(("way", "kills"), [("alone", 4), ("together", 4), ("queued", 3)])
def test_a_store_survives_being_killed_again_and_again(tmp_path: Path, way: str, kills: int):
    chance = random.Random(f"same store, {way}")
    for _ in range(kills):
        run_and_kill(tmp_path / "store", tmp_path / "answers", way=way, after=chance.uniform(0, 0.25))
        check(tmp_path / "store", tmp_path / "answers", way=way)

    assert len(acknowledged(tmp_path / "answers")) >= kills


@pytest.mark.parametrize(("way", "kills"), [("alone", 6), ("together", 6), ("queued", 3)])
def test_a_new_store_survives_being_killed(tmp_path: Path, way: str, kills: int):
    chance = random.Random(f"new stores, {way}")
    for place in range(kills):
        store, answers = tmp_path / f"store {place}", tmp_path / f"answers {place}"
        run_and_kill(store, answers, way=way, after=chance.uniform(0, 0.1))
        check(store, answers, way=way)

        assert acknowledged(answers)


def test_a_process_killed_while_it_opens_a_new_store_leaves_one_that_opens(tmp_path: Path):
    chance = random.Random("opening")
    for place in range(5):
        store, answers = tmp_path / f"store {place}", tmp_path / f"answers {place}"
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "extractors")])}
        with subprocess.Popen(
            [sys.executable, str(CHILD), str(store), str(answers), "0", "alone"], env=environment
        ) as child:
            while not store.exists() and child.poll() is None:
                time.sleep(0.0005)
            time.sleep(chance.uniform(0, 0.03))
            child.send_signal(signal.SIGKILL)
            child.wait(60)

        check(store, answers, way="alone")

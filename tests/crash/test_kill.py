"""A process killed at any moment has lost nothing that it had answered, and left nothing half-published."""

from __future__ import annotations

import os
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
HALF_DECIDED = """
    select j.owner_key, j.seq from journal j
    left join explicit_decisions d on d.owner_key = j.owner_key and d.seq = j.seq
    left join intervals i on i.owner_key = j.owner_key and i.seq = j.seq and i.status = 'superseded'
    left join events e on e.owner_key = j.owner_key and e.event_id = d.evidence_id
    where j.kind = 'SUPERSEDENCE_APPLIED' and (d.seq is null or i.seq is null or e.event_id is null)
"""
NEITHER_PUBLISHED_NOR_WAITING = """
    select e.event_id from events e
    where e.kind = 'ingest' and not exists (select 1 from plans p where p.event_id = e.event_id)
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


def started(store: Path, answers: Path, *, first: int, way: str) -> subprocess.Popen[bytes]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "extractors")])}
    arguments = [sys.executable, str(CHILD), str(store), str(answers), str(first), way]
    return subprocess.Popen(arguments, env=environment, stderr=subprocess.PIPE)


def run_and_kill(store: Path, answers: Path, *, way: str, after: float) -> None:
    """Start the writing process, let it answer at least once, and kill it `after` seconds later."""
    before = len(acknowledged(answers))
    first = max((answer.number for answer in acknowledged(answers)), default=-1) + 100
    with started(store, answers, first=first, way=way) as child:
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
        assert report.ok, report.differences
        if acknowledged(answers):  # before the first answer the first commit may still be without its anchor
            assert list(report.notes) == []
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
    assert raw(store, HALF_DECIDED) == []
    assert raw(store, NEITHER_PUBLISHED_NOR_WAITING) == []


@pytest.mark.parametrize(
    ("way", "delays"),
    [
        ("alone", (0.0, 0.013, 0.111, 0.237)),
        ("together", (0.0, 0.017, 0.093, 0.251)),
        ("queued", (0.0, 0.029, 0.173)),
        ("deciding", (0.0, 0.021, 0.127)),
    ],
)
def test_a_store_survives_being_killed_again_and_again(tmp_path: Path, way: str, delays: tuple[float, ...]):
    for delay in delays:
        run_and_kill(tmp_path / "store", tmp_path / "answers", way=way, after=delay)
        check(tmp_path / "store", tmp_path / "answers", way=way)

    assert len(acknowledged(tmp_path / "answers")) >= len(delays)


@pytest.mark.parametrize("delay", [0.0, 0.003, 0.011, 0.042, 0.087])
@pytest.mark.parametrize("way", ["alone", "together", "queued"])
def test_a_new_store_survives_being_killed(tmp_path: Path, way: str, delay: float):
    run_and_kill(tmp_path / "store", tmp_path / "answers", way=way, after=delay)
    check(tmp_path / "store", tmp_path / "answers", way=way)

    assert acknowledged(tmp_path / "answers")


@pytest.mark.parametrize("delay", [0.0, 0.004, 0.009, 0.016, 0.031])
def test_a_process_killed_while_it_opens_a_new_store_leaves_one_that_opens(tmp_path: Path, delay: float):
    store, answers = tmp_path / "store", tmp_path / "answers"
    with started(store, answers, first=0, way="alone") as child:
        while not store.exists() and child.poll() is None:
            time.sleep(0.0005)
        time.sleep(delay)
        child.send_signal(signal.SIGKILL)
        child.communicate(timeout=60)

    check(store, answers, way="alone")


def test_the_check_notices_a_message_that_was_answered_and_lost(tmp_path: Path):
    run_and_kill(tmp_path / "store", tmp_path / "answers", way="alone", after=0)
    with (tmp_path / "answers").open("a") as file:
        file.write("7 00000000-0000-0000-0000-000000000000 sha256:0\n")

    with pytest.raises(AssertionError):
        check(tmp_path / "store", tmp_path / "answers", way="alone")


@pytest.mark.parametrize("table", ["plans", "extractions", "claims", "intervals", "evidence", "decisions"])
def test_the_check_notices_a_half_published_message(tmp_path: Path, table: str):
    run_and_kill(tmp_path / "store", tmp_path / "answers", way="alone", after=0)
    check(tmp_path / "store", tmp_path / "answers", way="alone")
    raw(tmp_path / "store", f"delete from {table}")

    assert raw(tmp_path / "store", HALF_PUBLISHED) != []

"""An export holds everything that changed the state, and the same content is the same bytes."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from prme import MemoryClient
from prme.canonical import canonical_document
from prme.errors import StoreError
from tests.engine.conversation import TEA, SettableClock
from tests.replay.worlds import exported, formats, lines, opened, talk

ROOT = Path(__file__).parents[2]


@pytest.fixture
def memory():
    clock = SettableClock()
    with opened(clock=clock) as memory:
        talk(memory, clock)
        yield memory


def test_a_plans_record_is_its_saved_bytes(memory: MemoryClient, tmp_path: Path):
    memory.export_plans(tmp_path / "x.jsonl")
    records = set(lines(tmp_path / "x.jsonl"))
    events = [json.loads(line)["event"]["id"] for line in records if b'"format":"prme.plan/1"' in line]

    assert events
    assert {memory.get_plan_data(event) + b"\n" for event in events} <= records


def test_owners_come_by_id_then_events_as_received_then_decisions_by_number(memory: MemoryClient, tmp_path: Path):
    memory.export_plans(tmp_path / "x.jsonl")
    documents = [json.loads(line) for line in lines(tmp_path / "x.jsonl")][:-1]
    keys = [
        (doc["user_id"], 1, f"{doc['number']:08}")
        if doc["format"] == "prme.decision/1"
        else (doc["event"]["user_id"], 0, doc["event"]["received_at"])
        for doc in documents
    ]

    assert keys == sorted(keys)
    assert len({key[0] for key in keys}) == 2


def test_every_record_is_canonical_and_the_manifest_is_the_last(memory: MemoryClient, tmp_path: Path):
    memory.export_plans(tmp_path / "x.jsonl")

    assert formats(tmp_path / "x.jsonl")[-1] == "prme.manifest/1"
    assert {"prme.plan/1", "prme.event/1", "prme.decision/1"} == set(formats(tmp_path / "x.jsonl")[:-1])
    assert [line for line in lines(tmp_path / "x.jsonl") if canonical_document(json.loads(line)) + b"\n" != line] == []


def test_the_manifest_gives_the_states_that_verify_gives(memory: MemoryClient, tmp_path: Path):
    manifest = memory.export_plans(tmp_path / "x.jsonl")

    assert memory.verify().owners == {owner.user_id: owner.state_digest for owner in manifest.owners}


def test_a_packed_export_is_the_plain_one_packed_and_always_the_same_bytes(memory: MemoryClient, tmp_path: Path):
    for name in ("x.jsonl", "a.jsonl.gz", "b.jsonl.gz"):
        memory.export_plans(tmp_path / name)

    assert gzip.decompress((tmp_path / "a.jsonl.gz").read_bytes()) == (tmp_path / "x.jsonl").read_bytes()
    assert (tmp_path / "a.jsonl.gz").read_bytes() == (tmp_path / "b.jsonl.gz").read_bytes()


def test_a_directory_holds_the_same_records_in_the_same_order(memory: MemoryClient, tmp_path: Path):
    memory.export_plans(tmp_path / "x.jsonl")
    memory.export_plans(tmp_path / "x")
    files = [path for path in (tmp_path / "x").rglob("*.json") if path.name != "manifest.json"]

    assert sorted(path.read_bytes() + b"\n" for path in files) == sorted(lines(tmp_path / "x.jsonl")[:-1])
    assert (tmp_path / "x" / "manifest.json").read_bytes() + b"\n" == lines(tmp_path / "x.jsonl")[-1]


def test_one_owner_can_be_exported_alone(memory: MemoryClient, tmp_path: Path):
    manifest = memory.export_plans(tmp_path / "x.jsonl", user_id="sam")

    assert [owner.user_id for owner in manifest.owners] == ["sam"]
    assert "Zo" not in (tmp_path / "x.jsonl").read_text(encoding="utf-8")


def test_an_unknown_owner_gives_an_export_of_nobody(memory: MemoryClient, tmp_path: Path):
    assert memory.export_plans(tmp_path / "x.jsonl", user_id="nobody").owners == ()


@pytest.mark.parametrize("name", ["x.jsonl", "x.gz", "x"])
def test_nothing_that_is_there_is_replaced(memory: MemoryClient, tmp_path: Path, name: str):
    (tmp_path / name).write_text("mine")

    with pytest.raises(StoreError, match="is there already"):
        memory.export_plans(tmp_path / name)
    assert (tmp_path / name).read_text() == "mine"


@pytest.mark.parametrize("name", ["x.jsonl", "x.gz", "x"])
def test_a_failed_export_leaves_nothing_behind(tmp_path: Path, name: str):
    with opened(tmp_path / "store") as memory:
        memory.ingest(TEA, user_id="sam", first_person_owner=True)
        memory._engine._service._database._connection.execute("delete from extractions; delete from plans").fetchall()

        with pytest.raises(StoreError, match="neither a plan"):
            memory.export_plans(tmp_path / name)

    assert os.listdir(tmp_path) == ["store"]


def test_a_name_for_one_record_is_refused(memory: MemoryClient, tmp_path: Path):
    with pytest.raises(StoreError, match=r"jsonl\.gz"):
        memory.export_plans(tmp_path / "x.json")


def test_the_bytes_depend_neither_on_the_process_nor_on_its_hash_seed(tmp_path: Path):
    code = "import sys; from pathlib import Path; from tests.replay.worlds import exported; exported(Path(sys.argv[1]))"
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'extractors'}"}
        subprocess.run([sys.executable, "-c", code, tmp_path / f"{seed}.jsonl"], env=environment, check=True)

    assert (tmp_path / "1.jsonl").read_bytes() == (tmp_path / "2.jsonl").read_bytes()
    assert exported(tmp_path / "3.jsonl")[0].read_bytes() == (tmp_path / "1.jsonl").read_bytes()

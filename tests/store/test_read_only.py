"""A store that is opened for reading answers as it stands, and not one byte of its directory changes."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from prme import MemoryClient
from prme.errors import StoreCorruptError, StoreError, StoreLockedError, StoreVersionError
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE
from prme.store.owners import owners
from prme.store.read_only import reading_only
from prme.store.records import owner_plans
from tests.engine.conversation import COFFEE, TEA, Scripted, SettableClock

KILLED = """
import os, sys
from prme import MemoryClient
memory = MemoryClient(sys.argv[1])
memory.ingest("I ride a road bike.", user_id="sam", first_person_owner=True)
os._exit(0)
"""


def contents(directory: Path) -> dict[str, tuple[str, int]]:
    return {
        path.name: (hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns)
        for path in directory.iterdir()
    }


def plans_in(directory: Path) -> int:
    with reading_only(directory) as reader:
        return sum(len(owner_plans(reader, key)) for key, _ in owners(reader))


def tell(directory: Path, *texts: str) -> None:
    with MemoryClient(directory, extractor=Scripted(), clock=SettableClock()) as memory:
        for text in texts:
            memory.ingest(text, user_id="sam", first_person_owner=True)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    tell(tmp_path / "memory", TEA, COFFEE)
    return tmp_path / "memory"


def change(store: Path, sql: str) -> None:
    with duckdb.connect(str(store / DATABASE_FILE)) as connection:
        connection.execute(sql)


def test_a_closed_store_is_read_and_stays_as_it_was(store: Path):
    before = contents(store)

    assert plans_in(store) == 2
    assert contents(store) == before


def test_a_missing_anchor_is_not_written(store: Path):
    (store / ANCHOR_FILE).unlink()

    assert plans_in(store) == 2
    assert not (store / ANCHOR_FILE).exists()


@pytest.mark.slow
def test_the_log_of_a_killed_process_is_read_and_not_merged(store: Path):
    subprocess.run([sys.executable, "-c", KILLED, str(store)], check=True)
    before = contents(store)

    assert f"{DATABASE_FILE}.wal" in before
    assert plans_in(store) == 3
    assert contents(store) == before


def test_a_directory_without_a_store_is_refused_and_gets_none(tmp_path: Path):
    with pytest.raises(StoreError, match="there is no store in"):
        plans_in(tmp_path)

    assert list(tmp_path.iterdir()) == []


def test_a_store_that_a_client_writes_to_is_refused(store: Path):
    with MemoryClient(store), pytest.raises(StoreLockedError, match="writes to the store"):
        plans_in(store)


def test_a_store_that_lost_commits_is_refused(store: Path):
    shutil.copytree(store, store.parent / "older")
    tell(store, "I say more.")
    shutil.copy(store.parent / "older" / DATABASE_FILE, store)

    with pytest.raises(StoreCorruptError, match="commits were lost"):
        plans_in(store)


def test_a_store_ahead_of_its_anchor_is_read(store: Path):
    shutil.copytree(store, store.parent / "older")
    tell(store, "I say more.")
    shutil.copy(store.parent / "older" / ANCHOR_FILE, store)

    assert plans_in(store) == 3


def test_a_damaged_anchor_is_refused(store: Path):
    (store / ANCHOR_FILE).write_bytes(b"prme-anchor/9")

    with pytest.raises(StoreCorruptError, match="the anchor file 'anchor' is damaged"):
        plans_in(store)


def test_an_empty_anchor_knows_nothing(store: Path):
    (store / ANCHOR_FILE).write_bytes(b"")

    assert plans_in(store) == 2
    assert (store / ANCHOR_FILE).read_bytes() == b""


def test_a_file_that_is_no_database_is_refused_and_left(store: Path):
    (store / DATABASE_FILE).write_bytes(b"not a database" * 1000)
    before = contents(store)

    with pytest.raises(StoreCorruptError, match="cannot be read"):
        plans_in(store)
    assert contents(store) == before


def test_a_database_of_another_program_is_refused(tmp_path: Path):
    change(tmp_path, "create table songs (name text)")

    with pytest.raises(StoreCorruptError, match="holds no store"):
        plans_in(tmp_path)


def test_a_store_of_another_format_is_refused(store: Path):
    change(store, "update meta set value = 'prme.store/9' where key = 'format'")

    with pytest.raises(StoreVersionError, match=r"the store has format 'prme\.store/9'"):
        plans_in(store)


def test_a_store_that_holds_a_later_policy_is_refused(store: Path):
    change(store, "insert into meta values ('policy.98', 'speech_act_v98')")

    with pytest.raises(StoreVersionError, match="plans of policy 'speech_act_v98'"):
        plans_in(store)

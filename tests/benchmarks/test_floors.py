"""The floors are honest: they do what they are said to do, and no more."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from benchmarks.install import reachable
from benchmarks.raw import RawStore, seen_batches
from benchmarks.replay import check_and_parse
from benchmarks.sizes import SMOKE
from benchmarks.stores import Workshop, ingest, open_store
from benchmarks.workload import conversation
from prme.store.opening import DATABASE_FILE
from prme.store.rows import TABLES, Row


def rows_of(store: Path) -> dict[str, list[Row]]:
    with duckdb.connect(str(store / DATABASE_FILE), read_only=True) as connection:
        return {table: sorted(connection.execute(f"from {table}").fetchall(), key=repr) for table in TABLES}


@pytest.mark.parametrize("way", [RawStore.append, RawStore.insert])
def test_the_floor_stores_the_very_rows_that_the_library_commits(tmp_path: Path, way):
    with RawStore(tmp_path / "raw") as raw, open_store(tmp_path / "store") as memory, seen_batches() as seen:
        for turn in conversation(owners=2, turns=10):
            ingest(memory, turn.message)
        for batch in seen:
            way(raw, batch)

    assert rows_of(tmp_path / "store") == rows_of(tmp_path / "raw")


def test_batches_are_seen_only_while_somebody_looks(tmp_path: Path):
    first, second = conversation(owners=1, turns=2)
    with open_store(tmp_path / "store") as memory:
        with seen_batches() as seen:
            ingest(memory, first.message)
        ingest(memory, second.message)

    assert len(seen) == 1


def test_the_floor_of_a_replay_reads_every_plan(tmp_path: Path):
    plans = Workshop(tmp_path, SMOKE).plans(conversation(owners=2, turns=5))

    assert check_and_parse(plans) == 10


def test_the_floor_of_a_replay_proves_checksums(tmp_path: Path):
    plans = Workshop(tmp_path, SMOKE).plans(conversation(owners=1, turns=1))
    plans.write_bytes(plans.read_bytes().replace(b"on most days", b"on some days"))

    with pytest.raises(AssertionError):
        check_and_parse(plans)


def test_the_installed_size_counts_what_dependencies_need_and_no_extras():
    found = reachable("prme")

    assert {"prme", "duckdb", "pydantic", "pydantic-core"} <= found.keys()
    assert found.keys().isdisjoint({"anthropic", "openai", "pytest"})

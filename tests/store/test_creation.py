"""A new database file appears with its tables, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import duckdb
import pytest

from prme.errors import StoreError
from prme.store.database import Database
from prme.store.opening import DATABASE_FILE


def test_a_new_store_leaves_nothing_beside_its_files(tmp_path: Path):
    Database(tmp_path).close()

    assert sorted(path.name for path in tmp_path.iterdir()) == ["anchor", DATABASE_FILE]


def test_what_a_killed_process_left_half_made_does_not_stop_the_next_one(tmp_path: Path):
    (tmp_path / ".new-killed").mkdir()
    (tmp_path / ".new-killed" / DATABASE_FILE).write_bytes(b"\0" * 4096)

    database = Database(tmp_path)

    assert database.query("select count(*) from events") == [(0,)]
    database.close()


def test_half_a_file_in_its_place_is_reported(tmp_path: Path):
    (tmp_path / DATABASE_FILE).write_bytes(b"\0" * 4096)

    with pytest.raises(StoreError):
        Database(tmp_path)


def test_a_file_that_another_process_made_meanwhile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    link = os.link

    def slower(source: Path, target: Path) -> None:
        with duckdb.connect(str(target)) as other:
            other.execute("create table theirs (n integer)").fetchall()
        link(source, target)

    monkeypatch.setattr(os, "link", slower)

    with pytest.raises(StoreError, match="belongs to another program"):
        Database(tmp_path)

    with duckdb.connect(str(tmp_path / DATABASE_FILE)) as kept:
        assert kept.execute("select table_name from information_schema.tables").fetchall() == [("theirs",)]


def test_a_file_system_without_links_still_gets_a_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def refused(source: Path, target: Path) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refused)

    database = Database(tmp_path)

    assert database.query("select count(*) from events") == [(0,)]
    database.close()

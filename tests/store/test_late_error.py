"""An error that comes after the transaction was written, as from a checkpoint that finds the disk full."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest

from prme.errors import StoreError
from prme.store.anchor import AnchorMark
from prme.store.database import Database
from prme.store.rows import RowBatch

MARK = AnchorMark(1, "a" * 64)


class FailingConnection:
    """A connection that raises at COMMIT, after or instead of committing."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, *, commits: bool) -> None:
        self._connection = connection
        self._commits = commits

    def execute(self, sql: str, *arguments: Any) -> Any:
        if sql == "commit":
            self._connection.execute("commit" if self._commits else "rollback").fetchall()
            raise duckdb.IOException("no space left on device")
        return self._connection.execute(sql, *arguments)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)


def one_entry() -> RowBatch:
    batch = RowBatch()
    batch.add("owners", (1, "sam"))
    batch.add("journal", (1, 1, 1, "NOTE_STORED", None, 0, "c", "p", "d", MARK.digest, None, None))
    return batch


def failing(path: Path, *, commits: bool) -> Database:
    database = Database(path)
    database._connection = FailingConnection(database._connection, commits=commits)  # type: ignore[assignment]
    return database


def test_a_transaction_that_was_written_before_the_error_counts_as_stored(tmp_path: Path):
    database = failing(tmp_path, commits=True)

    database.commit(one_entry(), MARK)

    assert database.last_commit == MARK
    assert database.query("select user_id from owners") == [("sam",)]
    database.close()


def test_a_transaction_that_was_not_written_is_refused(tmp_path: Path):
    database = failing(tmp_path, commits=False)

    with pytest.raises(StoreError, match="nothing was stored"):
        database.commit(one_entry(), MARK)

    assert database.last_commit is None
    assert database.query("select user_id from owners") == []
    database.close()

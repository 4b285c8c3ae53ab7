"""The floor of every write: the very rows that the library commits, put into a second DuckDB file without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from unittest.mock import patch

import duckdb

from prme.store.anchor import AnchorMark
from prme.store.database import Database
from prme.store.opening import DATABASE_FILE
from prme.store.rows import TABLES, RowBatch


@contextmanager
def seen_batches() -> Iterator[list[RowBatch]]:
    """Give a list that every batch enters once the library has committed it."""
    seen: list[RowBatch] = []
    commit = Database.commit

    def commit_and_tell(database: Database, batch: RowBatch, mark: AnchorMark) -> None:
        commit(database, batch, mark)
        seen.append(batch)

    with patch.object(Database, "commit", commit_and_tell):
        yield seen


class RawStore:
    """A DuckDB file with the tables of a store; one call is one transaction."""

    def __init__(self, directory: Path, *, threads: int | None = None) -> None:
        """Create the file; with `threads` DuckDB uses no more than those."""
        Database(directory).close()
        self._connection = duckdb.connect(str(directory / DATABASE_FILE))
        self._connection.execute("set enable_progress_bar = false").fetchall()
        if threads is not None:
            self._connection.execute(f"set threads = {threads}").fetchall()
        self._appenders = {table: self._connection.appender(table) for table in TABLES}
        self._inserts: dict[tuple[str, int], Any] = {}

    def __enter__(self) -> Self:
        """Return the store."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the file."""
        self._connection.close()

    def append(self, batch: RowBatch) -> None:
        """Insert a batch through one appender for each table."""
        self._connection.execute("begin").fetchall()
        for table, rows in batch.tables.items():
            self._appenders[table].append_rows(rows)
            self._appenders[table].flush()
        self._connection.execute("commit").fetchall()

    def insert(self, batch: RowBatch) -> None:
        """Insert a batch through one statement for each table, parsed once and kept."""
        self._connection.execute("begin").fetchall()
        for table, rows in batch.tables.items():
            values = [value for row in rows for value in row]
            self._connection.execute(self._statement(table, rows), values).fetchall()
        self._connection.execute("commit").fetchall()

    def _statement(self, table: str, rows: list[tuple[Any, ...]]) -> Any:
        kept = self._inserts.get((table, len(rows)))
        if kept is None:
            row = f"({', '.join('?' * len(rows[0]))})"
            (kept,) = self._connection.extract_statements(f"insert into {table} values {', '.join([row] * len(rows))}")
            self._inserts[table, len(rows)] = kept
        return kept

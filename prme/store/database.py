"""The DuckDB file: opening it safely, one transaction at a time for the writer, cursors for readers."""

from __future__ import annotations

import contextlib
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import duckdb

from prme.errors import StoreCorruptError, StoreError, StoreVersionError
from prme.policy.registry import NEWEST_POLICY, POLICIES
from prme.store.anchor import AnchorFile, AnchorMark
from prme.store.opening import (
    ANCHOR_FILE,
    DATABASE_FILE,
    STORE_FORMAT,
    claim_path,
    connect,
    create_whole,
    is_anchored,
    refuse_lost_database,
    release_path,
    reported_damage,
    write_schema,
)
from prme.store.recent_commits import RecentCommits
from prme.store.rows import TABLES, Row, RowBatch

IN_MEMORY = ":memory:"
OLDER_FORMATS = frozenset({"prme.store/1", "prme.store/2"})
# For more rows than this an appender beats a statement that is kept (docs/performance.md).
MOST_ROWS_OF_A_STATEMENT = 2
# What DuckDB keeps of the file in memory; its own default is most of the machine's.
MEMORY_LIMIT = "1GB"
# How large the log grows before DuckDB merges it: after a crash it is read again, a small transaction at a time.
USUAL_LOG = "16MB"
LARGE_LOG = "256MB"
# How many values stand in one `in (...)`.
LONGEST_LIST = 500
CLOSED = "the store is closed: open a new client"
FORKED = (
    "the store was opened before this process was forked, and works only in the parent: open stores after forking, "
    "each process its own"
)

logger = logging.getLogger("prme")


class Reader(Protocol):
    """Something that answers reads: the database itself, or a snapshot of it."""

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a read."""


class _Snapshot:
    """Reads of one moment: everything it returns belongs to the same commit."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a read as of the snapshot."""
        with reported_damage():
            return self._cursor.execute(sql, list(parameters)).fetchall()


class Database:
    """One open store. `commit` is for the writer thread alone; `query` may be called from any thread."""

    def __init__(self, directory: str | Path) -> None:
        """Open or create the store in a directory, or `":memory:"`.

        Raises `StoreLockedError`, `StoreVersionError` or `StoreCorruptError`; nothing is changed then.
        """
        self._process = os.getpid()
        self._anchor: AnchorFile | None = None
        self._path: Path | None = None
        self._reading = threading.Condition()
        self._reads_in_flight = 0
        self._is_closed = False
        if str(directory) == IN_MEMORY:
            self._connection = duckdb.connect(IN_MEMORY)
        else:
            self._path = claim_path(directory)
        try:
            if self._path is not None:
                refuse_lost_database(self._path)
                create_whole(self._path)
                self._connection = connect(self._path / DATABASE_FILE)
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        with reported_damage():
            # Closing a refused store would merge what was read of a damaged log, and delete the rest of it.
            self._connection.execute("PRAGMA disable_checkpoint_on_shutdown").fetchall()
            self._connection.execute("SET GLOBAL TimeZone = 'UTC'").fetchall()
            self._connection.execute("SET GLOBAL threads = 1").fetchall()
            self._connection.execute("SET enable_progress_bar = false").fetchall()
            if self._path is not None:  # what lives in memory has nowhere else to go
                self._connection.execute(f"SET GLOBAL memory_limit = '{MEMORY_LIMIT}'").fetchall()
            self._readers = self._connection.cursor()
            # From here on this connection only inserts, and readers have their own: there is nothing to optimize.
            self._connection.execute("PRAGMA disable_optimizer").fetchall()
            if not self._has_tables():
                self._create_tables()
            self._check_format()
            self.held_policies = self._read_policies()
            self.last_commit = self._newest_commit()
        self.recent = RecentCommits(0 if self.last_commit is None else self.last_commit.commit_no)
        if self._path is not None:
            self._check_anchor(AnchorFile(self._path / ANCHOR_FILE))
        self._connection.execute("PRAGMA enable_checkpoint_on_shutdown").fetchall()
        self._appenders = {table: self._connection.appender(table) for table in TABLES}
        self._statements: dict[tuple[str, int], duckdb.Statement] = {}

    def _has_tables(self) -> bool:
        return bool(self.query("select table_name from information_schema.tables where table_name = 'meta'"))

    def _create_tables(self) -> None:
        if self.query("select table_name from information_schema.tables"):
            raise StoreCorruptError(
                "the database file belongs to another program: point prme at a directory of its own"
            )
        if self._path is not None and is_anchored(self._path):
            # The log that held the tables was not read: writing now would overwrite it.
            raise StoreCorruptError(
                "the database is empty, its anchor knows of commits: commits were lost. Restore the newest backup of "
                "the whole directory"
            )
        write_schema(self._connection)

    def _check_format(self) -> None:
        rows = self.query("select value from meta where key = 'format'")
        found = rows[0][0] if rows else "none"
        if found != STORE_FORMAT:
            way_out = (
                "it was written before the first release; ingest its conversations into a new directory"
                if found in OLDER_FORMATS
                else "upgrade prme to open it"
            )
            raise StoreVersionError(f"the store has format {found!r}, this release reads {STORE_FORMAT!r}: {way_out}")

    def _read_policies(self) -> dict[str, int]:
        """Return the policies that the store holds plans of; refuse one that this release does not know (003-56)."""
        rows = self.query("select key, value from meta where key like 'policy.%'")
        held = {str(name): int(key.removeprefix("policy.")) for key, name in rows}
        for name in sorted(held, key=held.__getitem__, reverse=True):
            if name not in POLICIES:
                raise StoreVersionError(
                    f"the store holds plans of policy {name!r}, this release knows policies up to "
                    f"{NEWEST_POLICY.name!r}: upgrade prme to open it"
                )
        return held

    def _newest_commit(self) -> AnchorMark | None:
        rows = self.query("select commit_no, commit_digest from journal order by commit_no desc limit 1")
        return AnchorMark(int(rows[0][0]), rows[0][1]) if rows else None

    def _check_anchor(self, anchor: AnchorFile) -> None:
        """Refuse a store that has lost commits which its anchor knows (SPEC 9)."""
        self._anchor = anchor
        mark = anchor.read()
        if mark is None:
            if self.last_commit is not None:
                anchor.rewrite(self.last_commit)
            return
        newest = 0 if self.last_commit is None else self.last_commit.commit_no
        rows = self.query("select distinct commit_digest from journal where commit_no = ?", [mark.commit_no])
        if newest < mark.commit_no:
            raise StoreCorruptError(
                f"the database ends at commit {newest}, its anchor knows commit {mark.commit_no}: commits were lost, "
                "or an old copy was put back. Restore the newest backup of the whole directory"
            )
        if rows != [(mark.digest,)]:
            raise StoreCorruptError(
                f"commit {mark.commit_no} of the database is not the one its anchor knows: the database or the anchor "
                "comes from another copy. Restore the newest backup of the whole directory"
            )

    @property
    def directory(self) -> Path | None:
        """The directory of the store; None when it lives in memory."""
        return self._path

    @property
    def anchor_was_rewritten(self) -> bool:
        """Whether the anchor file was missing once, so that commits lost before then cannot be noticed."""
        return self._anchor is not None and self._anchor.was_rewritten

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a read, on a cursor of its own. Raises `StoreError` or `StoreCorruptError`."""
        with self._cursor() as cursor, reported_damage():
            return cursor.execute(sql, list(parameters)).fetchall()

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Give a reader whose answers all belong to one commit."""
        with self._cursor() as cursor:
            cursor.execute("begin").fetchall()
            yield _Snapshot(cursor)

    @contextlib.contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """Give a cursor of its own, and keep the file open while it is in use."""
        self.refuse_fork()
        with self._reading:
            self.refuse_closed()
            cursor = self._readers.cursor()
            self._reads_in_flight += 1
        try:
            yield cursor
        finally:
            cursor.close()
            with self._reading:
                self._reads_in_flight -= 1
                self._reading.notify_all()

    def refuse_fork(self) -> None:
        """Raise `StoreError` in a forked child: neither the writer's thread nor the lock came along."""
        if os.getpid() != self._process:
            raise StoreError(FORKED)

    def refuse_closed(self) -> None:
        """Raise `StoreError` once the store is closed."""
        if self._is_closed:
            raise StoreError(CLOSED)

    def commit(self, batch: RowBatch, mark: AnchorMark) -> None:
        """Insert all rows in one transaction, or none. Raises `StoreError` when nothing was stored."""
        try:
            self._connection.execute("begin").fetchall()
            for table in TABLES:
                rows = batch.tables.get(table)
                if rows:
                    self._insert(table, rows)
            self._connection.execute("commit").fetchall()
        except BaseException as error:
            self._undo()
            # An error after the log was written comes too late: storing the same again would double it.
            if not self._holds(mark):
                if isinstance(error, duckdb.Error):
                    raise StoreError(
                        f"the store refused the transaction ({type(error).__name__}); nothing was stored. Check that "
                        "the disk is not full and that the directory can be written, then try again"
                    ) from None
                raise
        self.last_commit = mark
        self.recent.add(mark.commit_no, batch)
        self.held_policies |= {
            str(name): int(key.removeprefix("policy.")) for key, name in batch.tables.get("meta", ())
        }
        if self._anchor is not None:
            try:
                self._anchor.write(mark)
            except OSError as error:
                # The transaction is durable, and a store ahead of its anchor is normal: an error here would make
                # callers store the same message again.
                logger.warning("the anchor file could not be written: %s", error.strerror)

    @contextlib.contextmanager
    def many_large_commits(self) -> Iterator[None]:
        """Let the log grow before it is merged, as long as the block lasts: merging after each commit is dear."""
        self.query(f"SET GLOBAL checkpoint_threshold = '{LARGE_LOG}'")
        try:
            yield
        finally:
            self.query(f"SET GLOBAL checkpoint_threshold = '{USUAL_LOG}'")

    def merge_log(self) -> bool:
        """Merge the log into the database file; False when readers or the disk do not allow it now. For the writer."""
        try:
            self._connection.execute("checkpoint").fetchall()
        except duckdb.Error:
            return False
        return True

    def _insert(self, table: str, rows: Sequence[Row]) -> None:
        """Insert rows in the way that is faster for so many: a statement that is parsed once, or the appender."""
        if len(rows) > MOST_ROWS_OF_A_STATEMENT:
            self._appenders[table].append_rows(rows)
            self._appenders[table].flush()
            return
        statement = self._statements.get((table, len(rows)))
        if statement is None:
            values = ", ".join([f"({', '.join('?' * len(rows[0]))})"] * len(rows))
            (statement,) = self._connection.extract_statements(f"insert into {table} values {values}")
            self._statements[table, len(rows)] = statement
        self._connection.execute(statement, [value for row in rows for value in row]).fetchall()

    def _holds(self, mark: AnchorMark) -> bool:
        """Whether a commit whose transaction raised is in the store all the same."""
        try:
            return bool(self.query("select 1 from journal where commit_no = ? limit 1", [mark.commit_no]))
        except StoreError:
            return False

    def _undo(self) -> None:
        """Roll back, and drop buffered rows: they would survive the rollback and enter the next transaction."""
        for appender in self._appenders.values():
            with contextlib.suppress(duckdb.Error):
                appender.clear()
        with contextlib.suppress(duckdb.Error):
            self._connection.execute("rollback").fetchall()

    def close(self) -> None:
        """Wait for reads in flight, close the file and let others open it. Closing twice does nothing."""
        if os.getpid() != self._process:
            return  # the parent's to close
        with self._reading:
            if self._is_closed:
                return
            self._is_closed = True
            self._reading.wait_for(lambda: self._reads_in_flight == 0)
        for resource in ("_readers", "_connection", "_anchor"):
            opened = getattr(self, resource, None)
            if opened is not None:
                opened.close()
        self._anchor = None
        if self._path is not None:
            release_path(self._path)

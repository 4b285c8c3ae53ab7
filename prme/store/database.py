"""The DuckDB file: opening it safely, one transaction at a time for the writer, cursors for readers."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import tempfile
import threading
from collections.abc import Iterator, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Protocol

import duckdb

from prme.errors import StoreCorruptError, StoreError, StoreLockedError, StoreVersionError
from prme.policy.registry import NEWEST_POLICY, POLICIES
from prme.store.anchor import AnchorFile, AnchorMark
from prme.store.rows import TABLES, Row, RowBatch

IN_MEMORY = ":memory:"
DATABASE_FILE = "memory.duckdb"
ANCHOR_FILE = "anchor"
STORE_FORMAT = "prme.store/3"
OLDER_FORMATS = frozenset({"prme.store/1", "prme.store/2"})
FORKED = (
    "the store was opened before this process was forked, and works only in the parent: open stores after forking, "
    "each process its own"
)

# DuckDB's messages quote paths and SQL: neither may decide what a message is taken for.
_QUOTED = re.compile(r'"[^"]*"')
_DAMAGE = re.compile(r"corrupt|checksum|not a valid duckdb|\bwal\b|could not read enough bytes")

logger = logging.getLogger("prme")

_open_paths: set[Path] = set()
_open_paths_lock = threading.Lock()


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
        with _reported_damage():
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
            self._path = _claim_path(Path(directory))
        try:
            if self._path is not None:
                _refuse_lost_database(self._path)
                _create_whole(self._path)
                self._connection = _connect(self._path / DATABASE_FILE)
            self._prepare()
        except BaseException:
            self.close()
            raise

    def _prepare(self) -> None:
        with _reported_damage():
            self._connection.execute("SET GLOBAL TimeZone = 'UTC'").fetchall()
            self._readers = self._connection.cursor()
            if not self._has_tables():
                self._create_tables()
            self._check_format()
            self.held_policies = self._read_policies()
            self.last_commit = self._newest_commit()
        if self._path is not None:
            self._check_anchor(AnchorFile(self._path / ANCHOR_FILE))
        self._appenders = {table: self._connection.appender(table) for table in TABLES}

    def _has_tables(self) -> bool:
        return bool(self.query("select table_name from information_schema.tables where table_name = 'meta'"))

    def _create_tables(self) -> None:
        if self.query("select table_name from information_schema.tables"):
            raise StoreCorruptError(
                "the database file belongs to another program: point prme at a directory of its own"
            )
        if self._path is not None and _is_anchored(self._path):
            # The log that held the tables was not read: writing now would overwrite it.
            raise StoreCorruptError(
                "the database is empty, its anchor knows of commits: commits were lost. Restore the newest backup of "
                "the whole directory"
            )
        _write_schema(self._connection)

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
        with self._cursor() as cursor, _reported_damage():
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
            if self._is_closed:
                raise StoreError("the store is closed: open a new client")
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

    def commit(self, batch: RowBatch, mark: AnchorMark) -> None:
        """Insert all rows in one transaction, or none. Raises `StoreError` when nothing was stored."""
        try:
            self._connection.execute("begin").fetchall()
            for table in TABLES:
                rows = batch.tables.get(table)
                if rows:
                    self._appenders[table].append_rows(rows)
                    self._appenders[table].flush()
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
            with _open_paths_lock:
                _open_paths.discard(self._path)


def _claim_path(directory: Path) -> Path:
    """Create the directory and reserve it in this process: DuckDB would share the file between two clients here."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the store directory cannot be created: {error.strerror}") from None
    path = directory.resolve()
    with _open_paths_lock:
        if path in _open_paths:
            raise StoreLockedError(
                "the store is open in another client of this process: share that client, or close it first"
            )
        _open_paths.add(path)
    return path


def _refuse_lost_database(path: Path) -> None:
    if not (path / DATABASE_FILE).exists() and _is_anchored(path):
        raise StoreCorruptError(
            "the database file is gone, its anchor is still there: restore the newest backup of the whole directory, "
            "or use another directory for a new store"
        )


def _create_whole(path: Path) -> None:
    """Create the database file with its tables, all at once.

    A process killed while DuckDB writes the first header would leave a file that nothing can open. So it is made beside
    its place and linked there when it is complete. A link never replaces a file: of two processes one wins, and the
    other opens what that one made.
    """
    if (path / DATABASE_FILE).exists():
        return
    try:
        with tempfile.TemporaryDirectory(prefix=".new-", dir=path) as workshop:
            made = Path(workshop) / DATABASE_FILE
            with duckdb.connect(str(made)) as connection:
                _write_schema(connection)
            # Without a link (another process was faster, or the file system knows none) the place decides.
            with contextlib.suppress(OSError):
                os.link(made, path / DATABASE_FILE)
    except OSError as error:
        raise StoreError(f"the database file cannot be created: {error.strerror}") from None
    except duckdb.Error as error:
        raise _damage(error) from None


def _write_schema(connection: duckdb.DuckDBPyConnection) -> None:
    schema = resources.files("prme.store").joinpath("schema.sql").read_text(encoding="utf-8")
    connection.execute("begin").fetchall()
    connection.execute(schema).fetchall()
    connection.execute("insert into meta values ('format', ?)", [STORE_FORMAT]).fetchall()
    connection.execute("commit").fetchall()


def _is_anchored(path: Path) -> bool:
    anchor = path / ANCHOR_FILE
    return anchor.is_file() and anchor.stat().st_size > 0


def _connect(file: Path) -> duckdb.DuckDBPyConnection:
    try:
        return duckdb.connect(str(file))
    except duckdb.Error as error:
        if "could not set lock on file" in str(error).lower():
            raise StoreLockedError(
                "another process holds the store, and one process at a time may open it: stop that one, or let one "
                "service hold the store and the others speak to it (`prme serve`, in a later release)"
            ) from None
        raise _damage(error) from None


@contextlib.contextmanager
def _reported_damage() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise _damage(error) from None


def _damage(error: duckdb.Error) -> StoreError:
    """Return the error for what DuckDB reported, without its SQL or file content."""
    text = _QUOTED.sub("", str(error).lower())
    if _DAMAGE.search(text):
        return StoreCorruptError(
            "the database file is damaged and was left as it is. Restore the newest backup of the whole directory"
        )
    if "version number" in text:
        return StoreVersionError("the database file was written by a newer DuckDB: upgrade prme to open it")
    return StoreError(
        f"the database cannot be read ({type(error).__name__}): check that its directory can be read and written and "
        "that the disk is not full, then open it again"
    )

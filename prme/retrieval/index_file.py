"""The text index: a derived SQLite file beside the database. Whatever is wrong with it, it is made again."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from prme.model.node import Node

INDEX_FILE = "text-index.sqlite"
IN_MEMORY = ":memory:"
# A field that nodes gain must enter the rows of an older file too.
FORMAT = f"prme.text-index/1 {','.join(Node.model_fields)}"

_COMPANIONS = ("", "-wal", "-shm", "-journal")
_TABLES = """
    create table format (name text not null);
    create table owners (
        owner_key integer primary key, seq integer not null, commit_no integer not null, commit_digest text not null
    );
    create table nodes (
        rowid integer primary key, owner_key integer not null, node_id text not null, event_id text not null,
        scope text not null, node_type text not null, source_type text not null, valid_from integer not null,
        valid_to integer, status text not null, superseded_by text, confirms text, content text not null,
        document text not null, checksum text not null
    );
    create unique index nodes_by_id on nodes (owner_key, node_id);
    create index nodes_by_event on nodes (owner_key, event_id);
    create index nodes_by_confirmed on nodes (owner_key, confirms) where confirms is not null;
"""

logger = logging.getLogger("prme")


class IndexFile:
    """The SQLite connection of one open store; not safe for several threads at once.

    A file that cannot be used is deleted and made again; if that fails too, as on a full disk or in a directory that
    cannot be written, the index lives in memory until the store is closed.
    """

    def __init__(self, path: Path | None) -> None:
        """Name the file; None keeps the index in memory. Nothing is opened before it is needed."""
        self._path = path
        self._connection: sqlite3.Connection | None = None

    def connection(self) -> sqlite3.Connection:
        """Return the open connection. Raises `sqlite3.Error` when the file cannot be used."""
        if self._connection is None:
            self._connection = self._connect()
            try:
                self._prepare(self._connection)
            except BaseException:
                self.close()
                raise
        return self._connection

    def replace(self) -> None:
        """Delete the file, so that the next use makes it again."""
        self.close()
        if self._path is not None:
            for companion in _COMPANIONS:
                with contextlib.suppress(OSError):
                    Path(f"{self._path}{companion}").unlink()

    def fall_back(self) -> None:
        """Give the file up: from now on the index lives in memory."""
        self.replace()
        self._path = None

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None

    def _connect(self) -> sqlite3.Connection:
        place = IN_MEMORY
        if self._path is not None:
            place = str(self._path)
            with contextlib.suppress(OSError):
                # It holds the texts of messages: for nobody else to read.
                os.close(os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600))
        return sqlite3.connect(place, timeout=1, isolation_level=None, check_same_thread=False)

    def _prepare(self, connection: sqlite3.Connection) -> None:
        # One process at a time has the store open, so no shared memory is needed beside the log.
        connection.execute("pragma locking_mode = exclusive").fetchall()
        connection.execute("pragma journal_mode = wal").fetchall()
        connection.execute("pragma synchronous = normal").fetchall()
        connection.execute("pragma temp_store = memory").fetchall()
        connection.execute("pragma cache_size = -65536").fetchall()
        found = _format(connection)
        if found not in (None, FORMAT):
            logger.warning("the text index has another format and is made again")
            self.replace()
            self._connection = connection = self._connect()
            self._prepare(connection)
            return
        if found is None:
            with transaction(connection):
                for statement in _TABLES.split(";"):
                    connection.execute(statement)
                connection.execute("insert into format values (?)", [FORMAT])


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Keep all that is written inside, or nothing."""
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("rollback")
        raise


@contextlib.contextmanager
def one_read(connection: sqlite3.Connection) -> Iterator[None]:
    """Let all reads inside be of one transaction: one for each of them costs a twentieth of a search."""
    connection.execute("begin")
    try:
        yield
    finally:
        connection.execute("commit")


def _format(connection: sqlite3.Connection) -> str | None:
    """Return the format of a file, None for an empty one."""
    tables = {row[0] for row in connection.execute("select name from sqlite_master where type = 'table'")}
    if not tables:
        return None
    rows = connection.execute("select name from format").fetchall() if "format" in tables else []
    return str(rows[0][0]) if rows else ""

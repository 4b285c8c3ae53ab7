"""Reading a store without changing one byte of its directory: no log is merged, no anchor written, no work resumed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import duckdb

from prme.errors import StoreCorruptError, StoreError, StoreLockedError, StoreVersionError
from prme.policy.registry import NEWEST_POLICY, POLICIES
from prme.store.anchor import AnchorFile
from prme.store.database import Reader
from prme.store.opening import ANCHOR_FILE, DATABASE_FILE, STORE_FORMAT, is_locked
from prme.store.rows import Row

_ANOTHER_CONFIGURATION = "different configuration"


@contextlib.contextmanager
def reading_only(directory: Path) -> Iterator[Reader]:
    """Open an existing store and give a snapshot of it.

    Raises `StoreLockedError` while another process or client writes to it, `StoreVersionError` for one that this
    release cannot read, `StoreCorruptError` for one that is damaged or behind its anchor, else `StoreError`.
    """
    file = directory / DATABASE_FILE
    if not file.is_file():
        raise StoreError(f"there is no store in {str(directory)!r}")
    with _reported():
        connection = duckdb.connect(str(file), read_only=True)
    try:
        snapshot = _Snapshot(connection)
        snapshot.query("begin")
        _check_format(snapshot)
        _check_anchor(snapshot, directory / ANCHOR_FILE)
        yield snapshot
    finally:
        connection.close()


class _Snapshot:
    """Reads of the moment at which the store was opened."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    def query(self, sql: str, parameters: Sequence[Any] = ()) -> list[Row]:
        """Return all rows of a read."""
        with _reported():
            return self._connection.execute(sql, list(parameters)).fetchall()


class AnchorToRead(AnchorFile):
    """An anchor file that is only read, so that a store on a medium that cannot be written can be read too."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.was_rewritten = False
        try:
            self._descriptor = os.open(path, os.O_RDONLY)
        except OSError as error:
            raise StoreError(f"the anchor file {path.name!r} cannot be read: {error.strerror}") from None


def _check_format(reader: Reader) -> None:
    if not reader.query("select 1 from information_schema.tables where table_name = 'meta'"):
        raise StoreCorruptError("the database file holds no store: prme verify says what became of it")
    found: dict[str, str] = {key: value for key, value in reader.query("select key, value from meta")}
    if found.get("format") != STORE_FORMAT:
        raise StoreVersionError(
            f"the store has format {found.get('format')!r}, this release reads {STORE_FORMAT!r}: use the release that "
            "wrote it, or upgrade prme"
        )
    for key, name in found.items():
        if key.startswith("policy.") and name not in POLICIES:
            raise StoreVersionError(
                f"the store holds plans of policy {name!r}, this release knows policies up to {NEWEST_POLICY.name!r}: "
                "upgrade prme to read it"
            )


def _check_anchor(reader: Reader, path: Path) -> None:
    """Refuse a store that has lost commits which its anchor knows; a missing anchor is for `verify` to report."""
    if not path.exists():
        return
    anchor = AnchorToRead(path)
    try:
        mark = anchor.read()
    finally:
        anchor.close()
    if mark is None:
        return
    rows = reader.query("select distinct commit_digest from journal where commit_no = ?", [mark.commit_no])
    if rows != [(mark.digest,)]:
        raise StoreCorruptError(
            f"the database does not hold commit {mark.commit_no} as its anchor knows it: commits were lost, or one of "
            "the two comes from another copy. Restore the newest backup of the whole directory"
        )


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    """Turn what DuckDB reports into an error of ours, without its SQL or file content."""
    try:
        yield
    except duckdb.Error as error:
        if is_locked(error) or _ANOTHER_CONFIGURATION in str(error).lower():
            raise StoreLockedError(
                "another process or client writes to the store: stop that one, or read an export of its plans"
            ) from None
        raise StoreCorruptError(
            f"the database file cannot be read ({type(error).__name__}) and was left as it is: prme verify says more"
        ) from None

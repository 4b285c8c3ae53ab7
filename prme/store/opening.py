"""Opening a store: its directory is claimed, its file made whole or not at all, and damage told from other trouble."""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from importlib import resources
from pathlib import Path

import duckdb

from prme.errors import StoreCorruptError, StoreError, StoreLockedError, StoreVersionError

DATABASE_FILE = "memory.duckdb"
ANCHOR_FILE = "anchor"
STORE_FORMAT = "prme.store/3"
# DuckDB puts its log's name before a question mark, and takes a backslash for a slash.
MISREAD_IN_PATHS = "?" if os.name == "nt" else "?\\"

# DuckDB's messages quote paths and SQL: neither may decide what a message is taken for.
_QUOTED = re.compile(r'"[^"]*"')
_DAMAGE = re.compile(r"corrupt|checksum|not a valid duckdb|\bwal\b|could not read enough bytes")

_open_paths: set[Path] = set()
_open_paths_lock = threading.Lock()


def claim_path(directory: str | Path) -> Path:
    """Create the directory and reserve it in this process: DuckDB would share the file between two clients here.

    Raises `StoreLockedError`, and `StoreError` for a directory that cannot be used; nothing was created then.
    """
    path = _usable_path(directory)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"the store directory cannot be created: {error.strerror}") from None
    try:
        (path / DATABASE_FILE).exists()
    except OSError as error:
        raise StoreError(f"the store directory cannot be looked into: {error.strerror}") from None
    with _open_paths_lock:
        if path in _open_paths:
            raise StoreLockedError(
                "the store is open in another client of this process: share that client, or close it first"
            )
        _open_paths.add(path)
    return path


def _usable_path(directory: str | Path) -> Path:
    if not str(directory).strip():
        raise StoreError("the store directory is blank: pass a path, or ':memory:' for a store that is not kept")
    try:
        path = Path(directory).resolve()
        os.fsencode(path)
    except ValueError:  # a NUL, or half of a character
        raise StoreError("the store directory has characters that no path can have") from None
    found = [mark for mark in MISREAD_IN_PATHS if mark in str(path)]
    if found:
        raise StoreError(
            f"the path of the store directory contains {' and '.join(map(repr, found))}, which DuckDB takes for "
            "something else: choose another directory"
        )
    return path


def release_path(path: Path) -> None:
    """Let others in this process open the store in a directory."""
    with _open_paths_lock:
        _open_paths.discard(path)


def refuse_lost_database(path: Path) -> None:
    """Raise `StoreCorruptError` for a directory that has an anchor and no database."""
    if not (path / DATABASE_FILE).exists() and is_anchored(path):
        raise StoreCorruptError(
            "the database file is gone, its anchor is still there: restore the newest backup of the whole directory, "
            "or use another directory for a new store"
        )


def create_whole(path: Path) -> None:
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
                write_schema(connection)
            # Without a link (another process was faster, or the file system knows none) the place decides.
            with contextlib.suppress(OSError):
                os.link(made, path / DATABASE_FILE)
    except OSError as error:
        raise StoreError(f"the database file cannot be created: {error.strerror}") from None
    except duckdb.Error as error:
        raise damage(error) from None


def write_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of a store."""
    schema = resources.files("prme.store").joinpath("schema.sql").read_text(encoding="utf-8")
    connection.execute("begin").fetchall()
    connection.execute(schema).fetchall()
    connection.execute("insert into meta values ('format', ?)", [STORE_FORMAT]).fetchall()
    connection.execute("commit").fetchall()


def is_anchored(path: Path) -> bool:
    """Whether the anchor in a directory knows of a commit."""
    anchor = path / ANCHOR_FILE
    return anchor.is_file() and anchor.stat().st_size > 0


def connect(file: Path) -> duckdb.DuckDBPyConnection:
    """Open a database file. Raises `StoreLockedError`, `StoreVersionError`, `StoreCorruptError` or `StoreError`."""
    try:
        return duckdb.connect(str(file))
    except duckdb.Error as error:
        if is_locked(error):
            raise StoreLockedError(
                "another process holds the store, and one process at a time may open it: stop that one, or let one "
                "service hold the store and the others speak to it (`prme serve`)"
            ) from None
        raise damage(error) from None


def is_locked(error: duckdb.Error) -> bool:
    """Whether DuckDB could not open a file because another process holds it."""
    return "could not set lock on file" in str(error).lower()


@contextlib.contextmanager
def reported_damage() -> Iterator[None]:
    """Turn DuckDB's errors into ours."""
    try:
        yield
    except duckdb.Error as error:
        raise damage(error) from None


def damage(error: duckdb.Error) -> StoreError:
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

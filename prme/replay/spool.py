"""The spool: records from anywhere, in any order, kept in a temporary file until their owner's turn comes."""

from __future__ import annotations

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from prme.errors import StoreError
from prme.replay.records import RecordHead, RecordKind
from prme.replay.sources import Place

_SCHEMA = """
    pragma journal_mode = off;
    pragma synchronous = off;
    pragma temp_store = file;
    create table records (user_id text, kind text, name text, checksum text, file integer, line integer, data blob);
    create unique index one_of_each on records (user_id, kind, name, checksum);
    create table files (number integer primary key, name text unique);
"""


@dataclass(frozen=True, slots=True)
class PlacedRecord:
    """A record with the place where it was found first."""

    kind: RecordKind
    name: str
    checksum: str
    place: Place
    data: bytes


class Spool:
    """Keeps records on disk, each once; memory does not grow with their number."""

    def __init__(self) -> None:
        self._resources = contextlib.ExitStack()
        directory = self._resources.enter_context(tempfile.TemporaryDirectory(prefix="prme-replay-"))
        connection = sqlite3.connect(Path(directory) / "records.sqlite", isolation_level=None)
        self._connection = self._resources.enter_context(contextlib.closing(connection))
        self._connection.executescript(_SCHEMA)
        self._connection.execute("begin")
        self._files: dict[str, int] = {}

    def __enter__(self) -> Self:
        """Return the spool."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Remove the temporary file."""
        self._resources.close()

    def add(self, head: RecordHead, place: Place, data: bytes) -> bool:
        """Keep a record; False when it is here already, byte for byte. Raises `StoreError` when there is no room."""
        row = (head.user_id, head.kind, head.name, head.checksum, self._file(place.file), place.line, data)
        try:
            cursor = self._connection.execute("insert or ignore into records values (?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise StoreError(
                f"the temporary file for the records cannot be written ({type(error).__name__}): make room on the "
                "disk, or name another place in the variable TMPDIR"
            ) from None
        return cursor.rowcount > 0

    def owners(self) -> Iterator[tuple[str, int]]:
        """Yield the owners in order of their ids, each with the number of its records."""
        yield from self._connection.execute("select user_id, count(*) from records group by user_id order by user_id")

    def records(self, user_id: str) -> list[PlacedRecord]:
        """Return all records of an owner, in the order in which they were read."""
        rows = self._connection.execute(
            """
            select r.kind, r.name, r.checksum, f.name, r.line, r.data from records r join files f on f.number = r.file
            where r.user_id = ? order by r.rowid
            """,
            (user_id,),
        )
        return [
            PlacedRecord(kind, name, checksum, Place(file, line), data)
            for kind, name, checksum, file, line, data in rows
        ]

    def _file(self, name: str) -> int:
        number = self._files.get(name)
        if number is None:
            self._connection.execute("insert or ignore into files (name) values (?)", (name,))
            found = self._connection.execute("select number from files where name = ?", (name,)).fetchone()
            number = int(found[0])
            # A directory may hold a file for each record: only the newest names are remembered.
            if len(self._files) > 1_000:
                self._files.clear()
            self._files[name] = number
        return number

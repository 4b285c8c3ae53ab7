"""The spool: records from anywhere, in any order, kept in a temporary file until their owner's turn comes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Self

from prme.errors import StoreError
from prme.records.head import RecordHead, RecordKind
from prme.records.sources import Place

# SQLite gives this name to a file in the temporary folder that has no name there, and vanishes with the process.
_TEMPORARY = ""
# A plan fits on one of its pages, which are larger than usual for that.
_SCHEMA = """
    pragma page_size = 16384;
    pragma journal_mode = off;
    pragma synchronous = off;
    pragma temp_store = file;
    create table records (user_id text, kind text, name text, checksum text, file integer, line integer, data blob);
    create unique index one_of_each on records (user_id, kind, name, checksum);
    create table files (number integer primary key, name text unique);
    create table refused (file integer, line integer, reason text);
"""
_PLACED = "select r.kind, r.name, r.checksum, f.name, r.line, r.data from records r join files f on f.number = r.file"


class PlacedRecord(NamedTuple):
    """A record with the place where it was found first."""

    kind: RecordKind
    name: str
    checksum: str
    place: Place
    data: bytes


class Spool:
    """Keeps records on disk, each once; memory does not grow with their number.

    Every call raises `StoreError` when the temporary file cannot be used.
    """

    def __init__(self) -> None:
        with _reported:
            self._connection = sqlite3.connect(_TEMPORARY, isolation_level=None)
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
        self._connection.close()

    def add(self, head: RecordHead, place: Place, data: bytes) -> bool:
        """Keep a record; False when it is here already, byte for byte."""
        row = (head.user_id, head.kind, head.name, head.checksum, self._file(place.file), place.line, data)
        with _reported:
            return (
                self._connection.execute("insert or ignore into records values (?, ?, ?, ?, ?, ?, ?)", row).rowcount > 0
            )

    def earlier(self, head: RecordHead) -> PlacedRecord | None:
        """Return the record of the same event or decision that was read first, None when it is this one itself."""
        found = self._placed(
            """
            where r.rowid = (select min(rowid) from records where user_id = ? and kind = ? and name = ?)
            and r.checksum <> ?
            """,
            (head.user_id, head.kind, head.name, head.checksum),
        )
        return found[0] if found else None

    def owners(self) -> Iterator[tuple[str, int]]:
        """Yield the owners in order of their ids, each with the number of its records."""
        with _reported:
            yield from self._connection.execute(
                "select user_id, count(*) from records group by user_id order by user_id"
            )

    def records(self, user_id: str) -> list[PlacedRecord]:
        """Return all records of an owner, in the order in which they were read."""
        return self._placed("where r.user_id = ? order by r.rowid", (user_id,))

    def refuse(self, place: Place, reason: str) -> None:
        """Keep why what stands at a place cannot be used."""
        row = (self._file(place.file), place.line, reason)
        with _reported:
            self._connection.execute("insert into refused values (?, ?, ?)", row)

    def refused(self) -> Iterator[tuple[Place, str]]:
        """Yield what cannot be used and why, in the order in which it was read."""
        with _reported:
            for file, line, reason in self._connection.execute(
                "select f.name, r.line, r.reason from refused r join files f on f.number = r.file order by r.rowid"
            ):
                yield Place(file, line), reason

    def _placed(self, which: str, parameters: Sequence[Any]) -> list[PlacedRecord]:
        with _reported:
            rows = self._connection.execute(f"{_PLACED} {which}", parameters).fetchall()
        return [
            PlacedRecord(kind, name, checksum, Place(file, line), data)
            for kind, name, checksum, file, line, data in rows
        ]

    def _file(self, name: str) -> int:
        number = self._files.get(name)
        if number is None:
            with _reported:
                self._connection.execute("insert or ignore into files (name) values (?)", (name,))
                found = self._connection.execute("select number from files where name = ?", (name,)).fetchone()
            number = int(found[0])
            # A directory may hold a file for each record: only the newest names are remembered.
            if len(self._files) > 1_000:
                self._files.clear()
            self._files[name] = number
        return number


class _Reported:
    """Turns what SQLite raises into a `StoreError`."""

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if isinstance(error, sqlite3.Error):
            raise StoreError(
                f"the temporary file for the records cannot be used ({error}): make room on the disk, or name another "
                "place in the variable TMPDIR"
            ) from None


_reported = _Reported()

"""Reading recorded extractions from stores, files and folders, and comparing them owner by owner."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, cast

from prme.comparison.differences import compare
from prme.comparison.outcome import Comparison, Unread
from prme.comparison.records import BadRecordError, DecisionRecord, PlanRecord, Record, read_record
from prme.comparison.spool import Place, Spool
from prme.errors import PlanError
from prme.store.database import DATABASE_FILE
from prme.store.decisions import explicit_decisions
from prme.store.read_only import reading_only
from prme.store.records import owner_plans, owners, published_events

STANDARD_INPUT = "-"
GZIP_SUFFIX = ".gz"
RECORD_FILES = "*.json"
# A message has at most 100,000 characters; an extraction that makes a longer plan than this is none.
MOST_RECORD_BYTES = 64 * 1024 * 1024

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_CUT_OFF = (EOFError, gzip.BadGzipFile, zlib.error)


@dataclass(frozen=True, slots=True)
class _Found:
    place: Place
    record: Record


def is_source(source: str) -> bool:
    """Whether a name can be a source: everything but a folder that is no store and has no record in it."""
    path = Path(source)
    return not path.is_dir() or _is_store(path) or next(path.rglob(RECORD_FILES), None) is not None


def gather(sources: Iterable[str], spool: Spool, *, user_id: str | None, stdin: IO[bytes]) -> Iterator[Unread]:
    """Put every record of the sources into the spool, those of one owner when asked, and yield what cannot be used.

    A source is a store's directory, a file of records, one a line, a folder of `*.json` files with one record each, or
    `-` for `stdin`. Stores are opened for reading and left as they are. Raises `StoreError` for a store that cannot be
    read, `OSError` for a file that cannot be opened.
    """
    for source in sources:
        for found in _read(source, stdin, user_id):
            if isinstance(found, _Found):
                unread = spool.add(found.record, found.place) if _is_asked(found.record, user_id) else None
            else:
                unread = found
            if unread is not None:
                spool.refuse(unread)
                yield unread


def compare_owners(spool: Spool, policy_a: str, policy_b: str) -> Iterator[Comparison]:
    """Yield the comparison of each owner in the spool, by user id; only one owner's plans are held at a time.

    Raises `UnsupportedPlanError` for an unknown policy.
    """
    for owner in spool.owners():
        yield compare(spool.plans(owner), spool.decisions(owner), policy_a, policy_b)


def _is_asked(record: Record, user_id: str | None) -> bool:
    owner = record.plan.event.user_id if isinstance(record, PlanRecord) else record.user_id
    return user_id is None or owner == user_id


def _is_store(path: Path) -> bool:
    return (path / DATABASE_FILE).is_file()


def _read(source: str, stdin: IO[bytes], user_id: str | None) -> Iterator[_Found | Unread]:
    path = Path(source)
    if source == STANDARD_INPUT:
        yield from _lines("standard input", stdin)
    elif _is_store(path):
        yield from _stored(source, path, user_id)
    elif path.is_dir():
        yield from _folder(path)
    elif path.name.endswith(GZIP_SUFFIX):
        with gzip.open(path, "rb") as stream:
            yield from _lines(source, cast("IO[bytes]", stream))
    else:
        with path.open("rb") as stream:
            yield from _lines(source, stream)


def _stored(source: str, path: Path, user_id: str | None) -> Iterator[_Found | Unread]:
    with reading_only(path) as reader:
        for owner_key, owner in owners(reader):
            if user_id is not None and owner != user_id:
                continue
            missing = published_events(reader, owner_key)
            for event_id, _, data in owner_plans(reader, owner_key):
                missing.discard(event_id)
                yield from _record(Place(source, None), data, of=f"the plan of event {event_id}: ")
            for event_id in sorted(missing):
                yield Unread(source=source, line=None, reason=f"the plan of event {event_id} is missing")
            for stored in explicit_decisions(reader, owner_key):
                yield _Found(Place(source, None), DecisionRecord(owner, stored.made.decision))


def _folder(path: Path) -> Iterator[_Found | Unread]:
    for file in sorted(path.rglob(RECORD_FILES)):
        with file.open("rb") as stream:
            data = stream.read(MOST_RECORD_BYTES + 1)
        if len(data) > MOST_RECORD_BYTES:
            yield _too_long(Place(str(file), None))
        else:
            yield from _record(Place(str(file), None), data)


def _lines(source: str, stream: IO[bytes]) -> Iterator[_Found | Unread]:
    """Yield the record of each line, holding one at a time; a file that breaks off ends there and says so."""
    number = 0
    while True:
        number += 1
        try:
            data = stream.readline(MOST_RECORD_BYTES + 1)
            is_whole = len(data) <= MOST_RECORD_BYTES
            rest = data
            while not is_whole and rest and not rest.endswith(b"\n"):
                rest = stream.readline(MOST_RECORD_BYTES)
        except _CUT_OFF:
            yield Unread(source=source, line=number, reason="the compressed file is damaged or cut off from here on")
            return
        if not data:
            return
        if is_whole:
            yield from _record(Place(source, number), data)
        else:
            yield _too_long(Place(source, number))


def _too_long(place: Place) -> Unread:
    return place.unread(f"longer than {MOST_RECORD_BYTES:,} bytes, which no record is")


def _record(place: Place, data: bytes, of: str = "") -> Iterator[_Found | Unread]:
    """Yield the record of some bytes, why they are none, or nothing for a blank line or one that says nothing."""
    text = data.removeprefix(_BYTE_ORDER_MARK).strip()
    if not text:
        return
    try:
        record = read_record(text)
    except (BadRecordError, PlanError) as error:
        yield place.unread(f"{of}{error}")
        return
    if record is not None:
        yield _Found(place, record)

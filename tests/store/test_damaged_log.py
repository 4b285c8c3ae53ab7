"""Damage to the framing of DuckDB's log: its head, and the length and checksum that stand before each entry.

Such damage makes DuckDB read less of the log, or none of it, and may pass for a log that ends early. So each byte of
the head and each length is tried. What counts is that a store which lost anything is never opened as if it were whole,
and that opening it takes nothing away from what is left.
"""

from __future__ import annotations

import shutil
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TypeVar

import pytest

from prme import MemoryClient
from prme.errors import StoreCorruptError
from prme.store.database import Database
from prme.store.opening import DATABASE_FILE
from tests.engine.conversation import COFFEE, TEA, Scripted, SettableClock

WAL_FILE = f"{DATABASE_FILE}.wal"
# The object that begins the log: field 100 is the mark of a version, 101 the version, 102 the 16 bytes of the file's
# name for itself, 103 the number of its checkpoint. Every number is written in groups of 7 bits.
HEAD = b"d\x00be\x00\x02f\x00\x10"
CHECKPOINT = b"g\x00"
END = b"\xff\xff"
NOTICED = "refused, everything left"
D = TypeVar("D")

pytestmark = pytest.mark.slow


class Killed:
    """The files of a store whose process was killed: two messages were acknowledged, and only the log has them."""

    def __init__(self, directory: Path) -> None:
        with opened(directory / "store") as memory:
            for content in (TEA, COFFEE):
                memory.ingest(content, user_id="sam", first_person_owner=True)
            shutil.copytree(directory / "store", directory / "killed")
        self.files = {path.name: path.read_bytes() for path in (directory / "killed").iterdir()}
        self.log = self.files[WAL_FILE]
        self.again = directory / "again"

    def outcome(self, log: bytes) -> str:
        """Open the store with another log, and say what becomes of it."""
        shutil.rmtree(self.again, ignore_errors=True)
        self.again.mkdir()
        for name, data in {**self.files, WAL_FILE: log}.items():
            (self.again / name).write_bytes(data)
        try:
            Database(self.again).close()
        except StoreCorruptError:
            return NOTICED if self.left() == {**self.files, WAL_FILE: log} else "refused, but changed"
        with opened(self.again) as memory:
            return f"opened, ok={memory.verify().ok}, claims={len(memory.claims(user_id='sam'))}"

    def unnoticed(self, damaged: Mapping[D, bytes]) -> dict[D, str]:
        """Return what becomes of those of some damaged logs that are not refused and left as they are."""
        outcomes = {damage: self.outcome(log) for damage, log in damaged.items()}
        return {damage: outcome for damage, outcome in outcomes.items() if outcome != NOTICED}

    def left(self) -> dict[str, bytes]:
        """Return the files that the store has now."""
        return {path.name: path.read_bytes() for path in self.again.iterdir()}


def opened(directory: Path) -> MemoryClient:
    return MemoryClient(directory, extractor=Scripted(), clock=SettableClock())


def after_number(log: bytes, position: int) -> int:
    while log[position] & 0x80:
        position += 1
    return position + 1


def end_of_head(log: bytes) -> int:
    assert log.startswith(HEAD), "DuckDB writes its log in another layout"
    position = len(HEAD)
    for _ in range(16):
        position = after_number(log, position)
    assert log.startswith(CHECKPOINT, position)
    position = after_number(log, position + len(CHECKPOINT))
    assert log.startswith(END, position)
    return position + len(END)


def entries(log: bytes) -> Iterator[tuple[int, int]]:
    """Yield the place and the length of each entry: 8 bytes of length, 8 of checksum, and what they cover."""
    position = end_of_head(log)
    while position < len(log):
        (length,) = struct.unpack_from("<Q", log, position)
        yield position, length
        position += 16 + length
    assert position == len(log), "DuckDB writes its log in another layout"


def with_number(log: bytes, position: int, number: int) -> bytes:
    return log[:position] + struct.pack("<Q", number) + log[position + 8 :]


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Killed:
    return Killed(tmp_path_factory.mktemp("killed"))


def test_the_undamaged_log_is_read(killed: Killed):
    assert killed.outcome(killed.log) == "opened, ok=True, claims=2"


def test_every_byte_of_the_head_of_the_log_and_of_its_first_entries_counts(killed: Killed):
    places = range(max(96, end_of_head(killed.log) + 16))
    damaged = {at: killed.log[:at] + bytes([killed.log[at] ^ 0xFF]) + killed.log[at + 1 :] for at in places}

    assert killed.unnoticed(damaged) == {}


def test_every_length_in_the_log_counts(killed: Killed):
    found = list(entries(killed.log))
    damaged = {
        (place, number): with_number(killed.log, place, number)
        for place, length in found
        for number in (0, 1, length - 1, length + 1, 2**63)
    }

    assert len(found) > 20
    assert killed.unnoticed(damaged) == {}


def test_every_checksum_in_the_log_counts(killed: Killed):
    damaged = {place: with_number(killed.log, place + 8, 0) for place, _ in entries(killed.log)}

    assert killed.unnoticed(damaged) == {}


def test_a_log_that_ends_before_any_of_its_entries_is_noticed(killed: Killed):
    damaged = {place: killed.log[:place] for place, _ in entries(killed.log)}

    assert killed.unnoticed(damaged) == {}


def test_an_old_log_beside_a_database_that_has_merged_it_is_refused(killed: Killed):
    killed.outcome(killed.log)
    merged = (killed.again / DATABASE_FILE).read_bytes()
    (killed.again / WAL_FILE).write_bytes(killed.log)

    with pytest.raises(StoreCorruptError):
        Database(killed.again)
    assert killed.left() == {**killed.files, DATABASE_FILE: merged}


def test_an_old_database_beside_a_newer_log_is_refused(killed: Killed):
    killed.outcome(killed.log)
    with opened(killed.again) as memory:
        memory.ingest(TEA, user_id="sam", first_person_owner=True)
        files = killed.left()
    files[DATABASE_FILE] = killed.files[DATABASE_FILE]
    for name, data in files.items():
        (killed.again / name).write_bytes(data)

    with pytest.raises(StoreCorruptError):
        Database(killed.again)
    assert killed.left() == files


def test_a_store_that_is_accepted_merges_its_log_when_it_is_closed(killed: Killed):
    killed.outcome(killed.log)

    assert WAL_FILE not in killed.left()


def test_the_check_notices_a_log_that_is_passed_over(killed: Killed, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Database, "_check_anchor", lambda *_: None)

    assert killed.outcome(with_number(killed.log, end_of_head(killed.log), 2**63)) != NOTICED

"""Owners as they are stored: their keys, and where the journal of each one ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from prme.clock import from_microseconds
from prme.store.database import LONGEST_LIST, Reader


@dataclass(frozen=True, slots=True)
class OwnerRecord:
    """What the store knows of an owner as a whole: the journal's last entry and the newest times."""

    owner_key: int
    seq: int
    digest: str | None
    newest_received_at: datetime | None
    newest_recorded_at: datetime | None


def owners(reader: Reader) -> list[tuple[int, str]]:
    """Return (owner key, user id) of all owners, in order of the user ids."""
    rows = reader.query("select owner_key, user_id from owners")
    return sorted(((int(key), str(user_id)) for key, user_id in rows), key=lambda row: row[1])


def find_owner(reader: Reader, user_id: str) -> int | None:
    """Return the key of an owner, or None."""
    rows = reader.query("select owner_key from owners where user_id = ?", [user_id])
    return int(rows[0][0]) if rows else None


def find_owners(reader: Reader, user_ids: Sequence[str]) -> dict[str, int]:
    """Return the keys of those of the given owners that are stored."""
    found: dict[str, int] = {}
    for start in range(0, len(user_ids), LONGEST_LIST):
        chunk = user_ids[start : start + LONGEST_LIST]
        marks = ", ".join("?" for _ in chunk)
        rows = reader.query(f"select user_id, owner_key from owners where user_id in ({marks})", list(chunk))
        found |= {user_id: int(owner_key) for user_id, owner_key in rows}
    return found


def next_owner_key(reader: Reader) -> int:
    """Return the key that the next new owner gets."""
    newest = reader.query("select max(owner_key) from owners")[0][0]
    return 1 if newest is None else int(newest) + 1


def owner_record(reader: Reader, owner_key: int) -> OwnerRecord:
    """Return the owner's journal head and newest times; recorded times never decrease along a journal."""
    head = reader.query(
        "select seq, digest, recorded_at from journal where owner_key = ? order by seq desc limit 1", [owner_key]
    )
    received = reader.query("select max(received_at) from events where owner_key = ?", [owner_key])[0][0]
    return OwnerRecord(
        owner_key=owner_key,
        seq=int(head[0][0]) if head else 0,
        digest=head[0][1] if head else None,
        newest_received_at=None if received is None else from_microseconds(received),
        newest_recorded_at=from_microseconds(head[0][2]) if head else None,
    )

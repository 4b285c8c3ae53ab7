"""Reading changes: journal entries after a cursor, of one owner or of the whole store."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from prme.model.change import Change
from prme.store.database import Reader
from prme.store.owners import find_owner, owners
from prme.store.records import StoredEntry, entries_after, owner_entries_after

MOST_CHANGES = 10_000
_OWNER_CURSOR = re.compile(r"owner:([0-9]{1,18})")
_STORE_CURSOR = re.compile(r"store:([0-9]{1,18})\.([0-9]{1,18})\.([0-9]{1,18})")


def read_changes(reader: Reader, user_id: str | None, *, after: str | None = None, limit: int = 100) -> list[Change]:
    """Return the changes after a cursor, oldest first: an owner's, or for a trusted operator those of all owners.

    An owner's cursors count only that owner's entries, so that nothing of others shows in them. Raises `ValueError` for
    a cursor that this call did not hand out.
    """
    if user_id is None:
        names = dict(owners(reader))
        entries = entries_after(reader, _store_position(after), limit)
        return [_change(entry, names[entry.owner_key], _store_cursor(entry)) for entry in entries]
    owner_key = find_owner(reader, user_id)
    position = _owner_position(after)
    if owner_key is None:
        return []
    entries = owner_entries_after(reader, owner_key, position, limit)
    return [_change(entry, user_id, f"owner:{entry.seq}") for entry in entries]


def _store_cursor(entry: StoredEntry) -> str:
    return f"store:{entry.commit_no}.{entry.owner_key}.{entry.seq}"


def _store_position(after: str | None) -> Sequence[int]:
    return (0, 0, 0) if after is None else _position(_STORE_CURSOR, after)


def _owner_position(after: str | None) -> int:
    return 0 if after is None else _position(_OWNER_CURSOR, after)[0]


def _position(shape: re.Pattern[str], after: object) -> Sequence[int]:
    match = shape.fullmatch(after) if isinstance(after, str) else None
    if match is None:
        raise ValueError("after is not a cursor of this feed: pass the cursor of a change that the same call returned")
    return tuple(map(int, match.groups()))


def _change(entry: StoredEntry, user_id: str, cursor: str) -> Change:
    body = json.loads(entry.body or "{}")
    changed = [document["node_id"] for document in body.get("outputs", ())]
    if "note_id" in body:
        changed.append(body["note_id"])
    return Change(
        cursor=cursor,
        user_id=user_id,
        seq=entry.seq,
        kind=entry.kind,
        event_id=entry.event_id,
        recorded_at=entry.recorded_at,
        actor=body.get("actor", user_id if body else None),
        operation_id=body.get("operation_id"),
        nodes=tuple(changed),
        retired=tuple(body.get("retired", ())),
        reopened=tuple(body.get("reopened", ())),
        revised=tuple(body.get("revised", ())),
    )

"""Reading what changed since a position of the journal, for whatever follows the store: the text index first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from prme.clock import to_microseconds
from prme.model.interval import Interval
from prme.store.database import Reader
from prme.store.nodes import interval_of
from prme.store.recent_commits import DOCUMENT, RecentRows

# Places in the rows of `journal`, `intervals` and `plans`.
_SEQ_OF_ENTRY, _KIND_OF_ENTRY = 1, 3
_NODE, _INTERVAL = 1, slice(4, None)
_SEQ = 2
# Every other kind of entry is a decision by hand.
_OF_MESSAGES = frozenset({"NOTE_STORED", "EXTRACTION_PENDING", "EXTRACTION_FAILED", "PLAN_PUBLISHED"})


@dataclass(frozen=True, slots=True)
class JournalPosition:
    """An owner's journal entry, with the store's commit that it belongs to and the digest over all commits so far."""

    seq: int
    commit_no: int
    commit_digest: str


@dataclass(frozen=True, slots=True)
class NewEntries:
    """What was committed after a commit: the newest commit of the store and the owner's newest entry, None for none."""

    newest_commit: int | None
    newest_seq: int | None


def new_entries(reader: Reader, owner_key: int, *, after_commit: int) -> NewEntries:
    """Return what was committed after a commit, for all owners and for one; one query, however long the journal is."""
    rows = reader.query(
        "select max(commit_no), max(case when owner_key = ? then seq end) from journal where commit_no > ?",
        [owner_key, after_commit],
    )
    commit_no, seq = rows[0]
    return NewEntries(None if commit_no is None else int(commit_no), None if seq is None else int(seq))


@dataclass(frozen=True, slots=True)
class OwnerChanges:
    """What was published for an owner after a journal entry, up to its newest one.

    `is_decided` says whether something was decided by hand; `plans` are the saved bytes of the new plans; `intervals`
    are the newest ones of each node that changed, but for new notes.
    """

    newest_seq: int
    is_decided: bool
    plans: tuple[bytes, ...]
    intervals: dict[str, Interval]


def read_changes_since(reader: Reader, owner_key: int, seq: int, *, newest_seq: int) -> OwnerChanges:
    """Return what was published for an owner after a journal entry, from the database."""
    if has_decided_since(reader, owner_key, seq):
        return OwnerChanges(newest_seq, True, (), {})
    plans, intervals = plans_since(reader, owner_key, seq), intervals_since(reader, owner_key, seq)
    return OwnerChanges(newest_seq, False, tuple(plans), intervals)


def recent_changes(rows: RecentRows, seq: int) -> OwnerChanges | None:
    """Return the same from the rows of the newest commits; None when nothing was published for the owner."""
    kinds = {row[_SEQ_OF_ENTRY]: row[_KIND_OF_ENTRY] for row in rows.journal if row[_SEQ_OF_ENTRY] > seq}
    if not kinds:
        return None
    changed = (row for row in rows.intervals if kinds.get(row[_SEQ], "NOTE_STORED") != "NOTE_STORED")
    return OwnerChanges(
        newest_seq=max(kinds),
        is_decided=not _OF_MESSAGES.issuperset(kinds.values()),
        plans=tuple(row[DOCUMENT].encode("utf-8") for row in rows.plans if row[_SEQ] in kinds),
        intervals={row[_NODE]: interval_of((row[_NODE], *row[_INTERVAL])) for row in changed},
    )


def newest_position(reader: Reader, owner_key: int) -> JournalPosition | None:
    """Return the position of an owner's newest journal entry, or None."""
    rows = reader.query(
        "select seq, commit_no, commit_digest from journal where owner_key = ? order by seq desc limit 1", [owner_key]
    )
    return JournalPosition(int(rows[0][0]), int(rows[0][1]), str(rows[0][2])) if rows else None


def has_position(reader: Reader, owner_key: int, position: JournalPosition) -> bool:
    """Whether a position belongs to this store: the same entry, in the same commit, after the same commits."""
    rows = reader.query(
        "select 1 from journal where owner_key = ? and seq = ? and commit_no = ? and commit_digest = ?",
        [owner_key, position.seq, position.commit_no, position.commit_digest],
    )
    return bool(rows)


def changed_since(reader: Reader, owner_key: int, seq: int) -> dict[str, int]:
    """Return the owner's nodes whose interval changed after a journal entry, each with the first entry that did so.

    A claim that another one came to confirm counts as changed too: its `last_confirmed_at` did.
    """
    rows = reader.query(
        "select node_id, seq, confirms from intervals where owner_key = ? and seq > ? order by seq", [owner_key, seq]
    )
    changed: dict[str, int] = {}
    for node_id, entry, confirms in rows:
        changed.setdefault(node_id, int(entry))
        if confirms is not None:
            changed.setdefault(confirms, int(entry))
    return changed


def intervals_since(reader: Reader, owner_key: int, seq: int) -> dict[str, Interval]:
    """Return the newest interval of each node of an owner that changed after a journal entry, but for new notes."""
    rows = reader.query(
        """
        select i.node_id, i.valid_from, i.valid_to, i.status, i.superseded_by, i.confirms
        from intervals i join journal j on j.owner_key = i.owner_key and j.seq = i.seq
        where i.owner_key = ? and i.seq > ? and j.seq > ? and j.kind <> 'NOTE_STORED' order by i.seq
        """,
        [owner_key, seq, seq],
    )
    return {row[0]: interval_of(row) for row in rows}


def plans_since(reader: Reader, owner_key: int, seq: int) -> list[bytes]:
    """Return the saved bytes of the owner's plans that were published after a journal entry."""
    rows = reader.query("select document from plans where owner_key = ? and seq > ? order by seq", [owner_key, seq])
    return [row[0].encode("utf-8") for row in rows]


def has_decided_since(reader: Reader, owner_key: int, seq: int) -> bool:
    """Whether something was decided by hand for an owner after a journal entry."""
    rows = reader.query("select 1 from explicit_decisions where owner_key = ? and seq > ? limit 1", [owner_key, seq])
    return bool(rows)


def events_since(reader: Reader, owner_key: int, seq: int) -> list[str]:
    """Return the ids of the owner's events that were stored after a journal entry."""
    rows = reader.query("select event_id from events where owner_key = ? and seq > ? order by seq", [owner_key, seq])
    return [row[0] for row in rows]


def recorded_after(reader: Reader, owner_key: int, known_at: datetime) -> list[str]:
    """Return the ids of the owner's nodes of which anything was recorded after a time, new ones included."""
    rows = reader.query(
        "select distinct node_id from intervals where owner_key = ? and recorded_from > ? order by node_id",
        [owner_key, to_microseconds(known_at)],
    )
    return [row[0] for row in rows]

"""Reading what changed since a position of the journal, for whatever follows the store: the text index first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from prme import ids
from prme.clock import to_microseconds
from prme.model.claim import Evidence
from prme.model.interval import Interval
from prme.model.message import Event
from prme.model.node import Node
from prme.model.note import note_node
from prme.store.database import LONGEST_LIST, Reader
from prme.store.nodes import claim_node, claims_after, evidence_of, find_evidence, interval_of, refuse_lost_intervals
from prme.store.recent_commits import DOCUMENT, RecentRows
from prme.store.records import events_after, inserted_event
from prme.store.rows import Row

# Places in the rows of `journal`, `intervals`, `plans`, `claims` and `evidence`.
_SEQ_OF_ENTRY, _COMMIT, _KIND_OF_ENTRY, _COMMIT_DIGEST = 1, 2, 3, 9
_NODE, _INTERVAL = 1, slice(4, None)
_SEQ = 2
_EVENT_OF_PLAN, _EVENT_OF_CLAIM = 1, 2
_UP_TO_POSITION, _SCOPE_TO_CONDITION, _CONTENT_OF_CLAIM = slice(4), slice(5, 15), 19
_CLAIM, _EVIDENCE = 1, slice(3, None)
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


@dataclass(frozen=True, slots=True)
class NodeChanges:
    """What became of an owner's nodes after a journal entry, up to a position.

    `intervals` are the newest ones of each node that changed. `new` are the nodes that came since, in their order of
    arrival, each as its own interval says: no node that it confirms, or that confirms it, has a part in it.
    """

    position: JournalPosition
    new: tuple[Node, ...]
    intervals: dict[str, Interval]


def read_node_changes(reader: Reader, owner_key: int, user_id: str, seq: int) -> NodeChanges | None:
    """Return what became of an owner's nodes after a journal entry, from the database; None for an empty journal."""
    position = newest_position(reader, owner_key)
    if position is None:
        return None
    claims = claims_after(reader, owner_key, seq)
    evidence = find_evidence(
        reader, owner_key, [row[_CLAIM] for row in claims] if len(claims) <= LONGEST_LIST else None
    )
    intervals = reader.query(
        """
        select node_id, seq, valid_from, valid_to, status, superseded_by, confirms
        from intervals where owner_key = ? and seq > ? order by seq
        """,
        [owner_key, seq],
    )
    versions = [(row[1], interval_of((row[0], *row[2:]))) for row in intervals]
    return _node_changes(user_id, position, events_after(reader, owner_key, seq), claims, evidence, versions)


def recent_node_changes(rows: RecentRows, user_id: str, seq: int) -> NodeChanges | None:
    """Return the same from the rows of the newest commits; None when nothing was published for the owner."""
    newest = max(rows.journal, key=lambda row: row[_SEQ_OF_ENTRY], default=None)
    if newest is None or newest[_SEQ_OF_ENTRY] <= seq:
        return None
    planned = {row[_EVENT_OF_PLAN] for row in rows.plans if row[_SEQ] > seq}
    claims = [
        (*row[_UP_TO_POSITION], *row[_SCOPE_TO_CONDITION], row[_CONTENT_OF_CLAIM])
        for row in rows.claims
        if row[_EVENT_OF_CLAIM] in planned
    ]
    return _node_changes(
        user_id,
        JournalPosition(newest[_SEQ_OF_ENTRY], newest[_COMMIT], newest[_COMMIT_DIGEST]),
        [inserted_event(user_id, row) for row in rows.events if row[_SEQ] > seq],
        claims,
        evidence_of((row[_CLAIM], *row[_EVIDENCE]) for row in rows.evidence),
        [(row[_SEQ], interval_of((row[_NODE], *row[_INTERVAL]))) for row in rows.intervals if row[_SEQ] > seq],
    )


def _node_changes(
    user_id: str,
    position: JournalPosition,
    events: Iterable[Event],
    claims: Iterable[Row],
    evidence: Mapping[str, tuple[Evidence, ...]],
    versions: Iterable[tuple[int, Interval]],
) -> NodeChanges:
    """Return the changes that rows say; `versions` are the journal entry and the interval of each, oldest first."""
    first_entries: dict[str, int] = {}
    intervals: dict[str, Interval] = {}
    for seq, interval in versions:
        first_entries.setdefault(interval.node_id, seq)
        intervals[interval.node_id] = interval
    notes = {ids.note_id(event.id): event for event in events}
    said = {row[_CLAIM]: row for row in claims}
    refuse_lost_intervals(intervals, notes.keys() | said.keys())
    new = [note_node(event, intervals[note_id]) for note_id, event in notes.items()]
    for claim_id, row in said.items():
        new.append(claim_node(user_id, row, intervals[claim_id], intervals[claim_id], evidence.get(claim_id, ())))
    new.sort(key=lambda node: in_order_of_arrival(node, first_entries))
    return NodeChanges(position, tuple(new), intervals)


def in_order_of_arrival(node: Node, first_entries: Mapping[str, int]) -> tuple[int, int, str]:
    """Return the sort key of the order in which the store came to know nodes: by the entry, the note first."""
    return first_entries[node.id], -1 if node.position is None else node.position, node.id


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


def first_entries(reader: Reader, owner_key: int) -> dict[str, int]:
    """Return the journal entry with which each of an owner's nodes came."""
    rows = reader.query("select node_id, min(seq) from intervals where owner_key = ? group by node_id", [owner_key])
    return {node_id: int(seq) for node_id, seq in rows}


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


def recorded_after(reader: Reader, owner_key: int, known_at: datetime) -> list[str]:
    """Return the ids of the owner's nodes of which anything was recorded after a time, new ones included."""
    rows = reader.query(
        "select distinct node_id from intervals where owner_key = ? and recorded_from > ? order by node_id",
        [owner_key, to_microseconds(known_at)],
    )
    return [row[0] for row in rows]

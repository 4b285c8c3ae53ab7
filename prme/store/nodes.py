"""Reading nodes: notes and claims with their newest interval, as callers see them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import datetime

from prme import ids
from prme.clock import from_microseconds, to_microseconds
from prme.errors import StoreCorruptError
from prme.model.claim import Evidence
from prme.model.history import IntervalVersion
from prme.model.interval import Interval
from prme.model.message import Event, SourceType
from prme.model.node import Node, NodeType
from prme.model.node_state import ending
from prme.model.note import note_node
from prme.store.database import LONGEST_LIST, Reader
from prme.store.records import StoredEvent, find_event, find_events, owner_events
from prme.store.rows import Row

CLAIM_COLUMNS = """
    owner_key, claim_id, event_id, position, scope, source_type, kind, subject_id, subject, predicate, object,
    polarity, epistemic_type, condition, content
"""
_CLAIMS = f"select {CLAIM_COLUMNS} from claims"


def event_nodes(reader: Reader, stored: StoredEvent) -> list[Node]:
    """Return the nodes of an event: the NOTE first, then the claims by position, closed ones included."""
    rows = reader.query(
        f"{_CLAIMS} where owner_key = ? and event_id = ? order by position", [stored.owner_key, stored.event.id]
    )
    return _nodes(reader, stored.owner_key, stored.event.user_id, [stored], rows)


def owner_nodes(
    reader: Reader, owner_key: int, user_id: str, *, notes: bool = True, known_at: datetime | None = None
) -> list[Node]:
    """Return all nodes of an owner: the notes in the order received, when asked for, then the claims.

    With `known_at` those that the store knew then, as it knew them.
    """
    rows = reader.query(f"{_CLAIMS} where owner_key = ? order by effective_at, received_at, position", [owner_key])
    events = owner_events(reader, owner_key) if notes else []
    return _nodes(reader, owner_key, user_id, events, rows, known_at)


def find_node(
    reader: Reader, node_id: str, *, owner_key: int | None = None, known_at: datetime | None = None
) -> Node | None:
    """Return a note or claim by id, of one owner when `owner_key` is given; with `known_at` as the store knew it then.

    None when it is unknown, or was not known yet.
    """
    bound = "" if owner_key is None else " and owner_key = ?"
    parameters: list[str | int] = [node_id] if owner_key is None else [node_id, owner_key]
    rows = reader.query(f"{_CLAIMS} where claim_id = ?{bound}", parameters)
    if not rows:
        return _find_note(reader, node_id, bound, parameters, known_at)
    stored = find_event(reader, rows[0][2], owner_key=rows[0][0])
    if stored is None:
        return None
    return next(iter(_nodes(reader, stored.owner_key, stored.event.user_id, [], rows, known_at)), None)


def find_claims(
    reader: Reader, owner_key: int, user_id: str, claim_ids: Sequence[str], *, known_at: datetime | None = None
) -> dict[str, Node]:
    """Return those of the given claims that an owner has, by id; with `known_at` as the store knew them then."""
    found: dict[str, Node] = {}
    for start in range(0, len(claim_ids), LONGEST_LIST):
        chunk = claim_ids[start : start + LONGEST_LIST]
        rows = reader.query(
            f"{_CLAIMS} where owner_key = ? and claim_id in ({', '.join('?' for _ in chunk)})", [owner_key, *chunk]
        )
        found |= {node.id: node for node in _nodes(reader, owner_key, user_id, [], rows, known_at)}
    return found


def find_notes(
    reader: Reader, owner_key: int, user_id: str, event_ids: Sequence[str], *, known_at: datetime | None = None
) -> dict[str, Node]:
    """Return the notes of an owner's events, by their own ids; with `known_at` as the store knew them then."""
    found: dict[str, Node] = {}
    for start in range(0, len(event_ids), LONGEST_LIST):
        events = find_events(reader, owner_key, event_ids[start : start + LONGEST_LIST]).values()
        found |= {node.id: node for node in _nodes(reader, owner_key, user_id, events, [], known_at)}
    return found


def find_nodes(
    reader: Reader, owner_key: int, user_id: str, node_ids: Sequence[str], *, known_at: datetime | None = None
) -> dict[str, Node]:
    """Return those of the given notes and claims that an owner has, by id; with `known_at` as they were known then."""
    found = find_claims(reader, owner_key, user_id, node_ids, known_at=known_at)
    for node_id in node_ids:
        if node_id not in found:
            note = _find_note(reader, node_id, " and owner_key = ?", [node_id, owner_key], known_at)
            found |= {} if note is None else {node_id: note}
    return found


def _find_note(
    reader: Reader, node_id: str, bound: str, parameters: Sequence[str | int], known_at: datetime | None
) -> Node | None:
    sql = f"select owner_key, seq from intervals where node_id = ?{bound} order by seq limit 1"
    for owner_key, seq in reader.query(sql, parameters):
        events = reader.query("select event_id from events where owner_key = ? and seq = ?", [owner_key, seq])
        stored = find_event(reader, events[0][0], owner_key=owner_key) if events else None
        if stored is not None and ids.note_id(stored.event.id) == node_id:
            nodes = _nodes(reader, stored.owner_key, stored.event.user_id, [stored], [], known_at)
            return next(iter(nodes), None)
    return None


def newest_intervals(
    reader: Reader, owner_key: int, node_ids: Sequence[str] | None = None, *, known_at: datetime | None = None
) -> dict[str, Interval]:
    """Return the newest interval of each node: of all nodes of an owner, or of the given ones.

    With `known_at` the newest that was recorded up to that time; a node recorded later has none.
    """
    if node_ids is not None and not node_ids:
        return {}
    chosen = "" if node_ids is None else f" and node_id in ({', '.join('?' for _ in node_ids)})"
    known, times = _known_up_to(known_at)
    rows = reader.query(
        f"""
        select distinct on (node_id) node_id, valid_from, valid_to, status, superseded_by, confirms
        from intervals where owner_key = ?{chosen}{known} order by node_id, seq desc
        """,
        [owner_key, *(node_ids or ()), *times],
    )
    return {row[0]: interval_of(row) for row in rows}


def interval_versions(
    reader: Reader, owner_key: int, node_id: str, *, known_at: datetime | None = None
) -> tuple[IntervalVersion, ...]:
    """Return every version of a node's interval, oldest first; with `known_at` as they stood then."""
    known, times = _known_up_to(known_at)
    rows = reader.query(
        f"""
        select node_id, valid_from, valid_to, status, superseded_by, confirms, recorded_from, seq
        from intervals where owner_key = ? and node_id = ?{known} order by seq
        """,
        [owner_key, node_id, *times],
    )
    ends: list[int | None] = [*(row[6] for row in rows[1:]), None]
    return tuple(_version(row, end) for row, end in zip(rows, ends, strict=False))


def _version(row: Row, recorded_to: int | None) -> IntervalVersion:
    interval = interval_of(row[:6])
    return IntervalVersion(
        valid_from=interval.valid_from,
        valid_to=interval.valid_to,
        status=interval.status,
        superseded_by=interval.superseded_by,
        confirms=interval.confirms,
        recorded_from=from_microseconds(row[6]),
        recorded_to=None if recorded_to is None else from_microseconds(recorded_to),
        entry=row[7],
    )


def _known_up_to(known_at: datetime | None) -> tuple[str, tuple[int, ...]]:
    """Return the condition, and its parameters, that leaves out versions recorded after a time."""
    return ("", ()) if known_at is None else (" and recorded_from <= ?", (to_microseconds(known_at),))


def replaced_nodes(reader: Reader, owner_key: int, node: Node, *, known_at: datetime | None = None) -> tuple[Node, ...]:
    """Return the notes and claims that name a node as their successor, oldest first, without those that confirm one."""
    rows = reader.query(
        "select distinct node_id from intervals where owner_key = ? and superseded_by = ?", [owner_key, node.id]
    )
    found = find_nodes(reader, owner_key, node.user_id, sorted(row[0] for row in rows), known_at=known_at)
    replaced = [earlier for earlier in found.values() if earlier.superseded_by == node.id]
    return tuple(sorted(replaced, key=lambda earlier: (earlier.valid_from, earlier.id)))


def subject_nodes(
    reader: Reader,
    owner_key: int,
    user_id: str,
    scope: str,
    subject_ids: Sequence[str],
    predicates: Sequence[str],
    *,
    known_at: datetime | None = None,
) -> list[Node]:
    """Return the claims of some subjects with some predicates, in the order of the fold."""
    subjects, named = (", ".join("?" for _ in chosen) for chosen in (subject_ids, predicates))
    rows = reader.query(
        f"""
        {_CLAIMS} where owner_key = ? and scope = ? and subject_id in ({subjects}) and predicate in ({named})
        order by effective_at, received_at, position
        """,
        [owner_key, scope, *subject_ids, *predicates],
    )
    return _nodes(reader, owner_key, user_id, [], rows, known_at)


def claims_after(reader: Reader, owner_key: int, seq: int) -> list[Row]:
    """Return the rows of the owner's claims that were published after a journal entry."""
    return reader.query(
        f"{_CLAIMS} where owner_key = ? and event_id in (select event_id from plans where owner_key = ? and seq > ?)",
        [owner_key, owner_key, seq],
    )


def claim_nodes(reader: Reader, owner_key: int, user_id: str, rows: Sequence[Row]) -> list[Node]:
    """Return the claims of rows of `CLAIM_COLUMNS`, in the same order."""
    return _nodes(reader, owner_key, user_id, [], rows)


def confirming_claims(
    reader: Reader, owner_key: int, node: Node, *, known_at: datetime | None = None
) -> tuple[Node, ...]:
    """Return the claims that confirm a claim, oldest first."""
    rows = reader.query(
        "select distinct node_id from intervals where owner_key = ? and confirms = ?", [owner_key, node.id]
    )
    found = find_claims(reader, owner_key, node.user_id, sorted(row[0] for row in rows), known_at=known_at)
    confirming = [claim for claim in found.values() if claim.confirms == node.id and claim.status == "confirming"]
    return tuple(sorted(confirming, key=lambda claim: (claim.valid_from, claim.id)))


def interval_entries(reader: Reader, owner_key: int, node_id: str) -> list[int]:
    """Return the numbers of the journal entries that changed a node's interval, oldest first."""
    rows = reader.query(
        "select seq from intervals where owner_key = ? and node_id = ? order by seq", [owner_key, node_id]
    )
    return [int(row[0]) for row in rows]


def _nodes(
    reader: Reader,
    owner_key: int,
    user_id: str,
    notes: Iterable[StoredEvent],
    claims: Sequence[Row],
    known_at: datetime | None = None,
) -> list[Node]:
    notes = list(notes)
    claim_ids = [row[1] for row in claims]
    wanted = [*(ids.note_id(stored.event.id) for stored in notes), *claim_ids]
    many = len(wanted) > LONGEST_LIST
    intervals = newest_intervals(reader, owner_key, None if many else wanted, known_at=known_at)
    if known_at is not None:
        notes = [stored for stored in notes if ids.note_id(stored.event.id) in intervals]
        claims = [row for row in claims if row[1] in intervals]
        wanted = [node_id for node_id in wanted if node_id in intervals]
    confirmed = {interval.confirms for interval in intervals.values() if interval.confirms} - set(intervals)
    intervals |= newest_intervals(reader, owner_key, sorted(confirmed), known_at=known_at)
    refuse_lost_intervals(intervals, confirmed.union(wanted))
    last_confirmed = _last_confirmed(reader, owner_key, None if many else claim_ids, known_at)
    evidence = find_evidence(reader, owner_key, None if many else claim_ids)
    return [
        *(note_node(stored.event, intervals[ids.note_id(stored.event.id)]) for stored in notes),
        *(
            claim_node(
                user_id,
                row,
                intervals[row[1]],
                ending(intervals[row[1]], intervals),
                evidence.get(row[1], ()),
                last_confirmed.get(row[1]),
            )
            for row in claims
        ),
    ]


def new_note(event: Event) -> Node:
    """Return the NOTE of an event that nothing has been decided of."""
    return note_node(event, Interval(ids.note_id(event.id), event.occurred_at, None, "current", None, None))


def refuse_lost_intervals(intervals: Mapping[str, Interval], wanted: AbstractSet[str]) -> None:
    """Raise `StoreCorruptError` when a node has no interval."""
    if not intervals.keys() >= wanted:
        raise StoreCorruptError("a note or claim has lost its interval: run `prme verify` to see which")


def claim_node(
    user_id: str,
    row: Row,
    own: Interval,
    closed: Interval,
    evidence: tuple[Evidence, ...],
    last_confirmed_at: datetime | None = None,
) -> Node:
    """Return the claim of a row of `CLAIM_COLUMNS`; it ends as `closed` says."""
    _, claim_id, event_id, position, scope, source_type, kind, subject_id, subject, predicate, obj = row[:11]
    polarity, epistemic_type, condition, content = row[11:]
    return Node(
        id=claim_id,
        node_type=NodeType.of_kind(kind),
        user_id=user_id,
        scope=scope,
        content=content,
        source_type=SourceType(source_type),
        status=own.status,
        valid_from=own.valid_from,
        valid_to=closed.valid_to,
        superseded_by=closed.superseded_by,
        confirms=own.confirms,
        last_confirmed_at=last_confirmed_at,
        event_id=event_id,
        subject_id=subject_id,
        position=position,
        subject=subject,
        predicate=predicate,
        object=obj,
        polarity=polarity,
        epistemic_type=epistemic_type,
        condition=condition,
        evidence=evidence,
    )


def _last_confirmed(
    reader: Reader, owner_key: int, claim_ids: Sequence[str] | None, known_at: datetime | None
) -> dict[str, datetime]:
    """Return the latest effective time of the claims that confirm each claim, now or as known at a time."""
    if claim_ids is not None and not claim_ids:
        return {}
    chosen = "" if claim_ids is None else f" and confirms in ({', '.join('?' for _ in claim_ids)})"
    rows = reader.query(
        f"select distinct node_id from intervals where owner_key = ? and confirms is not null{chosen}",
        [owner_key, *(claim_ids or ())],
    )
    latest: dict[str, datetime] = {}
    confirming = newest_intervals(reader, owner_key, sorted(row[0] for row in rows), known_at=known_at)
    for interval in confirming.values():
        if interval.confirms is not None and interval.status == "confirming":
            latest[interval.confirms] = max(interval.valid_from, latest.get(interval.confirms, interval.valid_from))
    return latest


def find_evidence(reader: Reader, owner_key: int, claim_ids: Sequence[str] | None) -> dict[str, tuple[Evidence, ...]]:
    """Return the evidence of each claim: of the given claims, or of all of an owner."""
    if claim_ids is not None and not claim_ids:
        return {}
    chosen = "" if claim_ids is None else f" and claim_id in ({', '.join('?' for _ in claim_ids)})"
    rows = reader.query(
        f"""
        select claim_id, event_id, span_start, span_end, quote from evidence
        where owner_key = ?{chosen} order by claim_id, ordinal
        """,
        [owner_key, *(claim_ids or ())],
    )
    return evidence_of(rows)


def evidence_of(rows: Iterable[Row]) -> dict[str, tuple[Evidence, ...]]:
    """Return the evidence of each claim in rows of the claim, the event, both ends and the quote, in order."""
    found: dict[str, tuple[Evidence, ...]] = {}
    for claim_id, event_id, start, end, quote in rows:
        evidence = Evidence(event_id=event_id, start=start, end=end, quote=quote)
        found[claim_id] = (*found.get(claim_id, ()), evidence)
    return found


def interval_of(row: Row) -> Interval:
    """Return the interval in a row: the node, both ends, the status, the successor and what it confirms."""
    node_id, valid_from, valid_to, status, superseded_by, confirms = row
    return Interval(
        node_id=node_id,
        valid_from=from_microseconds(valid_from),
        valid_to=None if valid_to is None else from_microseconds(valid_to),
        status=status,
        superseded_by=superseded_by,
        confirms=confirms,
    )

"""Reading nodes: notes and claims with their newest interval, as callers see them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from prme import ids
from prme.clock import from_microseconds
from prme.errors import StoreCorruptError
from prme.model.claim import Evidence
from prme.model.interval import Interval
from prme.model.message import SourceType
from prme.model.node import Node, NodeType
from prme.store.database import Reader
from prme.store.records import LONGEST_LIST, StoredEvent, find_event, owner_events
from prme.store.rows import Row

_CLAIMS = """
    select owner_key, claim_id, event_id, position, scope, source_type, kind, subject_id, subject, predicate, object,
        polarity, epistemic_type, condition, content
    from claims
"""


def event_nodes(reader: Reader, stored: StoredEvent) -> list[Node]:
    """Return the nodes of an event: the NOTE first, then the claims by position, closed ones included."""
    rows = reader.query(
        f"{_CLAIMS} where owner_key = ? and event_id = ? order by position", [stored.owner_key, stored.event.id]
    )
    return _nodes(reader, stored.owner_key, stored.event.user_id, [stored], rows)


def owner_nodes(reader: Reader, owner_key: int, user_id: str, *, notes: bool = True) -> list[Node]:
    """Return all nodes of an owner: the notes in the order received, when asked for, then the claims."""
    rows = reader.query(f"{_CLAIMS} where owner_key = ? order by effective_at, received_at, position", [owner_key])
    events = owner_events(reader, owner_key) if notes else []
    return _nodes(reader, owner_key, user_id, events, rows)


def find_node(reader: Reader, node_id: str, *, owner_key: int | None = None) -> Node | None:
    """Return a note or claim by id, of one owner when `owner_key` is given."""
    bound = "" if owner_key is None else " and owner_key = ?"
    parameters: list[str | int] = [node_id] if owner_key is None else [node_id, owner_key]
    rows = reader.query(f"{_CLAIMS} where claim_id = ?{bound}", parameters)
    if not rows:
        return _find_note(reader, node_id, bound, parameters)
    stored = find_event(reader, rows[0][2], owner_key=rows[0][0])
    return None if stored is None else _nodes(reader, stored.owner_key, stored.event.user_id, [], rows)[0]


def find_claims(reader: Reader, owner_key: int, user_id: str, claim_ids: Sequence[str]) -> dict[str, Node]:
    """Return those of the given claims that an owner has, by id."""
    found: dict[str, Node] = {}
    for start in range(0, len(claim_ids), LONGEST_LIST):
        chunk = claim_ids[start : start + LONGEST_LIST]
        rows = reader.query(
            f"{_CLAIMS} where owner_key = ? and claim_id in ({', '.join('?' for _ in chunk)})", [owner_key, *chunk]
        )
        found |= {node.id: node for node in _nodes(reader, owner_key, user_id, [], rows)}
    return found


def _find_note(reader: Reader, node_id: str, bound: str, parameters: Sequence[str | int]) -> Node | None:
    sql = f"select owner_key, seq from intervals where node_id = ?{bound} order by seq limit 1"
    for owner_key, seq in reader.query(sql, parameters):
        events = reader.query("select event_id from events where owner_key = ? and seq = ?", [owner_key, seq])
        stored = find_event(reader, events[0][0], owner_key=owner_key) if events else None
        if stored is not None and ids.note_id(stored.event.id) == node_id:
            return _nodes(reader, stored.owner_key, stored.event.user_id, [stored], [])[0]
    return None


def newest_intervals(reader: Reader, owner_key: int, node_ids: Sequence[str] | None = None) -> dict[str, Interval]:
    """Return the newest interval of each node: of all nodes of an owner, or of the given ones."""
    if node_ids is not None and not node_ids:
        return {}
    chosen = "" if node_ids is None else f" and node_id in ({', '.join('?' for _ in node_ids)})"
    rows = reader.query(
        f"""
        select distinct on (node_id) node_id, valid_from, valid_to, status, superseded_by, confirms
        from intervals where owner_key = ?{chosen} order by node_id, seq desc
        """,
        [owner_key, *(node_ids or ())],
    )
    return {row[0]: _interval(row) for row in rows}


def interval_entries(reader: Reader, owner_key: int, node_id: str) -> list[int]:
    """Return the numbers of the journal entries that changed a node's interval, oldest first."""
    rows = reader.query(
        "select seq from intervals where owner_key = ? and node_id = ? order by seq", [owner_key, node_id]
    )
    return [int(row[0]) for row in rows]


def _nodes(
    reader: Reader, owner_key: int, user_id: str, notes: Iterable[StoredEvent], claims: Sequence[Row]
) -> list[Node]:
    notes = list(notes)
    claim_ids = [row[1] for row in claims]
    wanted = [*(ids.note_id(stored.event.id) for stored in notes), *claim_ids]
    many = len(wanted) > LONGEST_LIST
    intervals = newest_intervals(reader, owner_key, None if many else wanted)
    confirmed = {interval.confirms for interval in intervals.values() if interval.confirms} - set(intervals)
    intervals |= newest_intervals(reader, owner_key, sorted(confirmed))
    if not intervals.keys() >= confirmed.union(wanted):
        raise StoreCorruptError("a note or claim has lost its interval: run `prme verify` to see which")
    last_confirmed = _last_confirmed(reader, owner_key, None if many else claim_ids)
    evidence = _evidence(reader, owner_key, None if many else claim_ids)
    return [
        *(_note(stored, intervals[ids.note_id(stored.event.id)]) for stored in notes),
        *(_claim_node(user_id, row, intervals, last_confirmed.get(row[1]), evidence.get(row[1], ())) for row in claims),
    ]


def _note(stored: StoredEvent, interval: Interval) -> Node:
    event = stored.event
    return Node(
        id=interval.node_id,
        node_type=NodeType.NOTE,
        user_id=event.user_id,
        scope=event.scope,
        content=event.content,
        source_type=event.source_type,
        status=interval.status,
        valid_from=interval.valid_from,
        valid_to=interval.valid_to,
        superseded_by=interval.superseded_by,
        confirms=interval.confirms,
        last_confirmed_at=None,
        event_id=event.id,
    )


def _claim_node(
    user_id: str,
    row: Row,
    intervals: dict[str, Interval],
    last_confirmed_at: datetime | None,
    evidence: tuple[Evidence, ...],
) -> Node:
    _, claim_id, event_id, position, scope, source_type, kind, subject_id, subject, predicate, obj = row[:11]
    polarity, epistemic_type, condition, content = row[11:]
    own = intervals[claim_id]
    # A confirming claim ends when the one it confirms does, unless a decision closed it by itself.
    closed = own if own.status != "confirming" or own.confirms is None else intervals[own.confirms]
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


def _last_confirmed(reader: Reader, owner_key: int, claim_ids: Sequence[str] | None) -> dict[str, datetime]:
    """Return the latest effective time of the claims that confirm each claim now."""
    if claim_ids is not None and not claim_ids:
        return {}
    chosen = "" if claim_ids is None else f" and confirms in ({', '.join('?' for _ in claim_ids)})"
    rows = reader.query(
        f"select distinct node_id from intervals where owner_key = ? and confirms is not null{chosen}",
        [owner_key, *(claim_ids or ())],
    )
    latest: dict[str, datetime] = {}
    for interval in newest_intervals(reader, owner_key, sorted(row[0] for row in rows)).values():
        if interval.confirms is not None and interval.status == "confirming":
            latest[interval.confirms] = max(interval.valid_from, latest.get(interval.confirms, interval.valid_from))
    return latest


def _evidence(reader: Reader, owner_key: int, claim_ids: Sequence[str] | None) -> dict[str, tuple[Evidence, ...]]:
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
    found: dict[str, tuple[Evidence, ...]] = {}
    for claim_id, event_id, start, end, quote in rows:
        evidence = Evidence(event_id=event_id, start=start, end=end, quote=quote)
        found[claim_id] = (*found.get(claim_id, ()), evidence)
    return found


def _interval(row: Row) -> Interval:
    node_id, valid_from, valid_to, status, superseded_by, confirms = row
    return Interval(
        node_id=node_id,
        valid_from=from_microseconds(valid_from),
        valid_to=None if valid_to is None else from_microseconds(valid_to),
        status=status,
        superseded_by=superseded_by,
        confirms=confirms,
    )

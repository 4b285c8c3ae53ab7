"""The nodes of the rows that were found, as they stand or as the store knew them, and what was retired beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from prme.clock import to_microseconds
from prme.model.claim import Evidence
from prme.model.interval import Interval
from prme.model.node import Node, NodeType
from prme.retrieval.index_rows import NODE_COLUMNS, node_of
from prme.store.changed_nodes import recorded_after
from prme.store.database import LONGEST_LIST, Reader
from prme.store.nodes import find_claims, find_notes, newest_intervals


def fill_known_states(connection: sqlite3.Connection, reader: Reader, owner_key: int, known_at: datetime) -> None:
    """Fill the temporary table `known` with the state of each node that the store knew at a time.

    What was recorded later is taken back: everything else stands as it stood then.
    """
    connection.execute("drop table if exists temp.known")
    connection.execute(
        "create temp table known "
        "(rowid integer primary key, valid_from integer, valid_to integer, status text, confirms text)"
    )
    connection.execute(
        "insert into known select rowid, valid_from, valid_to, status, confirms from nodes where owner_key = ?",
        [owner_key],
    )
    later = recorded_after(reader, owner_key, known_at)
    named = "(select rowid from nodes where owner_key = ? and node_id = ?)"
    connection.executemany(f"delete from known where rowid = {named}", ((owner_key, node_id) for node_id in later))
    earlier = newest_intervals(reader, owner_key, later if len(later) <= LONGEST_LIST else None, known_at=known_at)
    connection.executemany(
        f"insert into known values ({named}, ?, ?, ?, ?)",
        ((owner_key, node_id, *_state(earlier[node_id])) for node_id in later if node_id in earlier),
    )
    # A confirming claim ends when the one that it confirms does.
    connection.execute(
        """
        update known set valid_to = (
            select other.valid_to from nodes n join known other on other.rowid = n.rowid
            where n.owner_key = ? and n.node_id = known.confirms
        ) where status = 'confirming'
        """,
        [owner_key],
    )


def _state(interval: Interval) -> tuple[int, int | None, str, str | None]:
    end = None if interval.valid_to is None else to_microseconds(interval.valid_to)
    return to_microseconds(interval.valid_from), end, interval.status, interval.confirms


def current_nodes(connection: sqlite3.Connection, user_id: str, rowids: Sequence[int]) -> dict[int, Node]:
    """Return the nodes of rows as they stand, by row."""
    return {row[0]: node_of(row, user_id) for row in _rows(connection, "where n.rowid in", rowids)}


def known_nodes(
    connection: sqlite3.Connection,
    reader: Reader,
    owner_key: int,
    user_id: str,
    rowids: Sequence[int],
    known_at: datetime,
) -> dict[int, Node]:
    """Return the nodes of rows as the store knew them at a time, by row."""
    now = current_nodes(connection, user_id, rowids)
    claim_ids = [node.id for node in now.values() if node.node_type is not NodeType.NOTE]
    events = [node.event_id for node in now.values() if node.node_type is NodeType.NOTE]
    found = find_claims(reader, owner_key, user_id, claim_ids, known_at=known_at)
    found |= find_notes(reader, owner_key, user_id, events, known_at=known_at)
    return {rowid: found[node.id] for rowid, node in now.items()}


def retired_beside(
    connection: sqlite3.Connection, owner_key: int, nodes: Collection[Node], *, as_known: bool
) -> set[str]:
    """Return those of the nodes whose own text is also the evidence of a closed claim of the same event (003-51)."""
    known, state = (" cross join known k on k.rowid = n.rowid", "k") if as_known else ("", "n")
    events = sorted({node.event_id for node in nodes})
    chosen = f"n.owner_key = {owner_key:d} and n.node_type <> 'NOTE' and {state}.valid_to is not null"
    closed: dict[str, list[Node]] = {}
    for row in _rows(connection, f"{known} where {chosen} and n.event_id in", events):
        claim = node_of(row, "")
        closed.setdefault(claim.event_id, []).append(claim)
    return {
        node.id
        for node in nodes
        for claim in closed.get(node.event_id, ())
        if claim.id != node.id and (node.node_type is NodeType.NOTE or _overlap(node.evidence, claim.evidence))
    }


def _overlap(one: Iterable[Evidence], other: Collection[Evidence]) -> bool:
    return any(a.event_id == b.event_id and a.start < b.end and b.start < a.end for a in one for b in other)


def _rows(connection: sqlite3.Connection, condition: str, values: Sequence[int | str]) -> list[tuple[Any, ...]]:
    columns = ", ".join(f"n.{column}" for column in NODE_COLUMNS)
    found: list[tuple[Any, ...]] = []
    for start in range(0, len(values), LONGEST_LIST):
        chunk = values[start : start + LONGEST_LIST]
        marks = ", ".join("?" for _ in chunk)
        found += connection.execute(f"select {columns} from nodes n {condition} ({marks})", list(chunk)).fetchall()
    return found

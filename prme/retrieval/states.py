"""The nodes of the rows that were found, as they stand or as the store knew them, and what was retired beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any

from prme.clock import to_microseconds
from prme.model.claim import Evidence
from prme.model.node import Node, NodeType
from prme.model.retrieval import RetrieveRequest
from prme.retrieval.index_rows import NODE_COLUMNS, node_of
from prme.store.database import Reader
from prme.store.nodes import find_claims, find_notes, newest_intervals

_LONGEST_LIST = 500


def fill_known_states(connection: sqlite3.Connection, reader: Reader, owner_key: int, known_at: datetime) -> None:
    """Fill the temporary table `known` with the state of each node that the store knew at a time."""
    connection.execute("drop table if exists temp.known")
    connection.execute(
        "create temp table known (rowid integer primary key, valid_from integer, valid_to integer, status text)"
    )
    intervals = newest_intervals(reader, owner_key, known_at=known_at)
    rows: list[tuple[Any, ...]] = []
    for interval in intervals.values():
        confirmed = intervals.get(interval.confirms or "") if interval.status == "confirming" else None
        valid_to = (confirmed or interval).valid_to
        end = None if valid_to is None else to_microseconds(valid_to)
        rows.append((to_microseconds(interval.valid_from), end, interval.status, owner_key, interval.node_id))
    connection.executemany(
        "insert into known select rowid, ?, ?, ? from nodes where owner_key = ? and node_id = ?", rows
    )


def nodes_of(
    connection: sqlite3.Connection, reader: Reader, owner_key: int, request: RetrieveRequest, rowids: Sequence[int]
) -> dict[int, Node]:
    """Return the nodes of rows, by row: as they stand from the index itself, as known at a time from the store."""
    rows = _rows(connection, "where n.rowid in", rowids)
    if request.known_at is None:
        return {row[0]: node_of(row, request.user_id) for row in rows}
    claim_ids = [row[2] for row in rows if row[5] != NodeType.NOTE]
    events = [row[3] for row in rows if row[5] == NodeType.NOTE]
    found = find_claims(reader, owner_key, request.user_id, claim_ids, known_at=request.known_at)
    found |= find_notes(reader, owner_key, request.user_id, events, known_at=request.known_at)
    return {row[0]: found[row[2]] for row in rows}


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
    for start in range(0, len(values), _LONGEST_LIST):
        chunk = values[start : start + _LONGEST_LIST]
        marks = ", ".join("?" for _ in chunk)
        found += connection.execute(f"select {columns} from nodes n {condition} ({marks})", list(chunk)).fetchall()
    return found

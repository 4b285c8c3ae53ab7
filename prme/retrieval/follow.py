"""How the text index follows the store: an owner's rows are brought up to a snapshot before each search."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from prme.model.node import Node
from prme.retrieval.index_file import transaction
from prme.retrieval.index_rows import NODE_COLUMNS, node_row, text_row
from prme.store.changed_nodes import (
    JournalPosition,
    changed_since,
    events_since,
    has_position,
    new_entries,
    newest_position,
)
from prme.store.database import LONGEST_LIST, Reader
from prme.store.nodes import find_claims, find_notes, owner_nodes

# Beyond this many changes reading all nodes at once is faster than reading them by id.
MANY_CHANGES = 5_000

logger = logging.getLogger("prme")


class Follower:
    """What one process knows of how far each owner's rows are; made anew with each new connection."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        # The newest commit, of whichever owner, up to which an owner's rows were found complete.
        self._complete_to: dict[int, int] = {}

    def follow(self, reader: Reader, owner_key: int, user_id: str) -> None:
        """Bring an owner's rows up to the snapshot; when nothing is new that is one query.

        Rows whose position the store does not know, because one of the two comes from another copy, are made again.
        """
        complete_to = self._complete_to.get(owner_key)
        position = self._position(owner_key)
        if complete_to is None:
            if position is not None and not has_position(reader, owner_key, position):
                logger.warning("the text index belongs to another state of the store; an owner's part is made again")
                position = None
            if position is None:
                self._build(reader, owner_key, user_id)
                position = self._position(owner_key)
            complete_to = 0 if position is None else position.commit_no
        new = new_entries(reader, owner_key, after_commit=complete_to)
        if new.newest_seq is not None and position is not None:
            self._update(reader, owner_key, user_id, position)
        self._complete_to[owner_key] = complete_to if new.newest_commit is None else new.newest_commit

    def is_complete(self, owner_key: int, commit_no: int) -> bool:
        """Whether an owner's rows are known to hold everything up to a commit."""
        return self._complete_to.get(owner_key, -1) >= commit_no

    def build(self, reader: Reader, owner_key: int, user_id: str) -> None:
        """Make an owner's rows from nothing."""
        self._build(reader, owner_key, user_id)
        self._complete_to.pop(owner_key, None)

    def _position(self, owner_key: int) -> JournalPosition | None:
        row = self._connection.execute(
            "select seq, commit_no, commit_digest from owners where owner_key = ?", [owner_key]
        ).fetchone()
        return None if row is None else JournalPosition(*row)

    def _build(self, reader: Reader, owner_key: int, user_id: str) -> None:
        first_entries = changed_since(reader, owner_key, 0)
        nodes = owner_nodes(reader, owner_key, user_id)
        words = words_table(owner_key)
        with transaction(self._connection):
            self._connection.execute(f"drop table if exists {words}")
            self._connection.execute("delete from nodes where owner_key = ?", [owner_key])
            # The tokens were made before: a blank parts them, and every character beyond ASCII belongs to one.
            self._connection.execute(
                f"create virtual table {words} using fts5 "
                """(claim, content, content = '', tokenize = "porter ascii tokenchars '_'")"""
            )
            self._write(owner_key, nodes, first_entries)
            self._connection.execute(f"insert into {words} ({words}) values ('optimize')")
            self._stand_at(owner_key, newest_position(reader, owner_key))

    def _update(self, reader: Reader, owner_key: int, user_id: str, position: JournalPosition) -> None:
        first_entries = changed_since(reader, owner_key, position.seq)
        known = self._known(owner_key, first_entries)
        wanted = {*first_entries, *self._bound_to(owner_key, first_entries, known)}
        if len(wanted) > MANY_CHANGES:
            nodes = [node for node in owner_nodes(reader, owner_key, user_id) if node.id in wanted]
        else:
            events = {event_id for _, event_id, node_type, _ in known.values() if node_type == "NOTE"}
            events.update(events_since(reader, owner_key, position.seq))
            claims = find_claims(reader, owner_key, user_id, sorted(wanted))
            nodes = [*find_notes(reader, owner_key, user_id, sorted(events)).values(), *claims.values()]
        with transaction(self._connection):
            self._write(owner_key, nodes, first_entries)
            self._stand_at(owner_key, newest_position(reader, owner_key))

    def _known(self, owner_key: int, node_ids: Collection[str]) -> dict[str, tuple[int, str, str, str | None]]:
        """Return (rowid, event id, node type, confirms) of those nodes that have a row."""
        rows = _chosen(
            self._connection,
            "select node_id, rowid, event_id, node_type, confirms from nodes where owner_key = ? and node_id in",
            owner_key,
            node_ids,
        )
        return {row[0]: row[1:] for row in rows}

    def _bound_to(
        self, owner_key: int, node_ids: Collection[str], known: Mapping[str, tuple[int, str, str, str | None]]
    ) -> set[str]:
        """Return the nodes that change with others: what those confirmed until now, and what confirms them."""
        confirmed = {confirms for _, _, _, confirms in known.values() if confirms is not None}
        rows = _chosen(
            self._connection, "select node_id from nodes where owner_key = ? and confirms in", owner_key, node_ids
        )
        return confirmed.union(row[0] for row in rows)

    def _write(self, owner_key: int, nodes: Iterable[Node], first_entries: Mapping[str, int]) -> None:
        """Insert new rows in the order in which the store came to know them, and replace the state of known ones."""
        nodes = list(nodes)
        known = self._known(owner_key, [node.id for node in nodes])
        old = [node for node in nodes if node.id in known]
        new = [node for node in nodes if node.id not in known]
        new.sort(key=lambda node: (first_entries[node.id], -1 if node.position is None else node.position, node.id))
        first = int(self._connection.execute("select coalesce(max(rowid), 0) + 1 from nodes").fetchone()[0])
        rows = [node_row(known[node.id][0], owner_key, node) for node in old]
        rows += [node_row(rowid, owner_key, node) for rowid, node in enumerate(new, first)]
        columns, marks = ", ".join(NODE_COLUMNS), ", ".join("?" for _ in NODE_COLUMNS)
        self._connection.executemany(f"insert or replace into nodes ({columns}) values ({marks})", rows)
        self._connection.executemany(
            f"insert into {words_table(owner_key)} (rowid, claim, content) values (?, ?, ?)",
            (text_row(rowid, node) for rowid, node in enumerate(new, first)),
        )

    def _stand_at(self, owner_key: int, position: JournalPosition | None) -> None:
        if position is not None:
            self._connection.execute(
                "insert or replace into owners values (?, ?, ?, ?)",
                [owner_key, position.seq, position.commit_no, position.commit_digest],
            )


def words_table(owner_key: int) -> str:
    """Return the name of the table with an owner's words.

    Each owner has one: scores rest on how often words occur in a table, and must say nothing of other owners.
    """
    return f"words_{owner_key:d}"


def _chosen(connection: sqlite3.Connection, sql: str, owner_key: int, wanted: Collection[str]) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = []
    values = list(wanted)
    for start in range(0, len(values), LONGEST_LIST):
        chunk = values[start : start + LONGEST_LIST]
        marks = ", ".join("?" for _ in chunk)
        found += connection.execute(f"{sql} ({marks})", [owner_key, *chunk]).fetchall()
    return found

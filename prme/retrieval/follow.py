"""How the text index follows the store: an owner's rows are brought up to a snapshot before each search."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from prme.model.interval import Interval
from prme.model.node import Node
from prme.retrieval.followed_nodes import followed_nodes, left_claims
from prme.retrieval.index_file import transaction
from prme.retrieval.index_rows import NODE_COLUMNS, node_of, node_row, text_row
from prme.store.changed_nodes import (
    JournalPosition,
    NodeChanges,
    first_entries,
    has_position,
    in_order_of_arrival,
    new_entries,
    newest_position,
    read_node_changes,
    recent_node_changes,
)
from prme.store.database import LONGEST_LIST, Reader
from prme.store.nodes import owner_nodes
from prme.store.recent_commits import RecentCommits

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
            changes = read_node_changes(reader, owner_key, user_id, position.seq)
            if changes is not None:
                self._update(owner_key, user_id, changes)
        self._complete_to[owner_key] = complete_to if new.newest_commit is None else new.newest_commit

    def follow_recent(self, recent: RecentCommits, owner_key: int, user_id: str) -> bool:
        """Bring an owner's rows up to the newest commit without asking the store; False when its memory lacks some."""
        complete_to = self._complete_to.get(owner_key)
        rows = None if complete_to is None else recent.since(owner_key, complete_to)
        if complete_to is None or rows is None:
            return False
        if rows.newest_commit > complete_to:
            position = self._position(owner_key)
            changes = None if position is None else recent_node_changes(rows, user_id, position.seq)
            if changes is not None:
                self._update(owner_key, user_id, changes)
            self._complete_to[owner_key] = rows.newest_commit
        return True

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
        entries = first_entries(reader, owner_key)
        nodes = sorted(owner_nodes(reader, owner_key, user_id), key=lambda node: in_order_of_arrival(node, entries))
        words = words_table(owner_key)
        with transaction(self._connection):
            self._connection.execute(f"drop table if exists {words}")
            self._connection.execute("delete from nodes where owner_key = ?", [owner_key])
            # The tokens were made before: a blank parts them, and every character beyond ASCII belongs to one.
            self._connection.execute(
                f"create virtual table {words} using fts5 "
                """(claim, content, content = '', tokenize = "porter ascii tokenchars '_'")"""
            )
            self._write(owner_key, nodes, {})
            self._connection.execute(f"insert into {words} ({words}) values ('optimize')")
            self._stand_at(owner_key, newest_position(reader, owner_key))

    def _update(self, owner_key: int, user_id: str, changes: NodeChanges) -> None:
        known = self._known(owner_key, user_id, changes.intervals)
        nodes = followed_nodes({node_id: node for node_id, (_, node) in known.items()}, changes)
        with transaction(self._connection):
            self._write(owner_key, nodes.values(), {node_id: rowid for node_id, (rowid, _) in known.items()})
            self._stand_at(owner_key, changes.position)

    def _known(self, owner_key: int, user_id: str, intervals: Mapping[str, Interval]) -> dict[str, tuple[int, Node]]:
        """Return the rows, each with its node, that changed intervals may change: see `followed_nodes`."""
        changed = self._rows(owner_key, user_id, "node_id", intervals)
        left = left_claims({node_id: node for node_id, (_, node) in changed.items()})
        found = changed | self._rows(owner_key, user_id, "confirms", changed.keys() | left)
        confirmed = {interval.confirms for interval in intervals.values() if interval.confirms is not None}
        return found | self._rows(owner_key, user_id, "node_id", confirmed.union(left) - found.keys())

    def _rows(self, owner_key: int, user_id: str, column: str, values: Collection[str]) -> dict[str, tuple[int, Node]]:
        """Return the rows of an owner that have one of some values in a column, each with its node, by its id."""
        chosen = list(values)
        rows: list[tuple[Any, ...]] = []
        for start in range(0, len(chosen), LONGEST_LIST):
            chunk = chosen[start : start + LONGEST_LIST]
            marks = ", ".join("?" for _ in chunk)
            rows += self._connection.execute(
                f"select {', '.join(NODE_COLUMNS)} from nodes where owner_key = ? and {column} in ({marks})",
                [owner_key, *chunk],
            ).fetchall()
        found = ((row[0], node_of(row, user_id)) for row in rows)
        return {node.id: (rowid, node) for rowid, node in found}

    def _write(self, owner_key: int, nodes: Iterable[Node], rowids: Mapping[str, int]) -> None:
        """Replace the rows of nodes that have one, and insert those of the others in their order."""
        nodes = list(nodes)
        new = [node for node in nodes if node.id not in rowids]
        first = int(self._connection.execute("select coalesce(max(rowid), 0) + 1 from nodes").fetchone()[0])
        rows = [node_row(rowids[node.id], owner_key, node) for node in nodes if node.id in rowids]
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

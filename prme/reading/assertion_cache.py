"""Assertion states kept in memory beside the database, and brought up to its newest commit before each answer."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

from prme.model.assertion import AssertionState
from prme.reading.assertions import NOTHING, AssertionQuery
from prme.reading.standing import Standing, follow, read_standing
from prme.store.changed_nodes import new_entries, read_changes_since, recent_changes
from prme.store.database import Database, Reader

MOST_KEPT_NODES = 100_000
LONGEST_KEPT_WORDS = 1_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """What stands for a query, and the newest commit, of whichever owner, up to which it is complete."""

    standing: Standing
    complete_to: int

    @property
    def size(self) -> int:
        return 1 + len(self.standing.open) + len(self.standing.closed)


class AssertionCache:
    """Answers queries about now, from any thread; what was not asked for the longest time is forgotten first.

    Only what is committed enters it, and every answer holds all that was acknowledged before it was asked for.
    """

    def __init__(self, database: Database, *, most_nodes: int = MOST_KEPT_NODES) -> None:
        """Take an open store; nothing is read before it is asked for."""
        self._database = database
        self._most_nodes = most_nodes
        self._kept: OrderedDict[AssertionQuery, _Kept] = OrderedDict()
        self._nodes = 0
        self._lock = threading.Lock()

    def read(self, query: AssertionQuery) -> AssertionState:
        """Return what is known now. Raises `StoreError` when the store is closed or belongs to a parent process."""
        kept = self._find(query)
        followed = None if kept is None else self._followed(query, kept)
        if followed is not None:
            if followed is not kept:
                self._keep(query, followed)
            return followed.standing.state
        # Looked at before the snapshot is taken, which therefore holds at least this commit.
        newest = self._database.last_commit
        committed = 0 if newest is None else newest.commit_no
        with self._database.snapshot() as reader:
            # A commit is in `last_commit` before its call returns: so what was acknowledged is never missed.
            kept = self._brought_up(reader, query, kept, committed)
        if kept is None:
            return NOTHING
        self._keep(query, kept)
        return kept.standing.state

    def _followed(self, query: AssertionQuery, kept: _Kept) -> _Kept | None:
        """Return what stands now by the newest commits in memory; None when they do not say it."""
        self._database.refuse_fork()
        self._database.refuse_closed()
        rows = self._database.recent.since(kept.standing.family.owner_key, kept.complete_to)
        if rows is None:
            return None
        if rows.newest_commit <= kept.complete_to:
            return kept
        changes = recent_changes(rows, kept.standing.seq)
        standing = kept.standing if changes is None else follow(query, kept.standing, changes, reader=None)
        return None if standing is None else _Kept(standing, rows.newest_commit)

    @staticmethod
    def _brought_up(reader: Reader, query: AssertionQuery, kept: _Kept | None, committed: int) -> _Kept | None:
        """Return what stands in a snapshot that holds a commit; None for an unknown owner."""
        if kept is not None:
            standing: Standing | None = kept.standing
            owner_key, seq = kept.standing.family.owner_key, kept.standing.seq
            new = new_entries(reader, owner_key, after_commit=kept.complete_to)
            if new.newest_seq is not None:
                changes = read_changes_since(reader, owner_key, seq, newest_seq=new.newest_seq)
                standing = follow(query, kept.standing, changes, reader=reader)
            if standing is not None:
                return _Kept(standing, max(committed, new.newest_commit or 0))
        standing = read_standing(reader, query)
        return None if standing is None else _Kept(standing, committed)

    def _find(self, query: AssertionQuery) -> _Kept | None:
        with self._lock:
            kept = self._kept.get(query)
            if kept is not None:
                self._kept.move_to_end(query)
            return kept

    def _keep(self, query: AssertionQuery, kept: _Kept) -> None:
        if len(query.subject) + sum(map(len, query.predicates)) > LONGEST_KEPT_WORDS:
            return  # as long as its caller likes, and so would be what is kept
        with self._lock:
            other = self._kept.get(query)
            self._kept[query] = kept
            self._kept.move_to_end(query)
            self._nodes += kept.size - (0 if other is None else other.size)
            while self._nodes > self._most_nodes:
                _, forgotten = self._kept.popitem(last=False)
                self._nodes -= forgotten.size

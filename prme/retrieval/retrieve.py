"""`retrieve`: one search, from a checked request to hits, on a snapshot of the store and an index brought up to it."""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from prme.errors import StoreError
from prme.model.node import Node
from prme.model.retrieval import Hit, IndexReport, Retrieval, RetrieveRequest
from prme.reading import is_hidden
from prme.retrieval.eligibility import eligibility
from prme.retrieval.excerpt import excerpt
from prme.retrieval.follow import Follower
from prme.retrieval.index_file import INDEX_FILE, IndexFile, one_read
from prme.retrieval.query_terms import Term, terms_of
from prme.retrieval.ranking import Bounds, FrequentWords, Ranked, Ranking
from prme.retrieval.states import current_nodes, fill_known_states, known_nodes, retired_beside
from prme.store.database import Database, Reader
from prme.store.owners import find_owner, owners

T = TypeVar("T")
logger = logging.getLogger("prme")


class TextSearch:
    """Searches one open store from any thread, one search at a time.

    The index is brought up to the newest commit before each search, so writing costs nothing and a search sees all that
    was committed before it. As long as the newest commits in memory say what is new, the database is not asked. When
    the index is missing, damaged or of another state of the store, it is made again.
    """

    def __init__(self, database: Database, *, bounds: Bounds | None = None) -> None:
        """Take an open store; the index is opened with the first search."""
        self._database = database
        self._file = IndexFile(None if database.directory is None else database.directory / INDEX_FILE)
        self._bounds = bounds or Bounds()
        self._follower: tuple[sqlite3.Connection, Follower] | None = None
        self._frequent_words: dict[int, FrequentWords] = {}
        self._owner_keys: dict[str, int] = {}
        self._lock = threading.Lock()
        self._process = os.getpid()

    def retrieve(self, request: RetrieveRequest) -> Retrieval:
        """Return the hits of a request. Raises `StoreError` when the store is closed or cannot be searched."""
        terms = terms_of(request.query)
        with self._lock:
            self._database.refuse_fork()
            self._database.refuse_closed()
            with contextlib.suppress(sqlite3.Error):  # what is wrong is put right below
                found = self._retrieve_warm(request, terms)
                if found is not None:
                    return found
            with self._database.snapshot() as reader:
                owner_key = self._owner_key(reader, request.user_id)
                if owner_key is None or not terms:
                    return Retrieval()
                return self._with_index(
                    lambda connection, follower: self._follow_and_search(
                        connection, follower, reader, owner_key, request, terms
                    )
                )

    def rebuild(self) -> IndexReport:
        """Make the whole index again, for all owners, and say what it holds."""
        with self._lock, self._database.snapshot() as reader:
            self._follower = None
            self._file.replace()
            return self._with_index(lambda connection, follower: _build_all(connection, follower, reader))

    def close(self) -> None:
        """Close the index; call it after the database was closed. In a forked child it does nothing."""
        if os.getpid() == self._process:
            with self._lock:
                self._follower = None
                self._file.close()

    def _owner_key(self, reader: Reader, user_id: str) -> int | None:
        """Return the key of an owner, or None; a key once given never changes."""
        known = self._owner_keys.get(user_id)
        if known is None:
            known = find_owner(reader, user_id)
            if known is not None:
                self._owner_keys[user_id] = known
        return known

    def _with_index(self, use: Callable[[sqlite3.Connection, Follower], T]) -> T:
        """Use the index as it is, else made again, else in memory."""
        for last_resort in (self._file.replace, self._file.fall_back):
            try:
                return use(*self._opened())
            except sqlite3.Error as error:
                logger.warning("the text index cannot be used as it is (%s) and is made again", type(error).__name__)
                self._follower = None
                last_resort()
        try:
            return use(*self._opened())
        except sqlite3.Error as error:
            raise StoreError(
                f"the text index cannot be made ({type(error).__name__}): searching needs SQLite with FTS5, which "
                "this Python may lack, and memory"
            ) from None

    def _opened(self) -> tuple[sqlite3.Connection, Follower]:
        connection = self._file.connection()
        if self._follower is None or self._follower[0] is not connection:
            self._follower = connection, Follower(connection)
            self._frequent_words = {}
        return self._follower

    def _retrieve_warm(self, request: RetrieveRequest, terms: Sequence[Term]) -> Retrieval | None:
        """Return the answer without asking the database, when the newest commits in memory say all that is new.

        A commit is there before its call returns: so what was acknowledged is never missed.
        """
        owner_key = self._owner_keys.get(request.user_id)
        if self._follower is None or owner_key is None or not terms or request.known_at is not None:
            return None
        connection, follower = self._follower
        if not follower.follow_recent(self._database.recent, owner_key, request.user_id):
            return None
        return self._search(connection, None, owner_key, request, terms)

    def _follow_and_search(
        self,
        connection: sqlite3.Connection,
        follower: Follower,
        reader: Reader,
        owner_key: int,
        request: RetrieveRequest,
        terms: Sequence[Term],
    ) -> Retrieval:
        follower.follow(reader, owner_key, request.user_id)
        if request.known_at is not None:
            fill_known_states(connection, reader, owner_key, request.known_at)
        return self._search(connection, reader, owner_key, request, terms)

    def _search(
        self,
        connection: sqlite3.Connection,
        reader: Reader | None,
        owner_key: int,
        request: RetrieveRequest,
        terms: Sequence[Term],
    ) -> Retrieval:
        with one_read(connection):
            eligible = eligibility(request, as_known=request.known_at is not None)
            frequent_words = self._frequent_words.setdefault(owner_key, {})
            ranking = Ranking(connection, owner_key, eligible, request.limit, self._bounds, frequent_words)
            ranked, excluded = ranking.rank(terms)
            rowids = [found.rowid for found in ranked]
            if reader is None or request.known_at is None:
                nodes = current_nodes(connection, request.user_id, rowids)
            else:
                nodes = known_nodes(connection, reader, owner_key, request.user_id, rowids, request.known_at)
            beside = retired_beside(connection, owner_key, nodes.values(), as_known=request.known_at is not None)
        return Retrieval(
            (_hit(found, rank, nodes[found.rowid], beside, terms) for rank, found in enumerate(ranked, 1)), excluded
        )


def _build_all(connection: sqlite3.Connection, follower: Follower, reader: Reader) -> IndexReport:
    known = owners(reader)
    for owner_key, user_id in known:
        follower.build(reader, owner_key, user_id)
    counts = dict(connection.execute("select node_type = 'NOTE', count(*) from nodes group by 1").fetchall())
    return IndexReport(owners=len(known), notes=counts.get(1, 0), claims=counts.get(0, 0))


def _hit(found: Ranked, rank: int, node: Node, beside_retired: set[str], terms: Sequence[Term]) -> Hit:
    historical = node.valid_to is not None or is_hidden(node)
    return Hit(
        node=node,
        score=found.score,
        rank=rank,
        historical=historical,
        successor=node.superseded_by if historical else None,
        contested=node.status == "contested",
        evidence_mentions_retired=node.id in beside_retired,
        excerpt=excerpt(node.content, terms),
    )

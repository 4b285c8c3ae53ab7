"""Reads: plain calls from any thread, each on a snapshot of one commit."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import TypeVar

from prme.context import Context, ContextRequest, Entry, context_text, newest_entries, with_speakers
from prme.message import checked_owner, checked_scope
from prme.model.assertion import AssertionState
from prme.model.change import Change
from prme.model.explanation import Explanation, JournalLine
from prme.model.history import History
from prme.model.message import Event
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan
from prme.model.receipt import VerifyReport
from prme.model.retrieval import IndexReport, Retrieval, RetrieveRequest
from prme.reading import (
    AssertionCache,
    assertion_query,
    journal_heads,
    read_assertion_state,
    read_changes,
    read_claims,
    read_event,
    read_event_nodes,
    read_history,
    read_node,
    read_plan,
    read_plan_data,
)
from prme.reading.arguments import members, owner_or_none, scope_or_none, whole_number, words
from prme.reading.changes import MOST_CHANGES
from prme.retrieval import TextSearch
from prme.store.database import Database

T = TypeVar("T")
ANCHOR_REWRITTEN = (
    "the anchor file was missing once and has been written again: commits that were lost before then cannot be noticed"
)


class SnapshotReads:
    """Everything that can be asked without changing anything."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._search = TextSearch(database)
        self._states = AssertionCache(database)

    def get_event(self, event_id: str, user_id: str | None) -> Event | None:
        """Return an event, or None."""
        return self._read(read_event, event_id, owner_or_none(user_id))

    def get_event_nodes(self, event_id: str, user_id: str | None) -> list[Node]:
        """Return the nodes of an event, the NOTE first."""
        return self._read(read_event_nodes, event_id, owner_or_none(user_id))

    def get_node(self, node_id: str, user_id: str | None, *, include_superseded: bool) -> Node | None:
        """Return a node, or None."""
        return self._read(read_node, node_id, owner_or_none(user_id), include_superseded=include_superseded)

    def get_plan(self, event_id: str, user_id: str | None) -> ExtractionPlan:
        """Return a plan. Raises `PlanNotFoundError`."""
        return self._read(read_plan, event_id, owner_or_none(user_id))

    def get_plan_data(self, event_id: str, user_id: str | None) -> bytes:
        """Return the canonical bytes of a plan. Raises `PlanNotFoundError`."""
        return self._read(read_plan_data, event_id, owner_or_none(user_id))

    def claims(
        self,
        user_id: str,
        scope: str | None,
        *,
        include_superseded: bool,
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Node]:
        """Return an owner's claims, on both times when asked. Raises `ValueError` for a time without a zone."""
        return self._read(
            read_claims,
            checked_owner(user_id),
            scope_or_none(scope),
            include_superseded=include_superseded,
            valid_at=valid_at,
            known_at=known_at,
        )

    def history(self, node_id: str, user_id: str | None, *, known_at: datetime | None = None) -> History:
        """Return everything ever recorded of a note or claim. Raises `NodeNotFoundError` and `ValueError`."""
        return self._read(read_history, node_id, owner_or_none(user_id), known_at=known_at)

    def get_assertion_state(
        self,
        *,
        user_id: str,
        subject: str,
        predicate: str,
        scope: str,
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
        node_types: Iterable[NodeType | str] | None = None,
    ) -> AssertionState:
        """Return what is known of a subject and predicate. Raises `ValueError` for what cannot be asked."""
        query = assertion_query(
            user_id=checked_owner(user_id),
            subject=words(subject, "subject"),
            predicate=words(predicate, "predicate"),
            scope=checked_scope(scope),
            node_types=None if node_types is None else members(node_types, NodeType, "node_types"),
        )
        if valid_at is None and known_at is None:
            return self._states.read(query)
        return self._read(read_assertion_state, query, valid_at=valid_at, known_at=known_at)

    def changes(self, user_id: str | None, *, after: str | None = None, limit: int = 100) -> list[Change]:
        """Return journal entries after a cursor. Raises `ValueError` for another cursor or limit."""
        return self._read(
            read_changes,
            owner_or_none(user_id),
            after=after,
            limit=whole_number(limit, "limit", most=MOST_CHANGES),
        )

    def retrieve(self, request: RetrieveRequest) -> Retrieval:
        """Return what an owner's notes and claims say in the words of a query. Raises `StoreError`."""
        return self._search.retrieve(request)

    def context(self, request: ContextRequest) -> Context:
        """Return what the memory holds now, as text for a language model. Raises `StoreError`."""
        search = request.search()
        if search is None:
            found, total = self._read(newest_entries, request)
        else:
            found = [Entry(hit.node, hit.evidence_mentions_retired) for hit in self._search.retrieve(search)]
            total = len(found)
        entries = self._read(with_speakers, request.user_id, found)
        return context_text(entries, budget=request.budget, count=request.count, more=total - len(entries))

    def rebuild_index(self) -> IndexReport:
        """Make the text index again from the store. Raises `StoreError`."""
        return self._search.rebuild()

    def explain(self, wanted: str, user_id: str | None) -> Explanation:
        """Explain an event or claim. Raises `NodeNotFoundError`."""
        from prme.explanation import explain  # no part of a start: most programs never ask

        return self._read(explain, wanted, owner_or_none(user_id))

    def journal_head(self, user_id: str) -> JournalLine | None:
        """Return the owner's newest journal entry, or None when nothing is stored."""
        return self.journal_heads(checked_owner(user_id)).get(user_id)

    def journal_heads(self, user_id: str | None) -> dict[str, JournalLine]:
        """Return the newest journal entry of an owner, or of all owners, by user id."""
        return self._read(journal_heads, owner_or_none(user_id))

    def verify(self, user_id: str | None) -> VerifyReport:
        """Verify one owner or the whole store."""
        from prme.verification import verify_store  # no part of a start, as above

        notes = [ANCHOR_REWRITTEN] if self._database.anchor_was_rewritten else []
        return self._read(verify_store, user_id=owner_or_none(user_id), notes=notes)

    def _read(self, function: Callable[..., T], *arguments: object, **options: object) -> T:
        with self._database.snapshot() as reader:
            return function(reader, *arguments, **options)

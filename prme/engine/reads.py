"""Reads of the asynchronous front: each runs in a worker thread, on a snapshot of one commit."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import ParamSpec, TypeVar

from prme.context import Context, checked_context_request
from prme.context.request import DEFAULT_BUDGET, TokenCount
from prme.model.assertion import AssertionState
from prme.model.change import Change
from prme.model.explanation import Explanation, JournalLine
from prme.model.extractor_run import ExtractorStats
from prme.model.history import History
from prme.model.message import Event, SourceType
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan
from prme.model.receipt import UnfinishedMessages, VerifyReport
from prme.model.retrieval import IndexReport, Retrieval
from prme.retrieval import checked_request
from prme.service import MemoryService

P = ParamSpec("P")
T = TypeVar("T")


class EngineReads:
    """Everything that can be asked of a memory; `MemoryEngine` adds what changes it."""

    _service: MemoryService

    async def _read(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        """Call a read beside the event loop."""
        return await asyncio.to_thread(function, *arguments, **options)

    async def get_event(self, event_id: str, *, user_id: str | None = None) -> Event | None:
        """Return the immutable source message, or None when it is unknown or foreign (003-05)."""
        return await self._read(self._service.get_event, event_id, user_id)

    async def get_event_nodes(self, event_id: str, *, user_id: str | None = None) -> list[Node]:
        """Return an event's nodes: the NOTE first, then the claims by position, closed ones included (003-02)."""
        return await self._read(self._service.get_event_nodes, event_id, user_id)

    async def get_node(
        self, node_id: str, *, user_id: str | None = None, include_superseded: bool = False
    ) -> Node | None:
        """Return a note or claim, or None; closed ones only with `include_superseded` (003-03)."""
        return await self._read(self._service.get_node, node_id, user_id, include_superseded=include_superseded)

    async def get_plan(self, event_id: str, *, user_id: str | None = None) -> ExtractionPlan:
        """Return the published plan of an event.

        Raises `PlanNotFoundError`, `PlanCorruptError` or `UnsupportedPlanError`.
        """
        return await self._read(self._service.get_plan, event_id, user_id)

    async def get_plan_data(self, event_id: str, *, user_id: str | None = None) -> bytes:
        """Return the canonical bytes of a published plan. Raises what `get_plan` raises, but reads nothing in them."""
        return await self._read(self._service.get_plan_data, event_id, user_id)

    async def claims(
        self,
        *,
        user_id: str,
        scope: str | None = None,
        include_superseded: bool = False,
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Node]:
        """Return an owner's open claims, of one scope or of all, in the order in which they took effect.

        With `include_superseded` closed and confirming claims are listed too. `valid_at` asks about the world: which
        claims were in effect at that time. `known_at` asks about the store: what it would have answered then, whatever
        was corrected since. Both are aware datetimes; one without a zone is a `ValueError`.
        """
        return await self._read(
            self._service.claims,
            user_id,
            scope,
            include_superseded=include_superseded,
            valid_at=valid_at,
            known_at=known_at,
        )

    async def history(self, node_id: str, *, user_id: str | None = None, known_at: datetime | None = None) -> History:
        """Return a note or claim with every version of its interval, and what it replaced and was replaced by.

        `known_at` (an aware datetime) leaves out what was recorded later. Raises `NodeNotFoundError` when the id is
        unknown, malformed, foreign or was not stored yet, `ValueError` for a time without a zone.
        """
        return await self._read(self._service.history, node_id, user_id, known_at=known_at)

    async def get_assertion_state(
        self,
        *,
        user_id: str,
        subject: str,
        predicate: str,
        scope: str = "personal",
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
        node_types: Iterable[NodeType | str] | None = None,
    ) -> AssertionState:
        """Return what the memory says of one subject and predicate: what holds, what is denied, and what was closed.

        Args:
            user_id: the owner.
            subject: I, me, my, mine or myself for the declared owner, or a name, over all its entity types.
            predicate: stands for its predicate family, so that `works_at` also finds `employed_by`.
            scope: the scope to look in.
            valid_at: asks about the world at that time, not about now; timezone-aware.
            known_at: answers what the store would have said at that time; timezone-aware.
            node_types: only claims of these types.

        Raises:
            ValueError: subject or predicate is blank, or a time has no zone.
        """
        return await self._read(
            self._service.get_assertion_state,
            user_id=user_id,
            subject=subject,
            predicate=predicate,
            scope=scope,
            valid_at=valid_at,
            known_at=known_at,
            node_types=node_types,
        )

    async def changes(self, *, user_id: str | None = None, after: str | None = None, limit: int = 100) -> list[Change]:
        """Return journal entries after a cursor, oldest first, so that caches and views can follow.

        `after` is the `cursor` of the last change seen; None begins at the start. Without `user_id` a trusted operator
        follows all owners. Raises `ValueError` for a limit outside 1 to 10,000, or a cursor of another feed.
        """
        return await self._read(self._service.changes, user_id, after=after, limit=limit)

    async def retrieve(
        self,
        query: str,
        *,
        user_id: str,
        scope: str | None = None,
        limit: int = 10,
        exclude_node_types: Iterable[NodeType | str] = (),
        source_types: Iterable[SourceType | str] | None = None,
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
        include_superseded: bool = False,
        include_contested: bool = True,
    ) -> Retrieval:
        """Return the owner's notes and claims that have words of the query, best first (000-03, 001-34 to 001-37).

        What is closed, or only confirms something else, is left out before anything is ranked: it never takes a place.

        Args:
            query: words; no character of it is syntax. Without a word there are no hits.
            user_id: the owner; nothing of any other owner has a part in the answer.
            scope: only this scope; None means all scopes of the owner.
            limit: how many hits at most, 1 to 1,000.
            exclude_node_types: node types to leave out, such as `NodeType.NOTE` for raw messages (003-50).
            source_types: only these source types; None means all.
            valid_at: what was in effect at that time instead of what is open now; an aware datetime.
            known_at: what the store would have known at that time; an aware datetime.
            include_superseded: closed notes and claims too, labelled historical.
            include_contested: False leaves out what an unresolved contradiction names (001-22).

        Returns:
            A list of `Hit`; its `excluded` says how many more rows had the words, by the reason they were left out.

        Raises:
            ValueError: an argument breaks its rule; the text names it.
        """
        request = checked_request(
            query,
            user_id=user_id,
            scope=scope,
            limit=limit,
            exclude_node_types=exclude_node_types,
            source_types=source_types,
            valid_at=valid_at,
            known_at=known_at,
            include_superseded=include_superseded,
            include_contested=include_contested,
        )
        return await self._read(self._service.retrieve, request)

    async def context(
        self,
        query: str,
        user_id: str,
        budget: int = DEFAULT_BUDGET,
        *,
        scope: str | None = None,
        notes: bool = False,
        count: TokenCount | None = None,
    ) -> Context:
        """Return the owner's current, uncontested claims that have words of the query, as text for a language model.

        One line for each claim, best first: since when it holds, what it says, its id. A closed claim is never in it.

        Args:
            query: words, as for `retrieve`; a blank query asks for the newest claims instead.
            user_id: the owner.
            budget: how many tokens the text may take, 1 to 1,000,000. What does not fit is left out whole.
            scope: only this scope; None means all scopes of the owner.
            notes: stored messages too. Their words may state what was retired; such a one says so.
            count: returns the tokens of a text; the default estimates them, rather too many than too few.

        Returns:
            A str, empty when there is nothing to show, with `tokens`, `node_ids` and `left_out`.

        Raises:
            ValueError: an argument breaks its rule; the text names it.
        """
        request = checked_context_request(query, user_id, budget, scope=scope, notes=notes, count=count)
        return await self._read(self._service.context, request)

    async def rebuild_index(self) -> IndexReport:
        """Make the text index of all owners again from the store, and say how many notes and claims it holds.

        It is never needed: an index that is missing, damaged or of another store is made again when it is used.
        """
        return await self._read(self._service.rebuild_index)

    async def explain(self, wanted: str, *, user_id: str | None = None) -> Explanation:
        """Explain an event, a note or a claim: what was extracted and why the rules did what they did.

        Raises `NodeNotFoundError` when the id is unknown, malformed or foreign.
        """
        return await self._read(self._service.explain, wanted, user_id)

    async def extractor_stats(self) -> list[ExtractorStats]:
        """Return what each extractor was asked and what it cost, as far as the store's run log remembers.

        Local extractors are not in it: they cost nothing.
        """
        return await self._read(self._service.extractor_stats)

    async def unfinished(self) -> UnfinishedMessages:
        """Return how many messages, of all owners, wait for their extraction, and of how many it failed.

        `process_pending` extracts the pending ones, `retry` any of them.
        """
        return await self._read(self._service.unfinished)

    async def journal_head(self, user_id: str) -> JournalLine | None:
        """Return the owner's newest journal entry, whose digest covers all before it; None when nothing is stored."""
        return await self._read(self._service.journal_head, user_id)

    async def verify(self, *, user_id: str | None = None) -> VerifyReport:
        """Compute everything again from events, plans and journal, and report every difference.

        Raises `StoreCorruptError` when the file itself cannot be read.
        """
        return await self._read(self._service.verify, user_id)

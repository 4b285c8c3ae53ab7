"""`MemoryEngine`: the asynchronous front."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from prme.clock import Clock, system_clock
from prme.extraction.protocol import Extractor
from prme.message import validate_batch, validate_message
from prme.model.assertion import AssertionState
from prme.model.change import Change
from prme.model.explanation import Explanation, JournalLine
from prme.model.history import History
from prme.model.message import Event, Message, SourceType
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan
from prme.model.receipt import DecisionReceipt, IngestReceipt, VerifyReport
from prme.model.retrieval import IndexReport, Retrieval
from prme.retrieval import checked_request
from prme.service import MemoryService


class MemoryEngine:
    """A conversation's memory, for asynchronous programs. `MemoryClient` has the same methods, synchronous.

    `user_id` names the owner of a record. Where it may be left out of a read, leaving it out means a trusted operator,
    who sees all owners; unknown and foreign ids then and always read the same.
    """

    def __init__(
        self,
        directory: str | Path,
        *,
        extractor: str | Extractor = "lexical",
        policy: str = "speech_act_v14",
        enable_speaker_references: bool = True,
        clock: Clock = system_clock,
    ) -> None:
        """Open or create the store in a directory; `":memory:"` lives as long as the engine.

        Args:
            directory: where the store is; created when missing.
            extractor: a name, a `name:model`, or an object with `name`, `model` and `async extract(request)`.
            policy: the rule set for new messages; stored plans keep theirs (003-54).
            enable_speaker_references: whether the first-person forms of a named speaker mean that person (003-40).
            clock: returns an aware datetime; the only source of "now".

        Raises:
            StoreLockedError: another process or client holds the store.
            StoreVersionError: a newer release wrote it.
            StoreCorruptError: it is damaged or has lost commits.
            UnknownExtractorError: no such extractor is installed.
            UnsupportedPlanError: no such policy is known.
        """
        self._service = MemoryService(
            directory,
            extractor=extractor,
            policy=policy,
            enable_speaker_references=enable_speaker_references,
            clock=clock,
        )
        self._resumed = False

    async def __aenter__(self) -> Self:
        """Begin to work on what an earlier process left pending."""
        self._resume()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        await self.close()

    async def close(self) -> None:
        """Finish the write in flight and close the store; extractions that nobody waits for stay pending."""
        await self._service.cancel_background()
        await asyncio.to_thread(self._service.close)

    async def ingest(
        self,
        content: str,
        *,
        user_id: str,
        role: str = "user",
        scope: str = "personal",
        session_id: str | None = None,
        message_id: str | None = None,
        speaker: str | None = None,
        first_person_owner: bool = False,
        occurred_at: datetime | None = None,
        metadata: Mapping[str, Any] | None = None,
        wait_for_extraction: bool = True,
    ) -> IngestReceipt:
        """Store one message and let it correct what the memory says.

        Args:
            content: the message, at most 100,000 characters.
            user_id: the owner.
            role: user, human, assistant, system or tool.
            scope: a namespace of the owner's; corrections never cross it.
            session_id: the conversation, for the extractor's context.
            message_id: the caller's idempotency key within owner and scope; the same message again changes nothing.
            speaker: the display name of who speaks.
            first_person_owner: whether I, me, my, mine and myself mean the owner (003-40 to 003-46).
            occurred_at: when it was said, timezone-aware; the time of receipt when left out.
            metadata: JSON that is kept with the event.
            wait_for_extraction: False returns once the message is durable, and extracts in the background.

        Returns:
            The receipt, once everything it reports is durable. A failed extraction is a status, not an error: the
            message is stored and can be retried.

        Raises:
            InvalidMessageError: a field breaks its rule; nothing was stored.
            MessageConflictError: `message_id` belongs to another message; nothing was stored.
        """
        message = validate_message(
            content,
            user_id=user_id,
            role=role,
            scope=scope,
            session_id=session_id,
            message_id=message_id,
            speaker=speaker,
            first_person_owner=first_person_owner,
            occurred_at=occurred_at,
            metadata=metadata,
        )
        self._resume()
        return await self._service.ingest(message, wait_for_extraction=wait_for_extraction)

    async def ingest_batch(
        self, messages: Iterable[Mapping[str, Any] | Message], *, wait_for_extraction: bool = True
    ) -> list[IngestReceipt]:
        """Store several messages in order, each a mapping with the arguments of `ingest` or a `Message`.

        The whole batch is checked before anything is stored; the error then names the position, as in `messages[3]`.
        Raises what `ingest` raises.
        """
        batch = validate_batch(messages)
        self._resume()
        return await self._service.ingest_batch(batch, wait_for_extraction=wait_for_extraction)

    async def store(
        self,
        content: str,
        *,
        user_id: str,
        role: str = "user",
        scope: str = "personal",
        session_id: str | None = None,
        message_id: str | None = None,
        speaker: str | None = None,
        first_person_owner: bool = False,
        occurred_at: datetime | None = None,
        metadata: Mapping[str, Any] | None = None,
        supersedes: str | None = None,
    ) -> str:
        """Store a message as one NOTE, without extraction, and return its event id (003-02).

        With `supersedes`, the id of a note or claim of the same owner and scope, the NOTE replaces that node in one
        transaction, its own event being the evidence: both happen, or neither (000-01, 000-17).

        Takes the message fields of `ingest` and raises what it raises; with `supersedes` also what `supersede` raises.
        """
        message = validate_message(
            content,
            user_id=user_id,
            role=role,
            scope=scope,
            session_id=session_id,
            message_id=message_id,
            speaker=speaker,
            first_person_owner=first_person_owner,
            occurred_at=occurred_at,
            metadata=metadata,
        )
        if supersedes is not None:
            return await self._service.store_superseding(message, supersedes)
        return await self._service.store(message)

    async def supersede(
        self,
        old_id: str,
        new_id: str,
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> DecisionReceipt:
        """Let a note or claim replace another one of the same owner and scope, by the caller's own decision.

        The old node closes at the later of the two effective times, with the new one as its successor, and every equal
        claim known then closes with it. Nothing is deleted, and the rules never move what was decided by hand. The
        claims of a superseded note stay open; the receipt lists them.

        Args:
            old_id: the note or claim that no longer holds.
            new_id: the note or claim that replaces it.
            evidence_id: an event of the same owner and scope that the decision rests on. That it exists is checked, not
                that it supports the decision (003-16).
            user_id: binds the call to that owner: what belongs to others reads as missing. None is a trusted operator.
            actor_id: who decided; the default is `user_id`, else "operator".

        Returns:
            The receipt, once everything it reports is durable. The same call again changes nothing and returns it again
            with status `duplicate` (003-19).

        Raises:
            NodeNotFoundError: an id is unknown, malformed or, with `user_id`, another owner's.
            ConflictError: the states, scopes or owners of the two do not allow it, or it was decided before with
                another actor or other evidence.
            ValueError: the evidence is not an event of the owner and scope.
        """
        return await self._service.supersede(
            old_id, new_id, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id
        )

    async def supersede_many(
        self,
        entries: Iterable[Mapping[str, Any]],
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> list[DecisionReceipt]:
        """Carry out several replacements of one owner in order, in one transaction: all or none (003-18).

        Each entry is a mapping with the arguments of `supersede`; those passed here hold for entries that leave them
        out. Raises what `supersede` raises; the error names the position, as in `entries[3]`.
        """
        return await self._service.supersede_many(entries, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id)

    async def contradict(
        self,
        a: str,
        b: str,
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> DecisionReceipt:
        """Say that two open notes or claims contradict each other, in either order.

        Both are `contested` until the contradiction is resolved: still returned and marked, and no rule retires them.
        Takes and raises what `supersede` does.
        """
        return await self._service.contradict(a, b, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id)

    async def resolve_contradiction(
        self,
        winner: str,
        loser: str,
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> DecisionReceipt:
        """Resolve a contradiction that was noted between the two: the loser closes as `deprecated`, without successor.

        Takes and raises what `supersede` does.
        """
        return await self._service.resolve_contradiction(
            winner, loser, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id
        )

    async def process_pending(self, limit: int | None = None) -> list[IngestReceipt]:
        """Extract pending messages, oldest first, at most `limit`, and return their receipts."""
        return await self._service.process_pending(limit)

    async def retry(self, event_id: str) -> IngestReceipt:
        """Extract one pending or failed message again. Raises `NodeNotFoundError` for an unknown id."""
        return await self._service.retry(event_id)

    async def get_event(self, event_id: str, *, user_id: str | None = None) -> Event | None:
        """Return the immutable source message, or None when it is unknown or foreign (003-05)."""
        return await asyncio.to_thread(self._service.get_event, event_id, user_id)

    async def get_event_nodes(self, event_id: str, *, user_id: str | None = None) -> list[Node]:
        """Return an event's nodes: the NOTE first, then the claims by position, closed ones included (003-02)."""
        return await asyncio.to_thread(self._service.get_event_nodes, event_id, user_id)

    async def get_node(
        self, node_id: str, *, user_id: str | None = None, include_superseded: bool = False
    ) -> Node | None:
        """Return a note or claim, or None; closed ones only with `include_superseded` (003-03)."""
        return await asyncio.to_thread(self._service.get_node, node_id, user_id, include_superseded=include_superseded)

    async def get_plan(self, event_id: str, *, user_id: str | None = None) -> ExtractionPlan:
        """Return the published plan of an event.

        Raises `PlanNotFoundError`, `PlanCorruptError` or `UnsupportedPlanError`.
        """
        return await asyncio.to_thread(self._service.get_plan, event_id, user_id)

    async def get_plan_data(self, event_id: str, *, user_id: str | None = None) -> bytes:
        """Return the canonical bytes of a published plan. Raises what `get_plan` raises, but reads nothing in them."""
        return await asyncio.to_thread(self._service.get_plan_data, event_id, user_id)

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
        return await asyncio.to_thread(
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
        return await asyncio.to_thread(self._service.history, node_id, user_id, known_at=known_at)

    async def get_assertion_state(
        self,
        *,
        user_id: str,
        subject: str,
        predicate: str,
        scope: str = "personal",
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
        node_types: Collection[NodeType] | None = None,
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
        return await asyncio.to_thread(
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
        return await asyncio.to_thread(self._service.changes, user_id, after=after, limit=limit)

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
        return await asyncio.to_thread(self._service.retrieve, request)

    async def rebuild_index(self) -> IndexReport:
        """Make the text index of all owners again from the store, and say how many notes and claims it holds.

        It is never needed: an index that is missing, damaged or of another store is made again when it is used.
        """
        return await asyncio.to_thread(self._service.rebuild_index)

    async def explain(self, wanted: str, *, user_id: str | None = None) -> Explanation:
        """Explain an event, a note or a claim: what was extracted and why the rules did what they did.

        Raises `NodeNotFoundError` when the id is unknown, malformed or foreign.
        """
        return await asyncio.to_thread(self._service.explain, wanted, user_id)

    async def journal_head(self, user_id: str) -> JournalLine | None:
        """Return the owner's newest journal entry, whose digest covers all before it; None when nothing is stored."""
        return await asyncio.to_thread(self._service.journal_head, user_id)

    async def verify(self, *, user_id: str | None = None) -> VerifyReport:
        """Compute everything again from events, plans and journal, and report every difference.

        Raises `StoreCorruptError` when the file itself cannot be read.
        """
        return await asyncio.to_thread(self._service.verify, user_id)

    def _resume(self) -> None:
        if not self._resumed:
            self._resumed = True
            self._service.resume()

"""`MemoryEngine`: the asynchronous front."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from prme.clock import Clock, system_clock
from prme.engine.reads import EngineReads
from prme.extraction.limits import DEFAULT_LIMITS, ExtractionLimits
from prme.extraction.protocol import Extractor
from prme.message import validate_batch, validate_message
from prme.model.export import ExportManifest, ReplayReport
from prme.model.message import Message
from prme.model.receipt import DecisionReceipt, IngestReceipt
from prme.service import MemoryService


class MemoryEngine(EngineReads):
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
        limits: ExtractionLimits = DEFAULT_LIMITS,
        clock: Clock = system_clock,
    ) -> None:
        """Open or create the store in a directory; `":memory:"` lives as long as the engine.

        Args:
            directory: where the store is; created when missing.
            extractor: a name, a `name:model`, or an object with `name`, `model` and `async extract(request)`.
            policy: the rule set for new messages; stored plans keep theirs (003-54).
            enable_speaker_references: whether the first-person forms of a named speaker mean that person (003-40).
            limits: how often, how long and how much an extractor that is not local may be asked.
            clock: returns an aware datetime; the only source of "now".

        Raises:
            StoreLockedError: another process or client holds the store.
            StoreVersionError: a newer release wrote it.
            StoreCorruptError: it is damaged or has lost commits.
            UnknownExtractorError: no such extractor is installed, or it has no prompt for the policy.
            UnsupportedPlanError: no such policy is known.
        """
        self._service = MemoryService(
            directory,
            extractor=extractor,
            policy=policy,
            enable_speaker_references=enable_speaker_references,
            limits=limits,
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
        await self._service.close_extractor()
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

    async def export_plans(self, target: str | Path, *, user_id: str | None = None) -> ExportManifest:
        """Write everything that a store is made of as records: each event, its plan, each decision made by hand.

        The same content gives the same bytes. Plans are written as they were saved (003-54).

        Args:
            target: a file whose name ends in `.jsonl` or `.gz`, one record a line; any other name is a directory.
            user_id: only the records of this owner.

        Returns:
            The manifest, which stands in the export too: counts and the state digest of each owner.

        Raises:
            StoreError: the target is there already, or cannot be written.
        """
        return await asyncio.to_thread(self._service.export_plans, target, user_id)

    async def replay(self, source: str | Path | Sequence[str | Path], *, jobs: int = 1) -> ReplayReport:
        """Publish exported records into this store, without an extractor; recorded times are those of the replay.

        The order of the records makes no difference. What is stored already changes nothing, so a replay that was cut
        short is simply run again.

        Args:
            source: a directory, a file, `-` for standard input, or several of them.
            jobs: in how many processes records are read and folded; the result is the same.

        Returns:
            The report. A record that cannot be used is one of its `problems`, and the rest goes on.

        Raises:
            ValueError: `jobs` is below 1.
            StoreError: the store failed; what was published until then is stored.
        """
        sources = [source] if isinstance(source, str | Path) else list(source)
        return await asyncio.to_thread(self._service.replay, sources, jobs=jobs)

    def _resume(self) -> None:
        if not self._resumed:
            self._resumed = True
            self._service.resume()

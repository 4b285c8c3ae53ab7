"""What changes the memory: messages come in, extractions are run, and the writer publishes what follows."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Coroutine, Iterable, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from prme.clock import Clock, system_clock
from prme.errors import NodeNotFoundError, StoreError, UnknownExtractorError
from prme.extraction.limits import DEFAULT_LIMITS, ExtractionLimits
from prme.extraction.protocol import Extractor, is_local, prompt_digest
from prme.extraction.registry import resolve_extractor
from prme.idempotency import KnownMessages, known_messages, named_event, refuse_conflicts, refuse_other_message
from prme.model.export import ExportManifest, ReplayReport
from prme.model.extraction import ExtractionRequest
from prme.model.extractor_run import ExtractorStats
from prme.model.message import Event, Message
from prme.model.node import Node
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.model.receipt import IngestReceipt, UnfinishedMessages
from prme.pipeline import (
    KnownMessage,
    PipelineSettings,
    finish_pending,
    ingest_answered,
    ingest_pending,
    store_message,
)
from prme.policy.registry import get_policy
from prme.reading import (
    read_receipt,
    visible_event,
)
from prme.reading.arguments import owner_or_none
from prme.service.explicit import ExplicitDecisions
from prme.service.extraction_queue import Answered, ExtractionQueue, Work
from prme.service.metered_extractor import MeteredExtractor, answer_of
from prme.store.database import Database, Reader
from prme.store.nodes import owner_nodes
from prme.store.owners import find_owner
from prme.store.records import StoredEvent, WorkState, session_events, unfinished_counts, unfinished_events, work_state
from prme.store.run_log import RUN_LOG_FILE, RunLog
from prme.writer import Entropy, Writer

if TYPE_CHECKING:
    from prme.replay.replay import Watch

T = TypeVar("T")
logger = logging.getLogger("prme")
NOT_PUBLISHED = "not_published"
CONTEXT_MESSAGES = 8


class MemoryService(ExplicitDecisions):
    """Everything a front can ask for. Reads are plain calls from any thread; what may wait is a coroutine."""

    def __init__(
        self,
        directory: str | Path,
        *,
        extractor: str | Extractor = "lexical",
        policy: str = "speech_act_v14",
        enable_speaker_references: bool = True,
        limits: ExtractionLimits = DEFAULT_LIMITS,
        clock: Clock = system_clock,
        entropy: Entropy = secrets.token_bytes,
    ) -> None:
        """Open or create the store in a directory, or `":memory:"`.

        Raises `UnknownExtractorError`, `UnsupportedPlanError` for an unknown policy, and the errors of `Database`.
        """
        self._extractor = resolve_extractor(extractor)
        self._limits = limits
        self._settings = PipelineSettings(
            policy=get_policy(policy),
            options=PlanOptions(enable_speaker_references=enable_speaker_references),
            extractor=self._identity(policy),
        )
        database = Database(directory)
        super().__init__(database, Writer(database, clock=clock, entropy=entropy))
        self._background: set[asyncio.Task[object]] = set()
        self._run_log = RunLog(None if database.directory is None else database.directory / RUN_LOG_FILE)
        self._queue = ExtractionQueue(
            MeteredExtractor(self._extractor, limits),
            self._run_log,
            clock,
            concurrency=limits.concurrency,
            work_of=self._work_of,
            publish=self._publish,
        )

    # Writing

    async def ingest(self, message: Message, *, wait_for_extraction: bool = True) -> IngestReceipt:
        """Store one validated message and what its extraction leads to."""
        event_id = named_event(message)
        known: KnownMessages = {}
        # The store is read only if the writer, who remembers the ids of the owners at work, cannot rule it out.
        if event_id is not None and self._writer.may_hold(message.user_id, event_id):
            known = await self._known([message])
            for stored in known.values():
                refuse_other_message(stored, message, "ingest")
        return (await self._ingest_all([message], known, wait_for_extraction=wait_for_extraction))[0]

    async def ingest_batch(
        self, messages: Sequence[Message], *, wait_for_extraction: bool = True
    ) -> list[IngestReceipt]:
        """Store validated messages in order; all their `message_id`s are checked before anything is stored."""
        known = await self._known(messages)
        refuse_conflicts(messages, known)
        return await self._ingest_all(messages, known, wait_for_extraction=wait_for_extraction)

    async def store(self, message: Message) -> str:
        """Store one validated message as a NOTE, without extraction, and return its event id."""
        return await asyncio.wrap_future(await self._submit(message.user_id, partial(store_message, message=message)))

    async def process_pending(self, limit: int | None = None) -> list[IngestReceipt]:
        """Extract what is pending, oldest first, and return the receipts; what another call works on is waited for."""
        if limit is not None and (type(limit) is not int or limit < 0):
            raise ValueError("limit must be a whole number, how many messages to extract at most, or None for all")
        pending = await asyncio.to_thread(self._unfinished)
        return await self._finish_all(pending[:limit])

    async def retry(self, event_id: str) -> IngestReceipt:
        """Extract one pending or failed event again. Raises `NodeNotFoundError` for an unknown one."""
        return (await self.retry_all([event_id]))[0]

    async def retry_all(self, event_ids: Sequence[str]) -> list[IngestReceipt]:
        """Extract several pending or failed events again, as one queue; those that have a plan are only read.

        Raises `NodeNotFoundError` for an unknown one, before anything is asked.
        """
        known = await asyncio.to_thread(self._read, _known_ingests, event_ids)
        waiting = {stored.event.id: stored for stored, receipt in known if receipt.plan_id is None}
        finished = {receipt.event_id: receipt for receipt in await self._finish_all(list(waiting.values()))}
        return [finished.get(receipt.event_id, receipt) for _, receipt in known]

    # Records

    def export_plans(self, target: str | Path, user_id: str | None = None) -> ExportManifest:
        """Write every event, plan and decision by hand as records.

        Raises `StoreError`, and `InvalidMessageError` for what can be no owner.
        """
        # Few programs export or replay: the others do not wait for what these calls need.
        from prme.replay.exporting import export_records
        from prme.replay.targets import open_target

        owner = owner_or_none(user_id)
        with open_target(Path(target)) as opened:
            return self._read(export_records, opened, user_id=owner)

    def replay(self, sources: Sequence[str | Path], *, jobs: int = 1, watch: Watch | None = None) -> ReplayReport:
        """Publish exported records without an extractor. Raises `StoreError`; a bad record is in the report."""
        from prme.replay.replay import replay_sources

        return replay_sources(sources, self._writer, jobs=jobs, watch=watch)

    def owner_nodes(self, user_id: str) -> list[Node]:
        """Return all notes and claims of an owner as they stand, closed ones included."""
        return self._read(_owner_nodes, user_id)

    def unfinished(self) -> UnfinishedMessages:
        """Return how many messages of all owners wait for their extraction, and of how many it failed."""
        return self._read(unfinished_counts)

    def extractor_stats(self) -> list[ExtractorStats]:
        """Return what each extractor was asked and what it cost, as far as the run log remembers."""
        return self._run_log.stats()

    def resume(self) -> None:
        """Begin to work on what an earlier process left pending; call it inside a running event loop."""
        self._in_background(self.process_pending())

    async def cancel_background(self) -> None:
        """Stop extractions that nobody waits for; their events stay pending."""
        tasks = list(self._background)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def close_extractor(self) -> None:
        """Let the extractor give up its connections to this event loop, if it has any; it may be asked again."""
        close = getattr(self._extractor, "aclose", None)
        if close is not None:
            await close()

    def close(self) -> None:
        """Finish the write in flight and close the store. Closing twice does nothing."""
        self._writer.close()
        self._database.close()
        self._search.close()
        self._run_log.close()

    # Inside

    async def _ingest_all(
        self, messages: Sequence[Message], known: KnownMessages, *, wait_for_extraction: bool
    ) -> list[IngestReceipt]:
        if is_local(self._extractor) and wait_for_extraction:
            futures = [await self._submit_answered(message, known) for message in messages]
            return await self._receipts(messages, futures)
        futures = [
            await self._submit(message.user_id, partial(ingest_pending, message=message, settings=self._settings))
            for message in messages
        ]
        receipts = await self._receipts(messages, futures)
        pending = [
            (receipt.event_id, message.user_id)
            for message, receipt in zip(messages, receipts, strict=True)
            if receipt.status == "pending"
        ]
        stored = await asyncio.to_thread(self._read, _stored_events, pending)
        if not wait_for_extraction:
            self._in_background(self._finish_all(stored))
            return receipts
        outcomes = await self._queue.finish_in_order(stored)
        finished = {event.event.id: _finished(event, outcome) for event, outcome in zip(stored, outcomes, strict=True)}
        return [
            finished[receipt.event_id]
            if receipt.status == "pending"
            else await self._receipt(KnownMessage(receipt.event_id), message.user_id)
            for message, receipt in zip(messages, receipts, strict=True)
        ]

    async def _submit_answered(self, message: Message, known: KnownMessages) -> Future[IngestReceipt | KnownMessage]:
        event_id = named_event(message)
        if event_id is not None and event_id in known:
            future: Future[IngestReceipt | KnownMessage] = Future()
            future.set_result(KnownMessage(event_id))
            return future
        request = ExtractionRequest(message=message, policy=self._settings.policy.name)
        answer = await answer_of(self._extractor, request, self._limits)
        job = partial(ingest_answered, message=message, answer=answer, settings=self._settings)
        return await self._submit(message.user_id, job)

    async def _receipts(
        self, messages: Sequence[Message], futures: Sequence[Future[IngestReceipt | KnownMessage]]
    ) -> list[IngestReceipt]:
        """Wait for all jobs, then raise the first error if there was one."""
        outcomes = await asyncio.gather(*map(asyncio.wrap_future, futures), return_exceptions=True)
        answers: list[IngestReceipt | KnownMessage] = _without_errors(outcomes)
        return [await self._receipt(answer, message.user_id) for message, answer in zip(messages, answers, strict=True)]

    async def _receipt(self, outcome: IngestReceipt | KnownMessage, user_id: str) -> IngestReceipt:
        if isinstance(outcome, IngestReceipt):
            return outcome
        return await asyncio.to_thread(self._read, _known_receipt, outcome.event_id, user_id)

    async def _finish_all(self, events: Sequence[StoredEvent]) -> list[IngestReceipt]:
        """Extract and publish several events; all are tried, then the first error is raised, if there was one."""
        return _without_errors(await self._queue.finish_in_order(events))

    async def _publish(self, stored: StoredEvent, answered: Answered) -> IngestReceipt:
        job = partial(finish_pending, event_id=stored.event.id, answer=answered.answer, settings=answered.settings)
        outcome = await asyncio.wrap_future(await self._submit(stored.event.user_id, job))
        return await self._receipt(outcome, stored.event.user_id)

    def _identity(self, policy: str) -> ExtractorIdentity:
        extractor = self._extractor
        return ExtractorIdentity(
            name=extractor.name, model=extractor.model, prompt_digest=prompt_digest(extractor, policy)
        )

    def _identity_under(self, policy: str) -> ExtractorIdentity:
        """Return the identity under the policy of a stored message; without a prompt it is the extractor that fails."""
        try:
            return self._identity(policy)
        except UnknownExtractorError:
            return self._settings.extractor.model_copy(update={"prompt_digest": None})

    def _in_background(self, work: Coroutine[object, object, object]) -> None:
        task: asyncio.Task[object] = asyncio.ensure_future(work)
        self._background.add(task)
        task.add_done_callback(self._end_of_background)

    def _end_of_background(self, task: asyncio.Task[object]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.warning("extraction in the background stopped (%s); events stay pending", type(error).__name__)

    async def _known(self, messages: Sequence[Message]) -> KnownMessages:
        if all(message.message_id is None for message in messages):
            return {}
        return await asyncio.to_thread(self._read, known_messages, messages)

    def _unfinished(self) -> list[StoredEvent]:
        return self._read(unfinished_events, state="pending")

    async def _work_of(self, stored: StoredEvent) -> Work:
        """Return what a stored event is asked with, under the policy and the options that were recorded with it."""
        work, context = await asyncio.to_thread(self._read, _recorded_work, stored, not is_local(self._extractor))
        settings = self._settings
        if work is not None:
            options = PlanOptions(enable_speaker_references=work.speaker_references)
            settings = PipelineSettings(get_policy(work.policy), options, self._identity_under(work.policy))
        request = ExtractionRequest(
            message=_as_message(stored.event), policy=settings.policy.name, context=tuple(map(_as_message, context))
        )
        return Work(request, settings)


def _recorded_work(reader: Reader, stored: StoredEvent, with_context: bool) -> tuple[WorkState | None, Sequence[Event]]:
    """Return what was recorded of an event's extraction, and earlier messages of its session, if they are wanted."""
    work = work_state(reader, stored.owner_key, stored.event.id)
    if not with_context or stored.event.session_id is None:
        return work, ()
    return work, session_events(reader, stored, limit=CONTEXT_MESSAGES)


def _finished(stored: StoredEvent, outcome: IngestReceipt | BaseException) -> IngestReceipt:
    """Return the receipt of a stored message; an error of the store leaves it pending.

    It is not raised: once a message is durable its caller must not be told to send it again.
    """
    if isinstance(outcome, IngestReceipt):
        return outcome
    if isinstance(outcome, StoreError):
        return IngestReceipt(event_id=stored.event.id, status="pending", reason_code=NOT_PUBLISHED)
    raise outcome


def _stored_events(reader: Reader, wanted: Sequence[tuple[str, str]]) -> list[StoredEvent]:
    """Return the events of the given (event id, user id) pairs."""
    found = (visible_event(reader, event_id, user_id) for event_id, user_id in wanted)
    return [stored for stored in found if stored is not None]


def _without_errors(outcomes: Iterable[T | BaseException]) -> list[T]:
    """Return the outcomes of calls that were all waited for, or raise the first error among them."""
    values: list[T] = []
    for outcome in outcomes:
        if isinstance(outcome, BaseException):
            raise outcome
        values.append(outcome)
    return values


def _known_ingests(reader: Reader, event_ids: Sequence[str]) -> list[tuple[StoredEvent, IngestReceipt]]:
    return [_known_ingest(reader, event_id) for event_id in event_ids]


def _known_ingest(reader: Reader, event_id: str) -> tuple[StoredEvent, IngestReceipt]:
    stored = visible_event(reader, event_id, None)
    if stored is None or stored.kind != "ingest":
        raise NodeNotFoundError("no ingested event with this id")
    return stored, read_receipt(reader, stored)


def _known_receipt(reader: Reader, event_id: str, user_id: str) -> IngestReceipt:
    stored = visible_event(reader, event_id, user_id)
    if stored is None:
        raise NodeNotFoundError("the event is not in this store")
    return read_receipt(reader, stored)


def _owner_nodes(reader: Reader, user_id: str) -> list[Node]:
    owner_key = find_owner(reader, user_id)
    return [] if owner_key is None else owner_nodes(reader, owner_key, user_id)


def _as_message(event: Event) -> Message:
    return Message(
        content=event.content,
        user_id=event.user_id,
        role=event.role,
        scope=event.scope,
        session_id=event.session_id,
        message_id=event.message_id,
        speaker=event.speaker,
        first_person_owner=event.first_person_owner,
        # Said when it was received: the caller most likely passed no time.
        occurred_at=None if event.occurred_at == event.received_at else event.occurred_at,
        metadata_json=event.metadata_json,
    )

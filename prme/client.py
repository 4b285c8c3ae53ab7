"""`MemoryClient`: the synchronous front. It writes on an event loop of its own, and reads beside it."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, Self, TypeVar

from prme.clock import Clock, system_clock
from prme.context import Context
from prme.context.request import DEFAULT_BUDGET, TokenCount
from prme.engine import MemoryEngine
from prme.errors import StoreError
from prme.extraction.limits import DEFAULT_LIMITS, ExtractionLimits
from prme.extraction.protocol import Extractor
from prme.model.assertion import AssertionState
from prme.model.change import Change
from prme.model.explanation import Explanation, JournalLine
from prme.model.export import ExportManifest, ReplayReport
from prme.model.extractor_run import ExtractorStats
from prme.model.history import History
from prme.model.message import Event, Message, SourceType
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan
from prme.model.receipt import DecisionReceipt, IngestReceipt, UnfinishedMessages, VerifyReport
from prme.model.retrieval import IndexReport, Retrieval
from prme.store.database import CLOSED, FORKED

P = ParamSpec("P")
T = TypeVar("T")


class _ClientEngine(MemoryEngine):
    """The engine of a client: reads are called where they are awaited, in a thread that may be kept busy."""

    async def _read(self, function: Callable[P, T], *arguments: P.args, **options: P.kwargs) -> T:
        return function(*arguments, **options)


class MemoryClient:
    """A conversation's memory, for synchronous programs; any thread may call it.

    Every method does what the method of the same name of `MemoryEngine` does, with the same arguments and errors.
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
        """Open or create the store; arguments and errors are those of `MemoryEngine`."""
        self._engine = _ClientEngine(
            directory,
            extractor=extractor,
            policy=policy,
            enable_speaker_references=enable_speaker_references,
            limits=limits,
            clock=clock,
        )
        self._process = os.getpid()
        self._submitting = threading.Lock()
        self._is_closed = False
        self._readers = ThreadPoolExecutor(thread_name_prefix="prme-read")
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="prme-client", daemon=True)
        self._thread.start()
        self._run(self._engine.__aenter__())

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the store."""
        self.close()

    def close(self) -> None:
        """Finish the write in flight and close the store. Closing twice does nothing."""
        if os.getpid() != self._process:
            return  # the parent's to close; its loop does not run here
        with self._submitting:
            if self._is_closed:
                return
            self._is_closed = True
            closing = asyncio.run_coroutine_threadsafe(self._end(), self._loop)
        closing.result()
        self._readers.shutdown()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def ingest(
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
        """Store one message and let it correct what the memory says; see `MemoryEngine.ingest`."""
        return self._run(
            self._engine.ingest(
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
                wait_for_extraction=wait_for_extraction,
            )
        )

    def ingest_batch(
        self, messages: Iterable[Mapping[str, Any] | Message], *, wait_for_extraction: bool = True
    ) -> list[IngestReceipt]:
        """Store several messages in order; see `MemoryEngine.ingest_batch`."""
        return self._run(self._engine.ingest_batch(messages, wait_for_extraction=wait_for_extraction))

    def store(
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
        """Store a message as one NOTE and return its event id; see `MemoryEngine.store`."""
        return self._run(
            self._engine.store(
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
                supersedes=supersedes,
            )
        )

    def supersede(
        self,
        old_id: str,
        new_id: str,
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> DecisionReceipt:
        """Let a note or claim replace another one; see `MemoryEngine.supersede`."""
        return self._run(
            self._engine.supersede(old_id, new_id, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id)
        )

    def supersede_many(
        self,
        entries: Iterable[Mapping[str, Any]],
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> list[DecisionReceipt]:
        """Carry out several replacements, all or none; see `MemoryEngine.supersede_many`."""
        return self._run(
            self._engine.supersede_many(entries, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id)
        )

    def contradict(
        self,
        a: str,
        b: str,
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> DecisionReceipt:
        """Say that two open notes or claims contradict each other; see `MemoryEngine.contradict`."""
        return self._run(self._engine.contradict(a, b, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id))

    def resolve_contradiction(
        self,
        winner: str,
        loser: str,
        *,
        evidence_id: str | None = None,
        user_id: str | None = None,
        actor_id: str | None = None,
    ) -> DecisionReceipt:
        """Resolve a contradiction; see `MemoryEngine.resolve_contradiction`."""
        return self._run(
            self._engine.resolve_contradiction(
                winner, loser, evidence_id=evidence_id, user_id=user_id, actor_id=actor_id
            )
        )

    def process_pending(self, limit: int | None = None) -> list[IngestReceipt]:
        """Extract pending messages and return their receipts; see `MemoryEngine.process_pending`."""
        return self._run(self._engine.process_pending(limit))

    def retry(self, event_id: str) -> IngestReceipt:
        """Extract one pending or failed message again; see `MemoryEngine.retry`."""
        return self._run(self._engine.retry(event_id))

    def export_plans(self, target: str | Path, *, user_id: str | None = None) -> ExportManifest:
        """Write every event, plan and decision by hand as records; see `MemoryEngine.export_plans`."""
        return self._run(self._engine.export_plans(target, user_id=user_id))

    def replay(self, source: str | Path | Sequence[str | Path], *, jobs: int = 1) -> ReplayReport:
        """Publish exported records into this store; see `MemoryEngine.replay`."""
        return self._run(self._engine.replay(source, jobs=jobs))

    def get_event(self, event_id: str, *, user_id: str | None = None) -> Event | None:
        """Return the immutable source message, or None; see `MemoryEngine.get_event`."""
        return self._read(self._engine.get_event(event_id, user_id=user_id))

    def get_event_nodes(self, event_id: str, *, user_id: str | None = None) -> list[Node]:
        """Return an event's nodes, the NOTE first; see `MemoryEngine.get_event_nodes`."""
        return self._read(self._engine.get_event_nodes(event_id, user_id=user_id))

    def get_node(self, node_id: str, *, user_id: str | None = None, include_superseded: bool = False) -> Node | None:
        """Return a note or claim, or None; see `MemoryEngine.get_node`."""
        return self._read(self._engine.get_node(node_id, user_id=user_id, include_superseded=include_superseded))

    def get_plan(self, event_id: str, *, user_id: str | None = None) -> ExtractionPlan:
        """Return the published plan of an event; see `MemoryEngine.get_plan`."""
        return self._read(self._engine.get_plan(event_id, user_id=user_id))

    def get_plan_data(self, event_id: str, *, user_id: str | None = None) -> bytes:
        """Return the canonical bytes of a published plan; see `MemoryEngine.get_plan_data`."""
        return self._read(self._engine.get_plan_data(event_id, user_id=user_id))

    def claims(
        self,
        *,
        user_id: str,
        scope: str | None = None,
        include_superseded: bool = False,
        valid_at: datetime | None = None,
        known_at: datetime | None = None,
    ) -> list[Node]:
        """Return an owner's claims, on both times when asked; see `MemoryEngine.claims`."""
        return self._read(
            self._engine.claims(
                user_id=user_id,
                scope=scope,
                include_superseded=include_superseded,
                valid_at=valid_at,
                known_at=known_at,
            )
        )

    def history(self, node_id: str, *, user_id: str | None = None, known_at: datetime | None = None) -> History:
        """Return a note or claim with everything ever recorded of it; see `MemoryEngine.history`."""
        return self._read(self._engine.history(node_id, user_id=user_id, known_at=known_at))

    def get_assertion_state(
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
        """Return what the memory says of one subject and predicate; see `MemoryEngine.get_assertion_state`."""
        return self._read(
            self._engine.get_assertion_state(
                user_id=user_id,
                subject=subject,
                predicate=predicate,
                scope=scope,
                valid_at=valid_at,
                known_at=known_at,
                node_types=node_types,
            )
        )

    def changes(self, *, user_id: str | None = None, after: str | None = None, limit: int = 100) -> list[Change]:
        """Return journal entries after a cursor; see `MemoryEngine.changes`."""
        return self._read(self._engine.changes(user_id=user_id, after=after, limit=limit))

    def retrieve(
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
        """Return the owner's notes and claims that have words of the query; see `MemoryEngine.retrieve`."""
        return self._read(
            self._engine.retrieve(
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
        )

    def context(
        self,
        query: str,
        user_id: str,
        budget: int = DEFAULT_BUDGET,
        *,
        scope: str | None = None,
        notes: bool = False,
        count: TokenCount | None = None,
    ) -> Context:
        """Return what the memory holds now, as text for a language model; see `MemoryEngine.context`."""
        return self._read(self._engine.context(query, user_id, budget, scope=scope, notes=notes, count=count))

    def rebuild_index(self) -> IndexReport:
        """Make the text index of all owners again from the store; see `MemoryEngine.rebuild_index`."""
        return self._read(self._engine.rebuild_index())

    def explain(self, wanted: str, *, user_id: str | None = None) -> Explanation:
        """Explain an event, a note or a claim; see `MemoryEngine.explain`."""
        return self._read(self._engine.explain(wanted, user_id=user_id))

    def journal_head(self, user_id: str) -> JournalLine | None:
        """Return the owner's newest journal entry, or None; see `MemoryEngine.journal_head`."""
        return self._read(self._engine.journal_head(user_id))

    def extractor_stats(self) -> list[ExtractorStats]:
        """Return what each extractor was asked and what it cost; see `MemoryEngine.extractor_stats`."""
        return self._read(self._engine.extractor_stats())

    def unfinished(self) -> UnfinishedMessages:
        """Return how many messages wait for their extraction or failed; see `MemoryEngine.unfinished`."""
        return self._read(self._engine.unfinished())

    def verify(self, *, user_id: str | None = None) -> VerifyReport:
        """Compute everything again and report every difference; see `MemoryEngine.verify`."""
        return self._read(self._engine.verify(user_id=user_id))

    async def _end(self) -> None:
        """Close the engine, then end the calls of other threads that still wait for an extractor."""
        await self._engine.close()
        waiting = asyncio.all_tasks() - {asyncio.current_task()}
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)

    def _read(self, reading: Coroutine[Any, Any, T]) -> T:
        """Run a read, which waits for nothing, in a thread where no interrupt can part it; no event loop is asked."""
        return self._submitted(reading, lambda: self._readers.submit(_result, reading)).result()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return self._submitted(work, lambda: asyncio.run_coroutine_threadsafe(work, self._loop)).result()
        except CancelledError:
            raise StoreError("the store was closed before the call ended: what it stored stays pending") from None

    def _submitted(self, work: Coroutine[Any, Any, T], submit: Callable[[], Future[T]]) -> Future[T]:
        """Submit work, or refuse it in a forked child and once the client is closed."""
        if os.getpid() != self._process:
            work.close()
            raise StoreError(FORKED)
        # Nothing may be handed to a loop or a pool that is about to stop: its result would never come.
        with self._submitting:
            if self._is_closed:
                work.close()
                raise StoreError(CLOSED)
            return submit()


def _result(reading: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine that never waits returns."""
    try:
        reading.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    raise RuntimeError("a read waited for something")

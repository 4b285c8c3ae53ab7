"""The one writer: a thread that derives queued jobs in order and commits them together.

A job is a plain function of a session. What it records builds on what the batch has derived so far, and reaches the
cache of owners only after the commit returned. When a commit fails, that overlay is dropped and the jobs are derived
again one by one, so that one bad message never fails its neighbours.
"""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from immutables import Map

from prme.clock import Clock, read_clock
from prme.correction.subject import SubjectState, fold_subject
from prme.errors import StoreError
from prme.journal.chain import EMPTY_HEAD, GENESIS, KEY_BYTES, JournalHead, commit_digest
from prme.model.decision import ExplicitDecision
from prme.policy.policy import Policy
from prme.publication.publish import OwnerState, Publication, journal_row
from prme.store.anchor import AnchorMark
from prme.store.database import Database, Reader
from prme.store.decisions import explicit_decisions
from prme.store.records import StoredEvent, find_event, find_owner, owner_record, plan_data, subject_claims
from prme.store.rows import RowBatch

T = TypeVar("T")
Entropy = Callable[[int], bytes]
MOST_JOBS_PER_COMMIT = 256


@dataclass(frozen=True, slots=True)
class _Job:
    user_id: str
    run: Callable[[WriteSession], Any]
    future: Future[Any]
    alone: bool


@dataclass(slots=True)
class _Overlay:
    """What a batch has derived and not committed: owners as they would be, and what is to be inserted."""

    owners: dict[str, OwnerState] = field(default_factory=dict)
    new_owners: dict[str, int] = field(default_factory=dict)
    publications: list[tuple[int, Publication]] = field(default_factory=list)
    events: dict[str, StoredEvent] = field(default_factory=dict)
    policies: set[str] = field(default_factory=set)


class WriteSession:
    """One job's view of the store: the committed state, what the batch derived so far, and what the job records."""

    def __init__(self, writer: Writer, overlay: _Overlay, user_id: str) -> None:
        self._writer = writer
        self._overlay = overlay
        self.owner = writer.owner_state(user_id, overlay)
        self.recorded: list[Publication] = []
        self.events: dict[str, StoredEvent] = {}
        self.policies: set[str] = set()

    def now(self) -> datetime:
        """Return the clock's reading in UTC."""
        return read_clock(self._writer.clock)

    def new_key(self) -> bytes:
        """Return fresh random bytes for one journal entry's commitment."""
        return self._writer.entropy(KEY_BYTES)

    def find_event(self, event_id: str) -> StoredEvent | None:
        """Return an event of this owner, committed or derived earlier in this batch."""
        derived = self.events.get(event_id) or self._overlay.events.get(event_id)
        return derived or find_event(self._writer.database, event_id, owner_key=self.owner.owner_key)

    def has_plan(self, event_id: str) -> bool:
        """Whether an event of this owner has a plan, committed or derived earlier in this batch."""
        derived = any(
            publication.entry.kind == "PLAN_PUBLISHED" and publication.entry.event_id == event_id
            for _, publication in self._overlay.publications
        )
        return derived or plan_data(self._writer.database, self.owner.owner_key, event_id) is not None

    @property
    def reader(self) -> Reader:
        """What is committed; a job that runs alone sees everything there."""
        return self._writer.database

    def decisions(self) -> tuple[ExplicitDecision, ...]:
        """Return all explicit decisions of the owner, in order; they are read from the store the first time."""
        if self.owner.decisions is None:
            stored = explicit_decisions(self._writer.database, self.owner.owner_key)
            self.owner = replace(self.owner, decisions=tuple(found.made.decision for found in stored))
        return self.owner.decisions or ()

    def subject(self, subject_id: str) -> SubjectState:
        """Return a subject's folded state; it is read from the store the first time."""
        known = self.owner.subjects.get(subject_id)
        if known is None:
            claims = subject_claims(self._writer.database, self.owner.owner_key, subject_id)
            known = fold_subject(claims, self.decisions())
            self.owner = replace(self.owner, subjects=self.owner.subjects.set(subject_id, known))
        return known

    def record(self, publication: Publication) -> None:
        """Add a publication to the transaction."""
        self.owner = publication.owner
        self.recorded.append(publication)

    def hold_policy(self, policy: Policy, rows: RowBatch) -> None:
        """Let the store remember that it holds plans of a policy, the first time it does."""
        if policy.name not in self._writer.database.held_policies and policy.name not in self._overlay.policies:
            self.policies.add(policy.name)
            rows.add("meta", (f"policy.{policy.number}", policy.name))

    def record_event(self, stored: StoredEvent) -> None:
        """Let later jobs of the batch see an event that this job stores."""
        self.events[stored.event.id] = stored

    def keep(self) -> None:
        """Add what the job recorded to the batch."""
        overlay = self._overlay
        overlay.owners[self.owner.user_id] = self.owner
        overlay.publications += [(self.owner.owner_key, publication) for publication in self.recorded]
        overlay.events |= self.events
        overlay.policies |= self.policies


class Writer:
    """Owns the database's write side. `submit` may be called from any thread; everything else runs in the writer's."""

    def __init__(self, database: Database, *, clock: Clock, entropy: Entropy) -> None:
        """Start the thread."""
        self.database = database
        self.clock = clock
        self.entropy = entropy
        self._owners: dict[str, OwnerState] = {}
        self._queue: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._closed = threading.Event()
        self._submitting = threading.Lock()
        newest = database.query("select max(owner_key) from owners")[0][0]
        self._next_owner_key = 1 if newest is None else int(newest) + 1
        self._thread = threading.Thread(target=self._run, name="prme-writer", daemon=True)
        self._thread.start()

    def submit(self, user_id: str, job: Callable[[WriteSession], T], *, alone: bool = False) -> Future[T]:
        """Queue a job for an owner; the future ends once its transaction is durable or refused.

        A job that runs `alone` has a transaction of its own: what was queued before it is committed by then.
        """
        self.database.refuse_fork()
        future: Future[T] = Future()
        with self._submitting:
            if self._closed.is_set() or not self._thread.is_alive():
                raise StoreError("the store is closed: open a new client")
            self._queue.put(_Job(user_id, job, future, alone))
        return future

    def close(self) -> None:
        """Finish what is queued and stop the thread."""
        if not self._thread.is_alive():
            return  # ended before, or left behind in the parent of a fork
        with self._submitting:
            if not self._closed.is_set():
                self._closed.set()
                self._queue.put(None)
        self._thread.join()

    def owner_state(self, user_id: str, overlay: _Overlay) -> OwnerState:
        """Return an owner as the batch sees it; a new owner gets the next key."""
        known = overlay.owners.get(user_id) or self._owners.get(user_id)
        if known is not None:
            return known
        owner_key = find_owner(self.database, user_id)
        if owner_key is None:
            owner_key = overlay.new_owners.setdefault(user_id, self._next_owner_key + len(overlay.new_owners))
            return OwnerState(owner_key, user_id, EMPTY_HEAD, None, None, Map())
        record = owner_record(self.database, owner_key)
        head = EMPTY_HEAD if record.digest is None else JournalHead(record.seq, record.digest)
        return OwnerState(owner_key, user_id, head, record.newest_received_at, record.newest_recorded_at, Map())

    def _run(self) -> None:
        stopping = False
        while not stopping:
            batch, stopping = self._next_batch()
            # A caller that gave up before its turn is left out; from here on a job can no longer be cancelled.
            wanted = [job for job in batch if job.future.set_running_or_notify_cancel()]
            for _, group in itertools.groupby(wanted, key=_group):
                self._commit_batch(list(group))

    def _next_batch(self) -> tuple[list[_Job], bool]:
        batch: list[_Job] = []
        item = self._queue.get()
        while item is not None:
            batch.append(item)
            if len(batch) == MOST_JOBS_PER_COMMIT:
                return batch, False
            try:
                item = self._queue.get_nowait()
            except queue.Empty:
                return batch, False
        return batch, True

    def _commit_batch(self, batch: list[_Job]) -> None:
        overlay = _Overlay()
        outcomes = [(job, self._derive(job, overlay)) for job in batch]
        try:
            self._commit(overlay)
        except Exception as error:
            if len(batch) == 1:
                batch[0].future.set_exception(error)
                return
            for job in batch:
                self._commit_batch([job])
            return
        for job, outcome in outcomes:
            outcome.hand_to(job.future)

    def _derive(self, job: _Job, overlay: _Overlay) -> _Outcome:
        """Run a job; when it raises, nothing of it enters the batch."""
        known = set(overlay.new_owners)
        try:
            session = WriteSession(self, overlay, job.user_id)
            value = job.run(session)
            session.keep()
        except Exception as error:
            self._forget_new_owner(job.user_id, overlay, known)
            return _Outcome(error=error)
        if not session.recorded:
            self._forget_new_owner(job.user_id, overlay, known)
        return _Outcome(value=value)

    def _forget_new_owner(self, user_id: str, overlay: _Overlay, known: set[str]) -> None:
        if user_id in overlay.new_owners and user_id not in known:
            del overlay.new_owners[user_id]
            overlay.owners.pop(user_id, None)

    def _commit(self, overlay: _Overlay) -> None:
        if overlay.publications:
            rows = RowBatch()
            rows.add("owners", *((key, user_id) for user_id, key in overlay.new_owners.items()))
            rows.extend(publication.rows for _, publication in overlay.publications)
            mark = self._next_mark(overlay)
            for owner_key, publication in overlay.publications:
                row = journal_row(owner_key, publication, commit_no=mark.commit_no, commit_digest=mark.digest)
                rows.add("journal", row)
            self.database.commit(rows, mark)
            self._next_owner_key += len(overlay.new_owners)
        self._owners.update(overlay.owners)

    def _next_mark(self, overlay: _Overlay) -> AnchorMark:
        last = self.database.last_commit
        number, previous = (1, GENESIS) if last is None else (last.commit_no + 1, last.digest)
        entries = sorted(
            (key, publication.entry.seq, publication.entry.digest) for key, publication in overlay.publications
        )
        return AnchorMark(number, commit_digest(number, previous, entries))


def _group(job: _Job) -> int:
    """Return what a job shares with those it may be committed with: nothing, when it wants to be alone."""
    return id(job) if job.alone else 0


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: Any = None
    error: Exception | None = None

    def hand_to(self, future: Future[Any]) -> None:
        if self.error is None:
            future.set_result(self.value)
        else:
            future.set_exception(self.error)

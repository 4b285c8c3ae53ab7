"""The writer's thread: it derives queued jobs in order and commits them together.

A job is a plain function of a session. What it records builds on what the batch has derived so far, and reaches the
cache of owners only after the commit returned. When a commit fails, that overlay is dropped and the jobs are derived
again one by one, so that one bad message never fails its neighbours.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeVar

from immutables import Map

from prme.clock import Clock
from prme.errors import StoreError
from prme.journal.chain import EMPTY_HEAD, GENESIS, JournalHead, commit_digest
from prme.publication.publish import OwnerState, journal_row, unknown_owner
from prme.store.anchor import AnchorMark
from prme.store.database import CLOSED, Database
from prme.store.owners import find_owners, next_owner_key, owner_record
from prme.store.rows import RowBatch
from prme.writer.jobs import Job, JobQueue, Work, busy
from prme.writer.owners import OwnerCache
from prme.writer.session import Entropy, Overlay, WriteSession

T = TypeVar("T")
MOST_JOBS_PER_COMMIT = 256
MOST_WAITING_JOBS = 4_096
MOST_CACHED_CLAIMS = 100_000
PATIENCE = 30.0
# While the log is merged into the database file nothing can be written: better in a pause than in a conversation.
IDLE_AFTER = 10.0


class Writer:
    """Owns the database's write side. `submit` may be called from any thread; everything else runs in the writer's."""

    def __init__(
        self,
        database: Database,
        *,
        clock: Clock,
        entropy: Entropy,
        most_waiting_jobs: int = MOST_WAITING_JOBS,
        most_cached_claims: int = MOST_CACHED_CLAIMS,
        patience: float = PATIENCE,
        idle_after: float = IDLE_AFTER,
    ) -> None:
        """Start the thread.

        `most_waiting_jobs` and `patience` (seconds) bound the queue, `most_cached_claims` what is remembered of owners.
        After `idle_after` seconds without work the log is merged into the database file.
        """
        self.database = database
        self.clock = clock
        self.entropy = entropy
        self.patience = patience
        self.owners = OwnerCache(most_cached_claims)
        self._idle_after = idle_after
        self._queue = JobQueue(most_waiting_jobs)
        self._next_owner_key = next_owner_key(database)
        self._thread = threading.Thread(target=self._run, name="prme-writer", daemon=True)
        self._thread.start()

    def submit(self, user_id: str, job: Callable[[WriteSession], T], *, alone: bool = False) -> Future[T]:
        """Queue a job for an owner, waiting for room; the future ends once its transaction is durable or refused.

        A job that runs `alone` has a transaction of its own: what was queued before it for its owner is committed by
        then. Raises `StoreBusyError` when there is no room for longer than the writer's patience.
        """
        future: Future[T] = Future()
        self._put(Work((Job(user_id, job, future),), alone))
        return future

    def submit_together(self, jobs: Sequence[tuple[str, Callable[[WriteSession], T]]]) -> list[Future[T]]:
        """Queue jobs of several owners that share one transaction with nothing else in it; otherwise as `submit`."""
        futures: list[Future[T]] = [Future() for _ in jobs]
        self._put(Work(tuple(Job(*job, future) for job, future in zip(jobs, futures, strict=True)), alone=True))
        return futures

    def offer(self, user_id: str, job: Callable[[WriteSession], T], *, alone: bool = False) -> Future[T] | None:
        """Queue a job if there is room now, without waiting; None when there is not."""
        self._refuse_ended()
        future: Future[T] = Future()
        return future if self._queue.offer(Work((Job(user_id, job, future),), alone)) else None

    def may_hold(self, user_id: str, event_id: str) -> bool:
        """Whether an event of an owner may be stored; False only if what is remembered rules it out."""
        cached = self.owners.get(user_id)
        return cached is None or cached.event_ids is None or event_id in cached.event_ids

    def busy(self) -> StoreError:
        """Return the error for a caller whose patience is at its end."""
        return busy(self._queue.waiting, self.patience)

    def close(self) -> None:
        """Finish what is queued and stop the thread."""
        if not self._thread.is_alive():
            return  # ended before, or left behind in the parent of a fork
        self._queue.close()
        self._thread.join()

    def _put(self, work: Work) -> None:
        self._refuse_ended()
        self._queue.put(work, self.patience)

    def _refuse_ended(self) -> None:
        self.database.refuse_fork()
        if not self._thread.is_alive():
            raise StoreError(CLOSED)

    # In the writer's thread

    def _run(self) -> None:
        is_merged, last = True, 1
        while True:
            batch = self._queue.next_batch(
                MOST_JOBS_PER_COMMIT, patience=None if is_merged else self._idle_after, expected=last
            )
            if batch is None:
                return
            if not batch:
                is_merged, last = self.database.merge_log(), 1
                continue
            is_merged, last = False, len(batch)
            # A caller that gave up before its turn is left out; from here on a job can no longer be cancelled.
            wanted = [job for job in batch if job.future.set_running_or_notify_cancel()]
            if wanted:
                self._commit_batch(wanted)

    def _commit_batch(self, batch: Sequence[Job]) -> None:
        try:
            overlay = Overlay(owner_keys=self._stored_keys(batch))
            outcomes = [(job, self._derive(job, overlay)) for job in batch]
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

    def _stored_keys(self, batch: Sequence[Job]) -> dict[str, int]:
        """Return the keys of those owners of a batch that are stored and not in the cache."""
        strangers = dict.fromkeys(job.user_id for job in batch if self.owners.get(job.user_id) is None)
        return find_owners(self.database, list(strangers)) if strangers else {}

    def _derive(self, job: Job, overlay: Overlay) -> _Outcome:
        """Run a job; when it raises, nothing of it enters the batch."""
        known = set(overlay.new_owners)
        try:
            cached = self.owners.get(job.user_id)
            session = WriteSession(
                self.database,
                overlay,
                self._owner_state(job.user_id, overlay),
                cached_events=None if cached is None else cached.event_ids,
                clock=self.clock,
                entropy=self.entropy,
            )
            value = job.run(session)
            session.keep()
        except Exception as error:
            _forget_new_owner(job.user_id, overlay, known)
            return _Outcome(error=error)
        if not session.recorded:
            _forget_new_owner(job.user_id, overlay, known)
        return _Outcome(value=value)

    def _owner_state(self, user_id: str, overlay: Overlay) -> OwnerState:
        """Return an owner as the batch sees it; a new owner gets the next key."""
        derived = overlay.owners.get(user_id)
        if derived is not None:
            return derived
        cached = self.owners.get(user_id)
        if cached is not None:
            return cached.state
        owner_key = overlay.owner_keys.get(user_id)
        if owner_key is None:
            owner_key = overlay.new_owners.setdefault(user_id, self._next_owner_key + len(overlay.new_owners))
            return unknown_owner(owner_key, user_id)
        record = owner_record(self.database, owner_key)
        head = EMPTY_HEAD if record.digest is None else JournalHead(record.seq, record.digest)
        return OwnerState(owner_key, user_id, head, record.newest_received_at, record.newest_recorded_at, Map())

    def _commit(self, overlay: Overlay) -> None:
        if overlay.publications:
            rows = RowBatch()
            rows.add("owners", *((key, user_id) for user_id, key in overlay.new_owners.items()))
            rows.extend(publication.rows for _, publication in overlay.publications)
            mark = self._next_mark(overlay)
            for owner, publication in overlay.publications:
                row = journal_row(owner.owner_key, publication, commit_no=mark.commit_no, commit_digest=mark.digest)
                rows.add("journal", row)
            self.database.commit(rows, mark)
            self._next_owner_key += len(overlay.new_owners)
        self._remember(overlay)

    def _remember(self, overlay: Overlay) -> None:
        """Let the cache follow a commit."""
        events: dict[str, list[str]] = {}
        claims: Counter[str] = Counter(overlay.read_claims)
        for owner, publication in overlay.publications:
            claims[owner.user_id] += len(publication.rows.tables.get("claims", ()))
            if publication.entry.kind == "NOTE_STORED" and publication.entry.event_id is not None:
                events.setdefault(owner.user_id, []).append(publication.entry.event_id)
        for user_id, state in overlay.owners.items():
            if user_id in overlay.forgotten:
                self.owners.forget(user_id)
                continue
            self.owners.keep(
                state,
                event_ids=overlay.read_events.get(user_id),
                new_events=events.get(user_id, ()),
                new_claims=claims[user_id],
            )

    def _next_mark(self, overlay: Overlay) -> AnchorMark:
        last = self.database.last_commit
        number, previous = (1, GENESIS) if last is None else (last.commit_no + 1, last.digest)
        entries = sorted(
            (owner.owner_key, publication.entry.seq, publication.entry.digest)
            for owner, publication in overlay.publications
        )
        return AnchorMark(number, commit_digest(number, previous, entries))


def _forget_new_owner(user_id: str, overlay: Overlay, known: set[str]) -> None:
    if user_id in overlay.new_owners and user_id not in known:
        del overlay.new_owners[user_id]
        overlay.owners.pop(user_id, None)


@dataclass(frozen=True, slots=True)
class _Outcome:
    value: Any = None
    error: Exception | None = None

    def hand_to(self, future: Future[Any]) -> None:
        if self.error is None:
            future.set_result(self.value)
        else:
            future.set_exception(self.error)

"""Jobs that wait for the writer: in order for each owner, in turns between owners, and never more than fit.

An owner who sends a thousand messages at once does not keep the others waiting: each batch takes one piece of work of
every owner before it takes a second one of any.
"""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from prme.errors import StoreBusyError, StoreError
from prme.store.database import CLOSED

if TYPE_CHECKING:
    from prme.writer.session import WriteSession

# Seconds within which the next of several callers is there, if it comes at all; a transaction takes longer.
KEEPS_COMING = 0.001


@dataclass(frozen=True, slots=True)
class Job:
    """A function of a session, the owner whose session it is, and the future of its outcome."""

    user_id: str
    run: Callable[[WriteSession], Any]
    future: Future[Any]


@dataclass(frozen=True, slots=True)
class Work:
    """Jobs that belong in one transaction; when they are `alone`, nothing else is in it."""

    jobs: tuple[Job, ...]
    alone: bool

    @property
    def user_id(self) -> str:
        """The owner in whose turn the work is done."""
        return self.jobs[0].user_id


class JobQueue:
    """Work from any thread for the one writer; `capacity` is how many jobs wait at most."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self.waiting = 0
        self._owners: OrderedDict[str, deque[Work]] = OrderedDict()
        self._is_closed = False
        self._changed = threading.Condition()

    def offer(self, work: Work) -> bool:
        """Add work if there is room, without waiting. Raises `StoreError` once the queue is closed."""
        with self._changed:
            return self._add(work)

    def put(self, work: Work, patience: float) -> None:
        """Add work, and wait for room for some seconds at most.

        Raises `StoreBusyError` when there is none by then, `StoreError` once the queue is closed.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._add(work), patience):
                raise busy(self.waiting, patience)

    def _add(self, work: Work) -> bool:
        if self._is_closed:
            raise StoreError(CLOSED)
        # What is larger than the whole queue goes in when nothing else waits.
        if self.waiting and self.waiting + len(work.jobs) > self._capacity:
            return False
        self._owners.setdefault(work.user_id, deque()).append(work)
        self.waiting += len(work.jobs)
        self._changed.notify_all()
        return True

    def close(self) -> None:
        """Take nothing more; what waits is still handed out."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def next_batch(self, most_jobs: int, *, patience: float | None = None, expected: int = 1) -> list[Job] | None:
        """Wait for work and return the jobs of one transaction, or None once the queue is closed and empty.

        With `patience` none are returned when there was no work for so many seconds. When several jobs are `expected`,
        it waits for them as long as they keep coming: callers that were answered together come back one by one.
        """
        with self._changed:
            if not self._changed.wait_for(lambda: self._owners or self._is_closed, patience):
                return []
            while not self._is_closed and (seen := self.waiting) < expected:
                if not self._changed.wait_for(lambda: self.waiting > seen or self._is_closed, KEEPS_COMING):
                    break
            batch: list[Job] = []
            while self._owners and len(batch) < most_jobs:
                work = next(iter(self._owners.values()))[0]
                if batch and (work.alone or len(batch) + len(work.jobs) > most_jobs):
                    break
                batch += self._take().jobs
                if work.alone:
                    break
            self.waiting -= len(batch)
            self._changed.notify_all()
            return batch or None

    def _take(self) -> Work:
        """Return the first work of the owner whose turn it is; the owner's next work waits for the others."""
        user_id, works = self._owners.popitem(last=False)
        work = works.popleft()
        if works:
            self._owners[user_id] = works
        return work


def busy(waiting: int, patience: float) -> StoreBusyError:
    """Return the error for a store that took no work for so many seconds."""
    return StoreBusyError(
        f"{waiting} writes wait for the store, which had no room for another one in {patience:g} seconds; nothing was "
        "stored. Send fewer at once, or the same again later"
    )

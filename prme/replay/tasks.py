"""Tasks of a replay: owners to be prepared, in this process or in several others.

Another process imports this module and what it needs, and therefore neither DuckDB nor the writer.
"""

from __future__ import annotations

import gc
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from prme.errors import StoreError
from prme.records.spool import PlacedRecord
from prme.replay.preparing import PreparedOwner, prepare_owner


@dataclass(frozen=True, slots=True)
class Task:
    """An owner whose turn has come; `keys` is empty for one that the store knows.

    `owner_key` is what a new owner will be given, unless somebody else writes to the store meanwhile.
    """

    user_id: str
    owner_key: int
    records: list[PlacedRecord]
    now: datetime
    keys: list[bytes]


Submit = Callable[[Task], Callable[[], PreparedOwner | None]]
"""Begins a task and returns how to wait for what was prepared; None for an owner that the store knows."""


@contextmanager
def task_pool(jobs: int) -> Iterator[Submit]:
    """Give a way to prepare owners, in `jobs` processes if that is more than one; they begin to start at once.

    Raises `StoreError` when one of them dies.
    """
    if jobs == 1:
        yield lambda task: partial(prepare_task, task)
        return
    # Only a replay in several processes pays for loading what starts them.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts) as pool:

        def submit(task: Task) -> Callable[[], PreparedOwner | None]:
            future: Future[PreparedOwner | None] = pool.submit(prepare_task, task)
            return future.result

        try:
            pool.submit(_ignore_interrupts)  # the first call starts all of them
            yield submit
        except BrokenExecutor:
            raise StoreError(
                "a process of the replay ended before its work did, perhaps for want of memory; what was published is "
                "stored: run the replay again, in fewer processes"
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def prepare_task(task: Task) -> PreparedOwner | None:
    """Prepare an owner; None for one that the store knows."""
    if not task.keys:
        return None
    with _collection_paused():
        return prepare_owner(task.user_id, task.records, owner_key=task.owner_key, now=task.now, keys=task.keys)


def _ignore_interrupts() -> None:
    """Leave an interrupt from the terminal to the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Keep the collector of cycles away from values that have none: it would take a fifth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()

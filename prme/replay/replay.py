"""Replay: records from anywhere into a store, owner by owner, and the same reading without a store."""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path

from prme.clock import read_clock
from prme.errors import PlanError, StoreError
from prme.journal.chain import KEY_BYTES
from prme.model.export import ReplayReport
from prme.replay.checking import CheckedOwner, check_owner
from prme.replay.history import owner_history
from prme.replay.preparing import MOST_ENTRIES_PER_RECORD, PreparedOwner, prepare_owner
from prme.replay.publishing import Gap, decide_missing, publish_missing, publish_prepared
from prme.replay.records import read_manifest, record_head
from prme.replay.sources import Piece, read_sources
from prme.replay.spool import PlacedRecord, Spool
from prme.replay.tally import Tally
from prme.store.records import find_owner
from prme.writer import Writer

OWNERS_AHEAD = 2
Sources = Sequence[str | Path]


class Watch:
    """Is told how far a replay has come; this one looks away."""

    def read(self, size: int) -> None:
        """Some bytes of the sources were read."""

    def begin(self, records: int) -> None:
        """Everything was read: so many records are to be published or checked."""

    def done(self, records: int) -> None:
        """So many more were."""


@dataclass(frozen=True, slots=True)
class _Task:
    """An owner whose turn has come; `keys` is empty for one that the store knows."""

    user_id: str
    records: list[PlacedRecord]
    now: datetime
    keys: list[bytes]


def replay_sources(sources: Sources, writer: Writer, *, jobs: int = 1, watch: Watch | None = None) -> ReplayReport:
    """Publish the records of some sources into the writer's store, and return what became of them.

    One owner is one transaction. Owners that are complete are passed over, so a replay that was cut short goes on where
    it ended, and a second one changes nothing. With `jobs` greater than 1 records are read and folded in that many
    processes; the result is the same. Raises `ValueError` for `jobs` below 1 and `StoreError` when the store fails.
    """
    if type(jobs) is not int or jobs < 1:
        raise ValueError("jobs must be a whole number, at least 1")
    watch = watch or Watch()
    tally = Tally()
    seen: list[str] = []
    with Spool() as spool:
        watch.begin(_fill(spool, sources, tally, watch))
        for task, prepared in _prepared(_tasks(spool, writer), jobs):
            seen.append(task.user_id)
            tally.owners += 1
            _publish(writer, task, prepared, tally)
            watch.done(len(task.records))
    tally.end(seen)
    return tally.report()


def check_sources(sources: Sources, *, watch: Watch | None = None) -> ReplayReport:
    """Check the records of some sources, and that they lead to the states that the manifest lists, without a store."""
    watch = watch or Watch()
    tally = Tally()
    seen: list[str] = []
    with Spool() as spool:
        watch.begin(_fill(spool, sources, tally, watch))
        for user_id, count in spool.owners():
            seen.append(user_id)
            tally.owners += 1
            checked = check_owner(user_id, spool.records(user_id))
            _count(tally, checked)
            tally.add_problems(checked.problems)
            tally.compare(user_id, checked.checksums, state_digest=checked.state_digest)
            watch.done(count)
    tally.end(seen)
    return tally.report()


def _fill(spool: Spool, sources: Sources, tally: Tally, watch: Watch) -> int:
    """Read everything into the spool, and return how many records there are."""
    records = 0
    for piece in read_sources(sources, watch.read):
        try:
            records += _keep(spool, piece, tally)
        except PlanError as error:
            tally.add_problem(piece.place, str(error))
    return records


def _keep(spool: Spool, piece: Piece, tally: Tally) -> int:
    if piece.fault is not None:
        tally.add_problem(piece.place, piece.fault)
        return 0
    head = record_head(piece.data)
    if head.kind == "manifest":
        tally.add_manifest(read_manifest(piece.data))
        return 0
    if spool.add(head, piece.place, piece.data):
        return 1
    tally.duplicates += 1
    return 0


def _tasks(spool: Spool, writer: Writer) -> Iterator[_Task]:
    for user_id, count in spool.owners():
        is_known = find_owner(writer.database, user_id) is not None
        # Drawn here and not where they are used, so that every number of processes draws the same ones.
        keys = [] if is_known else [writer.entropy(KEY_BYTES) for _ in range(MOST_ENTRIES_PER_RECORD * count)]
        yield _Task(user_id, spool.records(user_id), read_clock(writer.clock), keys)


def _prepared(tasks: Iterable[_Task], jobs: int) -> Iterator[tuple[_Task, PreparedOwner | None]]:
    """Yield each task with what was prepared for it, in order; None for an owner that the store knows."""
    with _pool(jobs) as submit:
        ahead: deque[tuple[_Task, Callable[[], PreparedOwner | None]]] = deque()
        for task in tasks:
            ahead.append((task, submit(task)))
            if len(ahead) > (0 if jobs == 1 else OWNERS_AHEAD * jobs):
                first, result = ahead.popleft()
                yield first, result()
        for task, result in ahead:
            yield task, result()


@contextmanager
def _pool(jobs: int) -> Iterator[Callable[[_Task], Callable[[], PreparedOwner | None]]]:
    if jobs == 1:
        yield lambda task: partial(_prepare, task)
        return
    # Only a replay in several processes pays for loading what starts them.
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn"), initializer=_ignore_interrupts) as pool:

        def submit(task: _Task) -> Callable[[], PreparedOwner | None]:
            future: Future[PreparedOwner | None] = pool.submit(_prepare, task)
            return future.result

        try:
            yield submit
        except BrokenExecutor:
            raise StoreError(
                "a process of the replay ended before its work did, perhaps for want of memory; what was published is "
                "stored: run the replay again, in fewer processes"
            ) from None
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave an interrupt from the terminal to the process that waits for this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _prepare(task: _Task) -> PreparedOwner | None:
    return prepare_owner(task.user_id, task.records, now=task.now, keys=task.keys) if task.keys else None


def _publish(writer: Writer, task: _Task, prepared: PreparedOwner | None, tally: Tally) -> None:
    if prepared is not None:
        is_new = writer.submit(task.user_id, partial(publish_prepared, prepared=prepared), alone=True).result()
        if is_new:
            _count(tally, prepared)
            tally.add_problems(prepared.problems)
            tally.compare(task.user_id, prepared.checksums)
            return
    _complete(writer, task, tally)


def _complete(writer: Writer, task: _Task, tally: Tally) -> None:
    """Publish what the store lacks of a known owner: events and plans first, then the decisions about them."""
    history = owner_history(task.user_id, task.records)
    gap: Gap = writer.submit(task.user_id, partial(publish_missing, history=history), alone=True).result()
    if gap.is_publishable:
        if gap.decisions:
            writer.submit(task.user_id, partial(decide_missing, decisions=gap.decisions), alone=True).result()
        tally.events += len(gap.events)
        tally.plans += sum(one.prepared is not None for one in (*gap.events, *gap.plans))
        tally.decisions += len(gap.decisions)
    tally.already_there += gap.already_there
    tally.duplicates += history.outdated
    tally.add_problems((*history.problems, *gap.problems))
    tally.compare(task.user_id, history.checksums)


def _count(tally: Tally, counted: PreparedOwner | CheckedOwner) -> None:
    tally.events += counted.events
    tally.plans += counted.plans
    tally.decisions += counted.decisions
    tally.duplicates += counted.outdated

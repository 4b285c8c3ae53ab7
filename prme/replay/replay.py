"""Replay: records from anywhere into a store, owner by owner, and the same reading without a store."""

from __future__ import annotations

import gc
import itertools
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
from prme.records.content import read_manifest
from prme.records.head import record_head
from prme.records.sources import Piece, read_sources
from prme.records.spool import PlacedRecord, Spool
from prme.replay.checking import CheckedOwner, check_owner
from prme.replay.history import owner_history
from prme.replay.preparing import MOST_ENTRIES_PER_RECORD, PreparedOwner, prepare_owner
from prme.replay.publishing import Gap, decide_missing, publish_missing, publish_prepared
from prme.replay.tally import Tally
from prme.store.owners import find_owners, next_owner_key
from prme.writer import Writer

OWNERS_AHEAD = 2
OWNERS_LOOKED_UP = 256
# Many rows at once cost a third of the same rows owner by owner; more than this gains nothing and takes memory.
RECORDS_PER_TRANSACTION = 2_000
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
    """An owner whose turn has come; `keys` is empty for one that the store knows.

    `owner_key` is what a new owner will be given, unless somebody else writes to the store meanwhile.
    """

    user_id: str
    owner_key: int
    records: list[PlacedRecord]
    now: datetime
    keys: list[bytes]


_Ready = tuple[_Task, PreparedOwner | None]
_Done = tuple[_Task, PreparedOwner | None, bool]


def replay_sources(sources: Sources, writer: Writer, *, jobs: int = 1, watch: Watch | None = None) -> ReplayReport:
    """Publish the records of some sources into the writer's store, and return what became of them.

    An owner is published in one transaction, perhaps with others. Owners that are complete are passed over, so a replay
    that was cut short goes on where it ended, and a second one changes nothing. With `jobs` greater than 1 records are
    read and folded in that many processes; the result is the same. Raises `ValueError` for `jobs` below 1 and
    `StoreError` when the store fails.
    """
    if type(jobs) is not int or jobs < 1:
        raise ValueError("jobs must be a whole number, at least 1")
    watch = watch or Watch()
    tally = Tally()
    seen: list[str] = []
    with Spool() as spool, writer.database.many_large_commits():
        watch.begin(_fill(spool, sources, tally, watch))
        for group in _one_ahead(writer, _grouped(_prepared(_tasks(spool, writer), jobs))):
            for task, prepared, is_published in group:
                seen.append(task.user_id)
                tally.owners += 1
                if prepared is not None and is_published:
                    _count_published(task, prepared, tally)
                else:
                    _complete(writer, task, tally)
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
    owners = spool.owners()
    owner_key = next_owner_key(writer.database)
    while chunk := list(itertools.islice(owners, OWNERS_LOOKED_UP)):
        known = find_owners(writer.database, [user_id for user_id, _ in chunk])
        for user_id, count in chunk:
            # Drawn here and not where they are used, so that every number of processes draws the same ones.
            drawn = 0 if user_id in known else MOST_ENTRIES_PER_RECORD * count
            keys = [writer.entropy(KEY_BYTES) for _ in range(drawn)]
            yield _Task(user_id, owner_key, spool.records(user_id), read_clock(writer.clock), keys)
            owner_key += user_id not in known


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
    if not task.keys:
        return None
    with _collection_paused():
        return prepare_owner(task.user_id, task.records, owner_key=task.owner_key, now=task.now, keys=task.keys)


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


def _grouped(prepared: Iterable[tuple[_Task, PreparedOwner | None]]) -> Iterator[list[_Ready]]:
    """Put owners together that share a transaction, as the records decide; one that the store knows stands alone."""
    group: list[_Ready] = []
    records = 0
    for task, owner in prepared:
        if owner is None:
            if group:
                yield group
            yield [(task, None)]
            group, records = [], 0
            continue
        group.append((task, owner))
        records += len(task.records)
        if records >= RECORDS_PER_TRANSACTION:
            yield group
            group, records = [], 0
    if group:
        yield group


def _one_ahead(writer: Writer, groups: Iterable[list[_Ready]]) -> Iterator[list[_Done]]:
    """Publish each group while the next one is prepared, and yield it with whether its owners were published."""
    waiting: list[_Ready] = []
    futures: list[Future[bool]] = []
    for group in groups:
        yield _settled(waiting, futures)
        jobs = [(task.user_id, partial(publish_prepared, prepared=owner)) for task, owner in group if owner is not None]
        waiting, futures = group, writer.submit_together(jobs) if jobs else [_refused()]
    yield _settled(waiting, futures)


def _settled(group: Sequence[_Ready], futures: Sequence[Future[bool]]) -> list[_Done]:
    return [(*ready, future.result()) for ready, future in zip(group, futures, strict=True)]


def _refused() -> Future[bool]:
    future: Future[bool] = Future()
    future.set_result(False)
    return future


def _count_published(task: _Task, prepared: PreparedOwner, tally: Tally) -> None:
    _count(tally, prepared)
    tally.add_problems(prepared.problems)
    tally.compare(task.user_id, prepared.checksums)


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

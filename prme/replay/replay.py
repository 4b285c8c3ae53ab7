"""Replay: records from anywhere into a store, owner by owner, and the same reading without a store."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from functools import partial
from pathlib import Path

from prme.clock import read_clock
from prme.errors import PlanError
from prme.journal.chain import KEY_BYTES
from prme.model.export import ReplayReport
from prme.records.content import read_manifest
from prme.records.head import record_head
from prme.records.sources import Piece, read_sources
from prme.records.spool import Spool
from prme.replay.checking import CheckedOwner, check_owner
from prme.replay.history import owner_history
from prme.replay.preparing import MOST_ENTRIES_PER_RECORD, PreparedOwner
from prme.replay.publishing import Gap, decide_missing, publish_missing, publish_prepared
from prme.replay.tally import Tally
from prme.replay.tasks import Submit, Task, task_pool
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


_Ready = tuple[Task, PreparedOwner | None]
_Done = tuple[Task, PreparedOwner | None, bool]


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
    # Two threads of this process would only wait for each other (docs/performance.md).
    others = 0 if jobs == 1 else jobs
    with Spool() as spool, writer.database.many_large_commits(), task_pool(jobs) as submit:
        watch.begin(_fill(spool, sources, tally, watch))
        groups = _grouped(_prepared(_tasks(spool, writer), submit, ahead=OWNERS_AHEAD * others))
        for group in _published(writer, groups, ahead=min(others, 1)):
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


def _tasks(spool: Spool, writer: Writer) -> Iterator[Task]:
    owners = spool.owners()
    owner_key = next_owner_key(writer.database)
    while chunk := list(itertools.islice(owners, OWNERS_LOOKED_UP)):
        known = find_owners(writer.database, [user_id for user_id, _ in chunk])
        for user_id, count in chunk:
            # Drawn here and not where they are used, so that every number of processes draws the same ones.
            drawn = 0 if user_id in known else MOST_ENTRIES_PER_RECORD * count
            keys = [writer.entropy(KEY_BYTES) for _ in range(drawn)]
            yield Task(user_id, owner_key, spool.records(user_id), read_clock(writer.clock), keys)
            owner_key += user_id not in known


def _prepared(tasks: Iterable[Task], submit: Submit, *, ahead: int) -> Iterator[_Ready]:
    """Yield each task with what was prepared for it, in order; up to `ahead` later ones are begun by then."""
    begun: deque[tuple[Task, Callable[[], PreparedOwner | None]]] = deque()
    for task in tasks:
        begun.append((task, submit(task)))
        if len(begun) > ahead:
            first, result = begun.popleft()
            yield first, result()
    for task, result in begun:
        yield task, result()


def _grouped(prepared: Iterable[_Ready]) -> Iterator[list[_Ready]]:
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


def _published(writer: Writer, groups: Iterable[list[_Ready]], *, ahead: int) -> Iterator[list[_Done]]:
    """Publish groups, and yield each with whether its owners were published; `ahead` later ones may be begun then."""
    begun: deque[tuple[list[_Ready], list[Future[bool]]]] = deque()
    for group in groups:
        jobs = [(task.user_id, partial(publish_prepared, prepared=owner)) for task, owner in group if owner is not None]
        begun.append((group, writer.submit_together(jobs) if jobs else [_refused()]))
        if len(begun) > ahead:
            yield _settled(*begun.popleft())
    for last in begun:
        yield _settled(*last)


def _settled(group: Sequence[_Ready], futures: Sequence[Future[bool]]) -> list[_Done]:
    return [(*ready, future.result()) for ready, future in zip(group, futures, strict=True)]


def _refused() -> Future[bool]:
    future: Future[bool] = Future()
    future.set_result(False)
    return future


def _count_published(task: Task, prepared: PreparedOwner, tally: Tally) -> None:
    _count(tally, prepared)
    tally.add_problems(prepared.problems)
    tally.compare(task.user_id, prepared.checksums)


def _complete(writer: Writer, task: Task, tally: Tally) -> None:
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

"""The queue of the writer: in order for each owner, in turns between owners, and never more than fit."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path

import pytest

from prme.errors import StoreBusyError, StoreError
from prme.message import validate_message
from prme.pipeline import store_message
from prme.writer import MOST_JOBS_PER_COMMIT, Writer, WriteSession, jobs
from prme.writer.jobs import Job, JobQueue, Work
from tests.engine.conversation import SettableClock
from tests.writer.desk import Desk, Refusing


def work(*owners: str, alone: bool = False) -> Work:
    return Work(tuple(Job(owner, lambda _: None, Future()) for owner in owners), alone)


def taken(queue: JobQueue, most_jobs: int = 100) -> list[str]:
    return [job.user_id for job in queue.next_batch(most_jobs) or []]


@pytest.fixture
def queue() -> JobQueue:
    return JobQueue(capacity=10)


def test_owners_take_turns(queue: JobQueue):
    for owner in ("ann", "ann", "ann", "sam", "eve"):
        queue.offer(work(owner))

    assert taken(queue, 3) == ["ann", "sam", "eve"]
    assert taken(queue, 3) == ["ann", "ann"]


def test_the_jobs_of_one_owner_keep_their_order(queue: JobQueue):
    sent = [work("ann") for _ in range(4)]
    for one in sent:
        queue.offer(one)

    assert queue.next_batch(100) == [job for one in sent for job in one.jobs]


def test_work_that_is_alone_shares_its_batch_with_nothing(queue: JobQueue):
    for one in (work("ann"), work("sam", alone=True), work("eve")):
        queue.offer(one)

    assert [taken(queue) for _ in range(3)] == [["ann"], ["sam"], ["eve"]]


def test_work_that_is_not_alone_shares_it(queue: JobQueue):
    for one in (work("ann"), work("sam"), work("eve")):
        queue.offer(one)

    assert taken(queue) == ["ann", "sam", "eve"]


def test_jobs_that_belong_together_are_not_parted(queue: JobQueue):
    queue.offer(work("ann"))
    queue.offer(work("sam", "eve", "kim"))

    assert [taken(queue, 3), taken(queue, 3)] == [["ann"], ["sam", "eve", "kim"]]


def test_a_full_queue_takes_nothing_more(queue: JobQueue):
    assert all(queue.offer(work("ann")) for _ in range(10))

    assert not queue.offer(work("sam"))


def test_a_queue_with_room_takes_more(queue: JobQueue):
    for _ in range(10):
        queue.offer(work("ann"))
    taken(queue, 1)

    assert queue.offer(work("sam"))


def test_what_is_larger_than_the_queue_goes_in_when_nothing_waits(queue: JobQueue):
    assert queue.offer(work(*["ann"] * 20))


def test_waiting_for_room_ends_with_an_error_that_says_what_to_do(queue: JobQueue):
    for _ in range(10):
        queue.offer(work("ann"))

    with pytest.raises(StoreBusyError, match=r"10 writes wait .* in 0\.01 seconds; nothing was stored\. Send fewer"):
        queue.put(work("sam"), 0.01)


def test_waiting_for_room_ends_when_there_is_some(queue: JobQueue):
    for _ in range(10):
        queue.offer(work("ann"))
    waiter = threading.Thread(target=queue.put, args=(work("sam"), 30))
    waiter.start()
    taken(queue, 5)
    waiter.join(30)

    assert "sam" in taken(queue)


def test_a_closed_queue_hands_out_what_waits_and_takes_nothing(queue: JobQueue):
    queue.offer(work("ann"))
    queue.close()

    with pytest.raises(StoreError, match="the store is closed"):
        queue.offer(work("sam"))
    assert (taken(queue), queue.next_batch(1)) == (["ann"], None)


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def test_an_owner_with_many_messages_does_not_keep_another_waiting(desk: Desk):
    many = [partial(desk.submit, "ann", lambda _: None) for _ in range(MOST_JOBS_PER_COMMIT)]
    *_, sam = desk.together(*many, partial(desk.ingest, "ann"), partial(desk.ingest, "sam"))

    assert sam.result().status == "published"
    # Sam's message is in the first transaction, the last of ann's in the second.
    assert desk.owners() == [(1, "sam"), (2, "ann")]


def test_jobs_of_several_owners_can_share_a_transaction_of_their_own(desk: Desk):
    note = {user: partial(store_message, message=validate_message("A note.", user_id=user)) for user in ("ann", "sam")}
    futures = desk.writer.submit_together(list(note.items()))

    assert len({future.result(30) for future in futures}) == 2
    assert desk.commits() == [(1, 2)]


def test_a_writer_without_room_refuses_a_job_and_takes_it_later(tmp_path: Path):
    database = Refusing(tmp_path)
    writer = Writer(
        database, clock=SettableClock(), entropy=lambda size: b"k" * size, most_waiting_jobs=1, patience=0.01
    )
    busy, go_on = threading.Event(), threading.Event()

    def hold(_: WriteSession) -> None:
        busy.set()
        assert go_on.wait(30)

    held = writer.submit("holder", hold)
    assert busy.wait(30)
    waiting = writer.submit("ann", lambda _: "ann")
    with pytest.raises(StoreBusyError):
        writer.submit("sam", lambda _: "sam")
    offered = writer.offer("sam", lambda _: "sam")
    go_on.set()
    held.result(30)

    assert (offered, waiting.result(30)) == (None, "ann")
    assert writer.submit("sam", lambda _: "sam").result(30) == "sam"
    writer.close()
    database.close()


def log_bytes(directory: Path) -> int:
    log = directory / "memory.duckdb.wal"
    return log.stat().st_size if log.exists() else 0


def written_and_left_alone(directory: Path, *, idle_after: float) -> Writer:
    writer = Writer(Refusing(directory), clock=SettableClock(), entropy=lambda size: b"k" * size, idle_after=idle_after)
    note = partial(store_message, message=validate_message("A note.", user_id="sam"))
    writer.submit("sam", note).result(30)
    return writer


def close(writer: Writer) -> None:
    writer.close()
    writer.database.close()


def test_in_a_pause_the_log_is_merged_into_the_database(tmp_path: Path):
    writer = written_and_left_alone(tmp_path, idle_after=0.01)
    deadline = time.monotonic() + 30
    while log_bytes(tmp_path) and time.monotonic() < deadline:
        time.sleep(0.01)

    assert log_bytes(tmp_path) == 0
    assert writer.submit("sam", lambda session: session.owner.head.seq).result(30) == 1
    close(writer)


def test_as_long_as_there_is_no_pause_it_is_not(tmp_path: Path):
    writer = written_and_left_alone(tmp_path, idle_after=3_600)

    assert log_bytes(tmp_path) > 0
    close(writer)


def test_several_jobs_that_are_expected_are_waited_for_as_long_as_they_come(
    queue: JobQueue, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(jobs, "KEEPS_COMING", 30)
    queue.offer(work("ann"))
    late = threading.Timer(0.05, queue.offer, args=(work("sam"),))
    late.start()

    assert [job.user_id for job in queue.next_batch(100, expected=2) or []] == ["ann", "sam"]
    late.join()


def test_jobs_that_do_not_come_are_not_waited_for(queue: JobQueue):
    queue.offer(work("ann"))

    assert [job.user_id for job in queue.next_batch(100, expected=50) or []] == ["ann"]

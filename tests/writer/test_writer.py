from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import CancelledError, Future
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prme.errors import MessageConflictError, StoreError
from prme.message import validate_message
from prme.pipeline import store_message
from prme.writer import MOST_JOBS_PER_COMMIT, WriteSession
from tests.engine.conversation import NO_TEA, TEA
from tests.writer.desk import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.close()


def fail(_: WriteSession) -> None:
    raise ZeroDivisionError


def test_what_is_waiting_shares_a_commit(desk: Desk):
    futures = desk.together(*[partial(desk.ingest, f"user {number % 3}") for number in range(9)])

    assert {future.result().status for future in futures} == {"published"}
    assert desk.commits() == [(1, 18)]
    assert desk.is_sound()


def test_what_is_not_waiting_commits_at_once(desk: Desk):
    for _ in range(3):
        desk.ingest("sam").result(30)

    assert desk.commits() == [(1, 2), (2, 2), (3, 2)]


def test_a_commit_holds_a_bounded_number_of_jobs(desk: Desk):
    message = validate_message("A note.", user_id="sam")
    note = partial(store_message, message=message)
    desk.together(*[partial(desk.submit, "sam", note) for _ in range(MOST_JOBS_PER_COMMIT + 10)])

    assert [count for _, count in desk.commits()] == [MOST_JOBS_PER_COMMIT, 10]


def test_a_job_sees_what_the_batch_derived_before_it(desk: Desk):
    tea, denial = desk.together(partial(desk.ingest, "sam"), partial(desk.ingest, "sam", NO_TEA))

    assert list(denial.result().retired) == list(tea.result().claims)
    assert len(desk.commits()) == 1


def test_a_message_id_known_to_the_batch_is_known(desk: Desk):
    first, second = desk.together(partial(desk.ingest, "sam", TEA, "m"), partial(desk.ingest, "sam", TEA, "m"))

    assert second.result().event_id == first.result().event_id
    assert (desk.commits(), desk.database.attempts) == ([(1, 2)], 1)


def test_a_conflict_with_the_batch_fails_only_the_later_message(desk: Desk):
    first, second = desk.together(partial(desk.ingest, "sam", TEA, "m"), partial(desk.ingest, "sam", NO_TEA, "m"))

    assert (first.result().status, type(second.exception())) == ("published", MessageConflictError)


def test_a_job_that_fails_does_not_fail_its_neighbours(desk: Desk):
    first, failed, last = desk.together(
        partial(desk.ingest, "ann"), partial(desk.submit, "eve", fail), partial(desk.ingest, "sam")
    )

    assert (first.result().status, last.result().status) == ("published", "published")
    assert isinstance(failed.exception(), ZeroDivisionError)
    assert (len(desk.commits()), desk.owners()) == (1, [(1, "ann"), (2, "sam")])
    assert desk.is_sound()


def test_a_job_that_fails_halfway_leaves_nothing(desk: Desk):
    def half(session: WriteSession) -> None:
        store_message(session, validate_message("A note.", user_id="sam"))
        raise ZeroDivisionError

    failed, whole = desk.together(partial(desk.submit, "sam", half), partial(desk.ingest, "sam"))

    assert isinstance(failed.exception(), ZeroDivisionError)
    assert (whole.result().status, desk.commits()) == ("published", [(1, 2)])
    assert desk.is_sound()


def test_a_job_that_records_nothing_makes_no_owner_and_no_commit(desk: Desk):
    assert desk.submit("eve", lambda session: session.owner.user_id).result(30) == "eve"
    assert (desk.owners(), desk.commits()) == ([], [])
    assert desk.ingest("sam").result(30).status == "published"
    assert desk.owners() == [(1, "sam")]


def test_a_refused_transaction_is_tried_again_one_by_one(desk: Desk):
    refusals = iter([True])
    desk.database.refuses = lambda batch: next(refusals, False)
    futures = desk.together(*[partial(desk.ingest, user) for user in ("ann", "sam", "ann")])

    assert [future.result().status for future in futures] == ["published"] * 3
    assert desk.commits() == [(1, 2), (2, 2), (3, 2)]
    assert (desk.owners(), desk.is_sound()) == ([(1, "ann"), (2, "sam")], True)


def test_a_message_that_the_database_refuses_fails_alone(desk: Desk):
    desk.database.refuses = lambda batch: any(row[6] == NO_TEA for row in batch.tables.get("events", ()))
    futures = desk.together(
        partial(desk.ingest, "ann"), partial(desk.ingest, "sam", NO_TEA), partial(desk.ingest, "eve")
    )

    assert [type(future.exception()) for future in futures] == [type(None), StoreError, type(None)]
    assert desk.owners() == [(1, "ann"), (2, "eve")]
    assert desk.is_sound()


def test_after_a_refused_transaction_the_next_message_builds_on_what_is_stored(desk: Desk):
    tea = desk.ingest("sam").result(30)
    desk.database.refuses = lambda batch: True
    with pytest.raises(StoreError):
        desk.ingest("sam", NO_TEA).result(30)
    desk.database.refuses = lambda batch: False

    again = desk.ingest("sam", NO_TEA).result(30)

    assert list(again.retired) == list(tea.claims)
    assert desk.commits() == [(1, 2), (2, 2)]
    assert desk.is_sound()


def test_the_first_message_of_an_owner_may_be_refused_and_repeated(desk: Desk):
    refusals = iter([True])
    desk.database.refuses = lambda batch: next(refusals, False)
    with pytest.raises(StoreError):
        desk.ingest("ann").result(30)

    desk.ingest("sam").result(30)
    desk.ingest("ann").result(30)

    assert (desk.owners(), desk.is_sound()) == ([(1, "sam"), (2, "ann")], True)


def test_a_row_that_is_there_already_is_refused_by_the_database_itself(tmp_path: Path):
    desk = Desk(tmp_path)
    desk.ingest("sam").result(30)
    # Another entry in the place of the owner's next one, as if a second writer had been here.
    connection = desk.database._connection
    connection.execute("insert into journal select owner_key, 3, 9, kind, event_id, recorded_at, commitment, previous, "
                       "digest, commit_digest, commitment_key, body from journal where seq = 2").fetchall()  # fmt: skip

    with pytest.raises(StoreError, match="nothing was stored"):
        desk.ingest("sam").result(30)

    assert desk.database.query("select count(*) from events") == [(1,)]
    connection.execute("delete from journal where commit_no = 9").fetchall()
    assert desk.ingest("sam").result(30).status == "published"
    assert desk.is_sound()
    desk.close()


def test_a_job_cancelled_before_its_turn_does_not_run(desk: Desk):
    ran = []

    def cancelled() -> Future[Any]:
        future = desk.submit("eve", ran.append)
        assert future.cancel()
        return future

    future, other = desk.together(cancelled, partial(desk.ingest, "sam"))

    with pytest.raises(CancelledError):
        future.result(0)
    assert (ran, other.result().status) == ([], "published")


def test_closing_finishes_what_is_queued(tmp_path: Path):
    desk = Desk(tmp_path)
    futures = [desk.ingest("sam") for _ in range(20)]
    desk.close()

    assert {future.result(0).status for future in futures} == {"published"}


def test_a_closed_writer_takes_no_job(tmp_path: Path):
    desk = Desk(tmp_path)
    desk.close()
    desk.close()

    with pytest.raises(StoreError, match="closed"):
        desk.ingest("sam")


def test_owners_keep_their_keys_across_restarts(tmp_path: Path):
    for user in ("ann", "sam", "ann", "eve"):
        desk = Desk(tmp_path)
        desk.ingest(user).result(30)
        owners = desk.owners()
        sound = desk.is_sound()
        desk.close()
        assert sound

    assert owners == [(1, "ann"), (2, "sam"), (3, "eve")]

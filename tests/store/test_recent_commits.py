"""The rows of the newest commits stay in memory for those who follow the store: all of them, or none."""

from __future__ import annotations

from typing import Any

import pytest

from prme.store.changed_nodes import recent_changes
from prme.store.recent_commits import RecentCommits, RecentRows
from prme.store.rows import RowBatch


def batch(owner_key: int, seq: int, *, document: str = "{}") -> RowBatch:
    """The rows of one plan, and one of a table that nobody follows."""
    return RowBatch(
        {
            "journal": [(owner_key, seq, *[""] * 8, "key", "body")],
            "intervals": [(owner_key, f"node {seq}", seq)],
            "plans": [(owner_key, "event", seq, "plan", "policy", "checksum", document)],
            "claims": [(owner_key, f"claim {seq}")],
            "evidence": [(owner_key, f"claim {seq}", 0)],
            "owners": [(owner_key, "sam")],
        }
    )


def note(owner_key: int, seq: int, content: str, metadata: str | None = None) -> RowBatch:
    """The row of one event."""
    return RowBatch({"events": [(owner_key, f"event {seq}", seq, *[""] * 3, content, *[""] * 7, metadata)]})


def seqs(recent: RecentCommits, owner_key: int, commit_no: int) -> Any:
    """The entries of an owner after a commit, None when they are not all known."""
    rows = recent.since(owner_key, commit_no)
    return None if rows is None else [row[1] for row in rows.journal]


def test_an_owner_finds_the_rows_of_every_later_commit():
    recent = RecentCommits(4)
    recent.add(5, batch(1, 1))
    recent.add(6, batch(1, 2))
    rows = recent.since(1, 5)

    assert seqs(recent, 1, 4) == [1, 2]
    assert rows is not None
    assert (rows.newest_commit, rows.intervals, rows.events) == (6, [(1, "node 2", 2)], [])
    assert [row[2] for row in rows.plans] == [2]
    assert (rows.claims, rows.evidence) == ([(1, "claim 2")], [(1, "claim 2", 0)])


def test_the_body_of_an_entry_and_its_key_are_not_kept():
    recent = RecentCommits(0)
    recent.add(1, batch(1, 1))
    rows = recent.since(1, 0)

    assert rows is not None
    assert rows.journal == [(1, 1, *[""] * 8)]


def test_another_owner_finds_the_newest_commit_and_no_row():
    recent = RecentCommits(0)
    recent.add(1, batch(1, 1))
    rows = recent.since(2, 0)

    assert rows is not None
    assert rows == RecentRows(1, [], [], [], [], [], [])


def test_what_was_committed_before_the_store_was_opened_is_not_known():
    recent = RecentCommits(4)

    assert seqs(recent, 1, 3) is None
    assert seqs(recent, 1, 4) == []


def test_the_oldest_commits_make_room():
    recent = RecentCommits(0, most_characters=5_000)
    for number in (1, 2, 3):
        recent.add(number, batch(1, number, document="x" * 500))

    assert seqs(recent, 1, 0) is None
    assert seqs(recent, 1, 1) == [2, 3]


def test_a_commit_that_does_not_fit_is_forgotten_with_all_before_it():
    recent = RecentCommits(0, most_characters=3_000)
    recent.add(1, batch(1, 1))
    recent.add(2, batch(1, 2, document="x" * 5_000))
    recent.add(3, batch(1, 3))

    assert seqs(recent, 1, 1) is None
    assert seqs(recent, 1, 2) == [3]


@pytest.mark.parametrize(
    "long",
    [batch(1, 2, document="x" * 1_500), note(1, 2, "x" * 3_000), note(1, 2, "", "x" * 3_000)],
    ids=["document", "content", "metadata"],
)
def test_what_callers_may_make_long_is_counted(long: RowBatch):
    recent = RecentCommits(0, most_characters=3_000)
    recent.add(1, batch(1, 1))
    recent.add(2, long)

    assert seqs(recent, 1, 1) is None


def test_what_was_published_up_to_an_entry_is_no_change_after_it():
    rows = RecentRows(
        newest_commit=6,
        journal=[(1, seq, 6, kind) for seq, kind in ((1, "PLAN_PUBLISHED"), (2, "NOTE_STORED"), (3, "PLAN_PUBLISHED"))],
        intervals=[(1, f"node {seq}", seq, 0, 0, None, "current", None, None) for seq in (1, 2, 3)],
        plans=[(1, "event", seq, "plan", "policy", "checksum", f"document {seq}") for seq in (1, 3)],
        events=[],
        claims=[],
        evidence=[],
    )
    changes = recent_changes(rows, 1)

    assert changes is not None
    assert (changes.newest_seq, changes.is_decided) == (3, False)
    assert (changes.plans, set(changes.intervals)) == ((b"document 3",), {"node 3"})
    assert recent_changes(rows, 3) is None

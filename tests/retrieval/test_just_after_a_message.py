"""A search just after a message: the newest commits in memory say what is new, and the database is asked nothing."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from contextlib import AbstractContextManager
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from prme import MemoryClient
from prme.errors import StoreError
from prme.model.interval import Interval
from prme.retrieval import follow
from prme.retrieval.follow import Follower
from prme.retrieval.index_file import INDEX_FILE
from prme.store import database
from prme.store.changed_nodes import NodeChanges
from prme.store.database import Database
from prme.store.recent_commits import RecentCommits
from tests.engine.conversation import NOON, SettableClock
from tests.retrieval.talking import Simple, client, objects, say
from tests.retrieval.test_index_follows import interrupted, request, rows_and_nodes

CLAIMS: dict[str, Any] = {"user_id": "sam", "exclude_node_types": ["NOTE"]}


def unreadable() -> AbstractContextManager[object]:
    """Return a block in which the database cannot be asked anything."""
    return patch.object(Database, "_cursor", side_effect=AssertionError("the database was asked"))


def decide(memory: MemoryClient) -> None:
    tea, milk = say(memory, "I use tea.", "I use milk.")
    memory.supersede(tea, milk)


def fail(memory: MemoryClient) -> None:
    with patch.object(Simple, "extract", side_effect=RuntimeError):
        say(memory, "I use tea.")


HAPPENINGS: dict[str, tuple[Callable[[MemoryClient], object], list[tuple[str, str]]]] = {
    "a claim": (lambda memory: say(memory, "I use tea."), [("green tea", "positive"), ("tea", "positive")]),
    "a denial": (lambda memory: say(memory, "I don't use green tea anymore."), [("green tea", "negative")]),
    "a repetition": (lambda memory: say(memory, "I use green tea."), [("green tea", "positive")]),
    "a note": (lambda memory: memory.store("About tea.", user_id="sam"), [("green tea", "positive")]),
    "a failed extraction": (fail, [("green tea", "positive")]),
    "a decision by hand": (decide, [("green tea", "positive")]),
    "another owner's claim": (lambda memory: say(memory, "I use tea.", user_id="ann"), [("green tea", "positive")]),
}


@pytest.mark.parametrize(("happen", "expected"), HAPPENINGS.values(), ids=HAPPENINGS)
def test_the_database_is_not_asked_what_is_new(
    memory: MemoryClient, happen: Callable[[MemoryClient], object], expected: list[tuple[str, str]]
):
    say(memory, "I use green tea.")
    memory.retrieve("tea", **CLAIMS)
    happen(memory)
    with unreadable():
        found = memory.retrieve("tea", **CLAIMS)

    assert sorted((hit.node.object, hit.node.polarity) for hit in found) == expected
    held, stored = rows_and_nodes(memory)
    assert held == stored


TEA, NO_TEA = "I use tea.", "I don't use tea anymore."
# Each is what is said on which day; late arrivals change what was there before them.
BOUND: dict[str, list[tuple[int, str]]] = {
    "repeated": [(1, TEA), (2, TEA), (3, TEA)],
    "repeated late": [(1, TEA), (4, TEA), (3, TEA), (2, TEA)],
    "repeated, then closed": [(1, TEA), (2, TEA), (3, NO_TEA)],
    "closed, then repeated late": [(1, TEA), (4, NO_TEA), (2, TEA), (3, TEA)],
    "closed late, so that one repetition stands by itself": [(1, TEA), (2, TEA), (4, TEA), (3, NO_TEA)],
    "closed late, so that the newest one repeats another": [(1, TEA), (3, TEA), (4, TEA), (2, NO_TEA)],
    "said before what was first": [(3, TEA), (4, TEA), (1, TEA)],
    "opened again": [(1, TEA), (3, NO_TEA), (5, NO_TEA), (2, TEA)],
}


@pytest.mark.parametrize("all_at_once", [False, True], ids=["one by one", "all at once"])
@pytest.mark.parametrize("said", BOUND.values(), ids=BOUND)
def test_what_is_bound_to_a_changed_claim_changes_with_it(
    memory: MemoryClient, said: list[tuple[int, str]], all_at_once: bool
):
    say(memory, "I use milk.")
    memory.retrieve("tea", **CLAIMS)
    for number, (day, content) in enumerate(said, 1):
        say(memory, content, occurred_at=NOON + timedelta(days=day))
        if number == len(said) or not all_at_once:
            with unreadable():
                memory.retrieve("tea", **CLAIMS)
            held, stored = rows_and_nodes(memory)
            assert held == stored


@pytest.mark.parametrize("confirms_still", [False, True], ids=["confirms none", "was closed by itself"])
def test_what_no_longer_confirms_a_claim_that_stays_as_it_was_is_not_counted(
    memory: MemoryClient, confirms_still: bool
):
    first, _, last = (say(memory, TEA, occurred_at=NOON + timedelta(days=day))[0] for day in range(3))
    memory.retrieve("tea", **CLAIMS)
    _, follower = memory._engine._service._search._opened()
    since = NOON + timedelta(days=2)
    state = Interval(last, since, since, "superseded", None, first if confirms_still else None)
    follower._update(1, "sam", NodeChanges(follower._position(1), (), {last: state}))
    with unreadable():
        (hit,) = memory.retrieve("tea", **CLAIMS)

    assert (hit.node.id, hit.node.last_confirmed_at) == (first, NOON + timedelta(days=1))


@pytest.mark.parametrize("most_characters", [0, 5_000])
def test_the_database_is_asked_for_commits_that_are_no_longer_in_memory(
    most_characters: int, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database, "RecentCommits", partial(RecentCommits, most_characters=most_characters))
    with client() as memory:
        say(memory, "I use green tea.")
        memory.retrieve("tea", **CLAIMS)
        for number in range(3):
            say(memory, f"I use tea {number}.")

        with unreadable(), pytest.raises(AssertionError, match="was asked"):
            memory.retrieve("tea", **CLAIMS)
        assert len(memory.retrieve("tea", **CLAIMS)) == 4


def test_commits_of_others_that_are_no_longer_in_memory_read_nothing_of_the_owner(
    memory: MemoryClient, monkeypatch: pytest.MonkeyPatch
):
    say(memory, "I use tea.")
    memory.retrieve("tea", **CLAIMS)
    monkeypatch.setattr(memory._engine._service._database, "recent", RecentCommits(1_000))
    monkeypatch.delattr(follow, "read_node_changes")
    say(memory, "I use tea.", user_id="ann")

    assert objects(memory.retrieve("tea", **CLAIMS)) == ["tea"]


@pytest.mark.parametrize("goes_on", [False, True])
def test_what_an_update_wrote_before_it_was_interrupted_is_not_written_twice(
    memory: MemoryClient, monkeypatch: pytest.MonkeyPatch, goes_on: bool
):
    say(memory, "I use green tea.")
    memory.retrieve("tea", **CLAIMS)
    say(memory, "I use tea.")
    update = Follower._update
    with monkeypatch.context() as patched:
        patched.setattr(Follower, "_update", lambda *arguments: (update(*arguments), interrupted()))
        with pytest.raises(KeyboardInterrupt):
            memory._engine._service.retrieve(request("tea"))
    if goes_on:
        say(memory, "I don't use green tea anymore.", "I like tea.")
    with unreadable():
        found = memory.retrieve("tea", **CLAIMS)
    assert sorted(objects(found)) == ["green tea", "tea", "tea"][: 3 if goes_on else 2]
    held, stored = rows_and_nodes(memory)
    assert held == stored


def test_the_newest_rows_that_a_crash_took_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with client(tmp_path / "memory") as memory:
        say(memory, "I use green tea.", "I use milk.")
        memory.retrieve("tea", user_id="sam")
        (tmp_path / "before").mkdir()
        for file in (tmp_path / "memory").glob(f"{INDEX_FILE}*"):
            shutil.copy(file, tmp_path / "before" / file.name)
        say(memory, "I use tea.", "I don't use milk anymore.")
        memory.retrieve("tea", user_id="sam")
    for file in (tmp_path / "memory").glob(f"{INDEX_FILE}*"):
        file.unlink()
    shutil.copytree(tmp_path / "before", tmp_path / "memory", dirs_exist_ok=True)
    monkeypatch.delattr(Follower, "_build")

    with client(tmp_path / "memory") as memory:
        assert sorted(objects(memory.retrieve("tea milk", **CLAIMS))) == ["green tea", "milk", "tea"]
        held, stored = rows_and_nodes(memory)
    assert held == stored


def test_a_transaction_that_failed_is_not_followed(memory: MemoryClient):
    say(memory, "I use green tea.")
    memory.retrieve("tea", **CLAIMS)
    with patch.object(Database, "commit", side_effect=StoreError("nothing was stored")), pytest.raises(StoreError):
        say(memory, "I use tea.")

    assert objects(memory.retrieve("tea", **CLAIMS)) == ["green tea"]
    say(memory, "I use tea.")
    assert sorted(objects(memory.retrieve("tea", **CLAIMS))) == ["green tea", "tea"]


def test_a_store_that_is_closed_or_forked_is_not_searched_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with client(tmp_path, SettableClock()) as memory:
        say(memory, "I use tea.")
        memory.retrieve("tea", **CLAIMS)
        say(memory, "I use milk.")
        service = memory._engine._service
        with monkeypatch.context() as patched:
            patched.setattr("os.getpid", lambda: -1)
            with pytest.raises(StoreError, match="before this process was forked"):
                service.retrieve(request("tea"))
        service._database.close()
        with pytest.raises(StoreError, match="closed"):
            service.retrieve(request("tea"))

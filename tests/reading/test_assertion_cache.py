"""What get_assertion_state keeps in memory: it answers what reading everything answers, and reads only what is new."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from prme import AssertionState, MemoryClient
from prme.errors import StoreError
from prme.reading import AssertionCache, assertion_cache, assertion_query, read_assertion_state
from prme.store import database
from prme.store.database import Database, _Snapshot
from prme.store.recent_commits import RecentCommits
from tests.engine.conversation import NOON, Scripted, SettableClock, claim, denial, extraction

TEA = "I use tea."
NO_TEA = "I don't use tea anymore."
MILK = "I use milk."
ROAD = "I use a road bike."
MOUNTAIN = "I use a mountain bike."
NO_BIKE = "I don't use a bike anymore."
LIKES = "I like tea."
NO_LIKES = "I don't like tea anymore."
INES = "Ines uses tea."
INES_TOOL = "The Ines tool uses tea."
LONG = "uses_" + "x" * assertion_cache.LONGEST_KEPT_WORDS
SCRIPT: dict[str, Any] = {
    TEA: extraction(claim("I", "uses", "tea")),
    NO_TEA: extraction(denial("I", "uses", "tea")),
    MILK: extraction(claim("I", "uses", "milk")),
    ROAD: extraction(claim("I", "uses", "road bike")),
    MOUNTAIN: extraction(claim("I", "uses", "mountain bike")),
    NO_BIKE: extraction(denial("I", "uses", "bike")),
    LIKES: extraction(claim("I", "likes", "tea")),
    NO_LIKES: extraction(denial("I", "likes", "tea")),
    INES: extraction(claim("Ines", "uses", "tea"), entities={"Ines": "person"}),
    INES_TOOL: extraction(claim("Ines", "uses", "tea"), entities={"Ines": "tool"}),
}


@pytest.fixture
def memory() -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        yield memory


@pytest.fixture
def queries(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is asked of the database in a snapshot from now on."""
    asked: list[str] = []
    query = _Snapshot.query

    def noted(snapshot: _Snapshot, sql: str, *parameters: Any) -> list[tuple[Any, ...]]:
        asked.append(sql)
        return query(snapshot, sql, *parameters)

    monkeypatch.setattr(_Snapshot, "query", noted)
    return asked


@pytest.fixture
def readings(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What stood each time that everything of a family was read, from now on."""
    return noting(monkeypatch, "read_standing")


def noting(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """Return the list into which the results of a function of the cache go from now on."""
    results: list[object] = []
    function: Callable[..., object] = getattr(assertion_cache, name)

    def noted(*arguments: object, **more: object) -> object:
        results.append(function(*arguments, **more))
        return results[-1]

    monkeypatch.setattr(assertion_cache, name, noted)
    return results


def say(memory: MemoryClient, content: str, *, day: float = 0, **fields: Any) -> str:
    """Ingest a sentence and return its first claim."""
    passed = {"user_id": "sam", "first_person_owner": True, "occurred_at": NOON + timedelta(days=day), **fields}
    return memory.ingest(content, **passed).claims[0]


def state(memory: MemoryClient, subject: str = "I", predicate: str = "uses", **more: Any) -> AssertionState:
    return memory.get_assertion_state(**{"user_id": "sam", "subject": subject, "predicate": predicate, **more})


def objects(found: AssertionState) -> list[str | None]:
    return [node.object for node in found.claims]


def read_whole(memory: MemoryClient, subject: str = "I", predicate: str = "uses", **more: Any) -> AssertionState:
    """Return the state as reading every claim gives it."""
    fields = {"user_id": "sam", "scope": "personal", "node_types": None, **more}
    query = assertion_query(subject=subject, predicate=predicate, **fields)
    with memory._engine._service._database.snapshot() as reader:
        return read_assertion_state(reader, query)


def test_a_state_that_was_read_is_answered_without_asking_the_database(memory: MemoryClient, queries: list[str]):
    say(memory, TEA)
    first = state(memory)
    asked = len(queries)

    again = [state(memory), state(memory, subject="My"), state(memory, predicate="Uses")]

    assert again == [first] * 3
    assert len(queries) == asked > 0


def test_a_commit_of_another_owner_costs_no_question(memory: MemoryClient, queries: list[str]):
    say(memory, TEA)
    state(memory)
    say(memory, MILK, user_id="ann")
    queries.clear()

    assert objects(state(memory)) == ["tea"]
    assert queries == []


def test_a_new_commit_is_followed_without_asking_the_database(memory: MemoryClient, queries: list[str]):
    tea = say(memory, TEA)
    state(memory)
    queries.clear()
    said = [say(memory, MILK, day=1), say(memory, NO_TEA, day=2), say(memory, LIKES, day=3)]
    found = state(memory)

    assert ([node.id for node in found.claims], [node.id for node in found.denied]) == (said[:1], said[1:2])
    assert [(closed.claim.id, closed.closed_by, closed.how) for closed in found.closed] == [(tea, said[1], "rule")]
    assert queries == []
    assert found == read_whole(memory)


def test_what_is_retired_of_anything_else_costs_no_question(memory: MemoryClient, queries: list[str]):
    say(memory, TEA)
    say(memory, LIKES)
    state(memory)
    queries.clear()
    say(memory, NO_LIKES, day=1)

    assert objects(state(memory)) == ["tea"]
    assert queries == []


@pytest.mark.parametrize("most_characters", [0, 2_500])
def test_commits_that_are_no_longer_remembered_are_read(
    most_characters: int, queries: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(database, "RecentCommits", partial(RecentCommits, most_characters=most_characters))
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        say(memory, TEA)
        state(memory)
        queries.clear()
        say(memory, MILK, day=1)
        say(memory, NO_TEA, day=2)

        assert objects(state(memory)) == ["milk"]
        assert queries
        assert state(memory) == read_whole(memory)


def test_an_owner_who_decided_by_hand_is_asked_of_the_database(memory: MemoryClient, queries: list[str]):
    tea, milk, _ = say(memory, TEA), say(memory, MILK), say(memory, ROAD)
    memory.supersede(tea, milk)
    state(memory)
    queries.clear()
    say(memory, NO_BIKE, day=1)

    assert {closed.how for closed in state(memory).closed} == {"explicit", "rule"}
    assert queries
    assert state(memory) == read_whole(memory)


def test_what_is_said_of_anything_else_reads_no_claim_again(memory: MemoryClient, readings: list[object]):
    say(memory, TEA)
    first = state(memory)
    say(memory, LIKES, day=1)
    memory.store("A note.", user_id="sam")

    assert state(memory) == first
    assert len(readings) == 1


def test_what_is_said_of_the_same_is_added_without_reading_it_all_again(memory: MemoryClient, readings: list[object]):
    tea = say(memory, TEA)
    state(memory)
    milk = say(memory, MILK, day=2)
    say(memory, TEA, day=1)
    found = state(memory)
    denied = say(memory, NO_TEA, day=3)
    after = state(memory)

    assert [node.id for node in found.claims] == [tea, milk]
    assert found.claims[0].last_confirmed_at == NOON + timedelta(days=1)
    assert ([node.id for node in after.claims], [node.id for node in after.denied]) == ([milk], [denied])
    assert [(closed.claim.id, closed.closed_by, closed.how) for closed in after.closed] == [(tea, denied, "rule")]
    assert after == read_whole(memory)
    assert len(readings) == 1


def test_a_claim_that_arrives_late_stands_in_its_place(memory: MemoryClient, readings: list[object]):
    say(memory, TEA, day=2)
    state(memory)
    say(memory, MILK, day=1)

    assert objects(state(memory)) == ["milk", "tea"]
    assert len(readings) == 1


def test_what_a_late_arrival_reopens_is_open_again(memory: MemoryClient):
    road = say(memory, ROAD, day=1)
    say(memory, NO_BIKE, day=3)
    assert [closed.claim.id for closed in state(memory).closed] == [road]

    mountain = say(memory, MOUNTAIN, day=2)

    assert ([node.id for node in state(memory).claims], state(memory).closed) == ([road, mountain], ())
    assert state(memory) == read_whole(memory)


def test_a_confirming_claim_that_a_late_denial_frees_stands_by_itself(memory: MemoryClient):
    first, again = say(memory, TEA, day=1), say(memory, TEA, day=3)
    assert [node.id for node in state(memory).claims] == [first]

    say(memory, NO_TEA, day=2)

    assert [node.id for node in state(memory).claims] == [again]
    assert state(memory) == read_whole(memory)


def test_a_closed_claim_that_is_confirmed_late_says_when(memory: MemoryClient):
    say(memory, TEA, day=1)
    say(memory, NO_TEA, day=4)
    assert [closed.claim.last_confirmed_at for closed in state(memory).closed] == [None]

    say(memory, TEA, day=2)

    assert [closed.claim.last_confirmed_at for closed in state(memory).closed] == [NOON + timedelta(days=2)]


def test_what_is_decided_by_hand_reads_it_all_again(memory: MemoryClient, readings: list[object]):
    tea, milk = say(memory, TEA), say(memory, MILK)
    state(memory)
    memory.supersede(tea, milk)

    found = state(memory)

    assert [(closed.claim.id, closed.closed_by, closed.how) for closed in found.closed] == [(tea, milk, "explicit")]
    assert len(readings) == 2


def test_what_a_rule_closes_as_an_earlier_decision_says_is_closed_by_hand(memory: MemoryClient):
    tea, milk = say(memory, TEA, day=1), say(memory, MILK, day=2)
    memory.supersede(tea, milk)
    state(memory)
    say(memory, TEA)

    assert state(memory) == read_whole(memory)
    assert {closed.how for closed in state(memory).closed} == {"explicit"}


def test_a_name_that_gains_a_type_is_looked_up_with_it(memory: MemoryClient):
    person = say(memory, INES)
    assert [node.id for node in state(memory, subject="Ines").claims] == [person]

    say(memory, INES_TOOL, day=1)

    assert state(memory, subject="Ines").status == "consistent"
    assert state(memory, subject="Ines") == read_whole(memory, subject="Ines")


def test_many_entries_since_are_not_followed_one_by_one(
    memory: MemoryClient, readings: list[object], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("prme.reading.standing.MOST_FOLLOWED", 4)
    say(memory, TEA)
    state(memory)
    for day in (1, 2, 3):
        say(memory, MILK, day=day)

    assert objects(state(memory)) == ["tea", "milk"]
    assert len(readings) == 2


def test_what_was_not_asked_for_longest_is_forgotten(memory: MemoryClient, readings: list[object]):
    for owner in ("sam", "ann", "eve"):
        say(memory, TEA, user_id=owner)
    cache = AssertionCache(memory._engine._service._database, most_nodes=4)

    def ask(owner: str) -> None:
        cache.read(assertion_query(user_id=owner, scope="personal", subject="I", predicate="uses", node_types=None))

    for owner in ("sam", "ann", "sam", "eve"):
        ask(owner)
    assert len(readings) == 3
    ask("sam")
    assert len(readings) == 3
    ask("ann")
    assert len(readings) == 4


def test_a_state_larger_than_the_cache_is_answered_and_not_kept(memory: MemoryClient, readings: list[object]):
    say(memory, TEA)
    cache = AssertionCache(memory._engine._service._database, most_nodes=1)
    query = assertion_query(user_id="sam", scope="personal", subject="I", predicate="uses", node_types=None)

    assert [objects(cache.read(query)) for _ in range(2)] == [["tea"]] * 2
    assert len(readings) == 2


def test_words_that_are_too_long_are_not_kept(memory: MemoryClient, readings: list[object]):
    say(memory, TEA)

    assert [state(memory, predicate=LONG).status for _ in range(2)] == ["unknown"] * 2
    assert len(readings) == 2


def test_every_thread_sees_what_it_stored(tmp_path: Path):
    sayings = {
        f"I use cup {thread} {number}.": extraction(claim("I", "uses", f"cup {thread} {number}"))
        for thread in range(4)
        for number in range(5)
    }
    missed: list[str] = []

    with MemoryClient(tmp_path, extractor=Scripted(sayings), clock=SettableClock()) as memory:

        def talk(thread: int) -> None:
            for number in range(5):
                stored = say(memory, f"I use cup {thread} {number}.", day=number)
                missed.extend({stored} - {node.id for node in state(memory).claims})

        threads = [threading.Thread(target=talk, args=(thread,)) for thread in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

        assert (missed, len(state(memory).claims)) == ([], 20)
        assert state(memory) == read_whole(memory)


def test_a_closed_store_answers_nothing(memory: MemoryClient):
    say(memory, TEA)
    state(memory)
    service = memory._engine._service
    memory.close()

    with pytest.raises(StoreError, match="closed"):
        ask_service(service)


def test_a_forked_child_is_refused(memory: MemoryClient, monkeypatch: pytest.MonkeyPatch):
    say(memory, TEA)
    state(memory)
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: -1)

        with pytest.raises(StoreError, match="before this process was forked"):
            ask_service(memory._engine._service)

    assert objects(state(memory)) == ["tea"]


def ask_service(service: Any) -> AssertionState:
    found: AssertionState = service.get_assertion_state(user_id="sam", subject="I", predicate="uses", scope="personal")
    return found


def test_nothing_enters_that_was_not_stored(memory: MemoryClient, monkeypatch: pytest.MonkeyPatch):
    say(memory, TEA)
    state(memory)
    with monkeypatch.context() as patched:
        patched.setattr(Database, "commit", refusing)
        with pytest.raises(StoreError):
            say(memory, MILK, day=1)

    assert objects(state(memory)) == ["tea"]
    say(memory, MILK, day=1)
    assert objects(state(memory)) == ["tea", "milk"]


def refusing(*_: object) -> None:
    raise StoreError("the store refused the transaction; nothing was stored")

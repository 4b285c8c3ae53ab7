"""The index follows the store: it sees every commit, survives any damage, and a rebuilt one gives the same answers."""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from prme.errors import ConflictError, StoreError
from prme.model.retrieval import RetrieveRequest
from prme.retrieval import follow, retrieve
from prme.retrieval.follow import Follower
from prme.retrieval.index_file import INDEX_FILE
from prme.retrieval.index_rows import NODE_COLUMNS, node_of
from prme.store import changed_nodes, database
from prme.store.database import Database
from prme.store.nodes import owner_nodes
from prme.store.owners import owners
from prme.store.recent_commits import MOST_CHARACTERS, RecentCommits
from tests.engine.conversation import SettableClock
from tests.engine.random_messages import Saying, Sayings, sayings
from tests.retrieval.talking import client, objects, say, seen

CLAIMS = {"user_id": "sam", "exclude_node_types": ["NOTE"]}


@pytest.fixture
def warned(caplog: pytest.LogCaptureFixture) -> Callable[[], list[str]]:
    caplog.set_level(logging.WARNING, logger="prme")
    return lambda: [record.getMessage() for record in caplog.records]


def found_after(directory: Path) -> list[str]:
    with client(directory) as memory:
        return objects(memory.retrieve("tea", **CLAIMS))


def prepared(directory: Path) -> Path:
    """Make a store of one claim with its index, and return the index."""
    with client(directory) as memory:
        say(memory, "I use tea.")
        memory.retrieve("tea", user_id="sam")
    return directory / INDEX_FILE


def test_what_was_ingested_is_found_at_once(memory: MemoryClient):
    for number in range(5):
        say(memory, f"I use tea {number}.")

        assert len(memory.retrieve("tea", **CLAIMS)) == number + 1


def test_what_one_owner_stores_is_found_after_searches_of_another(memory: MemoryClient):
    say(memory, "I use tea.")
    assert list(memory.retrieve("tea", user_id="ann")) == []
    memory.retrieve("tea", user_id="sam")
    say(memory, "I use tea.", user_id="ann")
    memory.retrieve("tea", user_id="sam")

    assert objects(memory.retrieve("tea", user_id="ann")) == ["tea"]


def test_writing_does_not_touch_the_index(tmp_path: Path):
    with client(tmp_path) as memory:
        say(memory, "I use tea.")

    assert not (tmp_path / INDEX_FILE).exists()


def test_the_index_is_kept_from_one_opening_to_the_next(
    tmp_path: Path, warned: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
):
    prepared(tmp_path)
    built: list[int] = []
    monkeypatch.setattr(Follower, "_build", lambda *arguments: built.append(1))

    assert (found_after(tmp_path), built, warned()) == (["tea"], [], [])


def test_the_index_is_for_nobody_else_to_read(tmp_path: Path):
    assert prepared(tmp_path).stat().st_mode & 0o077 == 0


def test_deleting_the_index_is_safe(tmp_path: Path):
    prepared(tmp_path).unlink()

    assert found_after(tmp_path) == ["tea"]


DAMAGES: dict[str, Callable[[Path], object]] = {
    "emptied": lambda file: file.write_bytes(b""),
    "no database": lambda file: file.write_bytes(b"tea" * 5_000),
    "cut": lambda file: os.truncate(file, file.stat().st_size // 2),
    "overwritten": lambda file: file.write_bytes(file.read_bytes()[:4096] + os.urandom(file.stat().st_size - 4096)),
    "another program's": lambda file: replaced(file, "create table t (x)"),
    "another format": lambda file: changed(file, "update format set name = 'prme.text-index/0'"),
    "words are gone": lambda file: changed(file, "drop table words_1"),
    "nodes are gone": lambda file: changed(file, "drop table nodes"),
    "position ahead": lambda file: changed(file, "update owners set commit_no = commit_no + 1"),
    "position of another store": lambda file: changed(file, "update owners set commit_digest = 'x'"),
}


def changed(file: Path, statement: str) -> None:
    connection = sqlite3.connect(file)
    connection.execute(statement)
    connection.commit()
    connection.close()


def replaced(file: Path, statement: str) -> None:
    file.unlink()
    changed(file, statement)


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_index_is_made_again_and_the_log_says_so(
    tmp_path: Path, damage: Callable[[Path], object], warned: Callable[[], list[str]]
):
    damage(prepared(tmp_path))

    assert found_after(tmp_path) == ["tea"]
    assert bool(warned()) == (damage is not DAMAGES["emptied"])
    assert not any("tea" in message or str(tmp_path) in message for message in warned())
    assert found_after(tmp_path) == ["tea"]


def test_an_index_of_a_later_state_is_made_again(tmp_path: Path):
    prepared(tmp_path / "memory")
    shutil.copytree(tmp_path / "memory", tmp_path / "older")
    with client(tmp_path / "memory") as memory:
        say(memory, "I use milk with tea.")
        assert len(memory.retrieve("tea", **CLAIMS)) == 2
    shutil.copy(tmp_path / "memory" / INDEX_FILE, tmp_path / "older" / INDEX_FILE)

    assert found_after(tmp_path / "older") == ["tea"]


def test_an_index_of_another_store_is_made_again(tmp_path: Path):
    with client(tmp_path / "one") as memory:
        say(memory, "I use tea one.")
        memory.retrieve("tea", user_id="sam")
    prepared(tmp_path / "other")
    shutil.copy(tmp_path / "one" / INDEX_FILE, tmp_path / "other" / INDEX_FILE)

    assert found_after(tmp_path / "other") == ["tea"]


def test_where_no_file_can_be_made_the_index_lives_in_memory(tmp_path: Path, warned: Callable[[], list[str]]):
    with client(tmp_path) as memory:
        say(memory, "I use tea.")
        (tmp_path / INDEX_FILE).mkdir()
        (tmp_path / INDEX_FILE / "in the way").touch()

        assert objects(memory.retrieve("tea", **CLAIMS)) == ["tea"]
        say(memory, "I use tea with milk.")
        assert len(memory.retrieve("tea", **CLAIMS)) == 2

    assert warned()
    assert not any(str(tmp_path) in message for message in warned())


def test_an_index_that_another_program_holds_is_replaced(tmp_path: Path):
    file = prepared(tmp_path)
    holder = sqlite3.connect(file, isolation_level=None)
    holder.execute("begin exclusive")

    assert found_after(tmp_path) == ["tea"]
    holder.close()


def test_without_full_text_search_the_error_says_so(memory: MemoryClient, monkeypatch: pytest.MonkeyPatch):
    def refuse(*arguments: object) -> None:
        raise sqlite3.OperationalError("no such module: fts5")

    say(memory, "I use tea.")
    monkeypatch.setattr(Follower, "follow", refuse)

    with pytest.raises(StoreError, match="FTS5"):
        memory.retrieve("tea", user_id="sam")


def test_a_rebuilt_index_gives_the_same_hits_and_scores(tmp_path: Path):
    with client(tmp_path) as memory:
        for number in range(12):
            say(
                memory,
                f"I use tea {number % 5}.",
                f"I don't use tea {number % 3} anymore.",
                f"I like tea and milk {number}.",
            )
            memory.retrieve("tea", user_id="sam")
        grown = [seen(memory.retrieve(query, user_id="sam", include_superseded=True)) for query in ("tea", "milk 3")]
        report = memory.rebuild_index()
        rebuilt = [seen(memory.retrieve(query, user_id="sam", include_superseded=True)) for query in ("tea", "milk 3")]

    assert grown == rebuilt
    assert (report.owners, report.notes, report.claims) == (1, 36, 36)


def test_one_batch_and_single_messages_give_the_same_hits(tmp_path: Path):
    said = [f"I use tea {number}." for number in range(9)]
    found = []
    for name, size in (("single", 1), ("batches", 9)):
        with client(tmp_path / name, SettableClock()) as memory:
            for start in range(0, 9, size):
                say(memory, *said[start : start + size])
                memory.retrieve("tea", user_id="sam")
            found.append(seen(memory.retrieve("tea", user_id="sam")))

    assert found[0] == found[1]


def test_rebuilding_covers_all_owners(memory: MemoryClient):
    say(memory, "I use tea.")
    say(memory, "I use tea.", "I use milk.", user_id="ann")

    report = memory.rebuild_index()

    assert (report.owners, report.notes, report.claims) == (2, 3, 3)


def test_rebuilding_an_empty_store_holds_nothing(memory: MemoryClient):
    report = memory.rebuild_index()

    assert (report.owners, report.notes, report.claims) == (0, 0, 0)


def test_a_closed_client_refuses_to_search(tmp_path: Path):
    memory = client(tmp_path)
    say(memory, "I use tea.")
    memory.close()

    with pytest.raises(StoreError, match="closed"):
        memory.retrieve("tea", user_id="sam")


def rows_and_nodes(memory: MemoryClient) -> tuple[list[object], list[object]]:
    """Return all nodes as the index holds them, and as the store has them."""
    service = memory._engine._service
    search = service._search
    database: Database = service._database
    with database.snapshot() as reader:
        known = owners(reader)
        names = dict(known)
        connection, follower = search._opened()
        for owner_key, user_id in known:
            follower.follow(reader, owner_key, user_id)
        stored = [node for key, user_id in known for node in owner_nodes(reader, key, user_id)]
        rows = connection.execute(f"select {', '.join(NODE_COLUMNS)} from nodes").fetchall()
    held = [node_of(row, names[row[1]]) for row in rows]
    return sorted(held, key=lambda node: node.id), sorted(stored, key=lambda node: node.id)


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(said=st.lists(sayings(st.just(0)), min_size=1, max_size=8), decided=st.lists(st.integers(0, 50), max_size=6))
def test_the_index_holds_every_node_as_the_store_has_it(said: list[Saying], decided: list[int]):
    extractor = Sayings()
    with MemoryClient(":memory:", extractor=extractor, clock=SettableClock()) as memory:
        for number, saying in enumerate(said):
            numbered = Saying(number, saying.owner, saying.day, saying.claims)
            extractor.learn(numbered)
            memory.ingest(**numbered.fields)
            if number % 2:
                held, stored = rows_and_nodes(memory)
                assert held == stored
            nodes = [node for owner in ("sam", "ann") for node in memory.claims(user_id=owner, include_superseded=True)]
            for choice in decided[number : number + 1]:
                if len(nodes) > 1:
                    try:
                        decide = memory.supersede if choice % 2 else memory.contradict
                        decide(nodes[choice % len(nodes)].id, nodes[-1 - choice % 3].id)
                    except (ConflictError, ValueError, LookupError, IndexError):
                        pass
        held, stored = rows_and_nodes(memory)

    assert held == stored


def test_searches_beside_writes_see_what_was_acknowledged(tmp_path: Path):
    wrong: list[int] = []

    def search(memory: MemoryClient, acknowledged: list[int], done: threading.Event) -> None:
        while not done.is_set():
            least = len(acknowledged)
            if len(memory.retrieve("tea", limit=100, **CLAIMS)) < least:
                wrong.append(least)

    with client(tmp_path) as memory:
        acknowledged: list[int] = []
        done = threading.Event()
        threads = [threading.Thread(target=search, args=(memory, acknowledged, done)) for _ in range(3)]
        for thread in threads:
            thread.start()
        for number in range(30):
            say(memory, f"I use tea {number}.")
            acknowledged.append(number)
        done.set()
        for thread in threads:
            thread.join(30)

    assert wrong == []


def test_a_warm_search_asks_the_database_nothing(memory: MemoryClient, monkeypatch: pytest.MonkeyPatch):
    say(memory, "I use tea.")
    memory.retrieve("tea", **CLAIMS)
    with monkeypatch.context() as patched:
        patched.delattr(Database, "snapshot")
        warm = memory.retrieve("tea", **CLAIMS)
        with pytest.raises(AttributeError):
            memory.retrieve("tea", known_at=SettableClock()(), **CLAIMS)

    assert objects(warm) == ["tea"]


def test_an_update_that_fails_is_made_good(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    with client(tmp_path) as memory:
        say(memory, "I use tea.")
        memory.retrieve("tea", user_id="sam")
        say(memory, "I use tea with milk.")
        with monkeypatch.context() as patched:
            patched.setattr(Follower, "_stand_at", interrupted)
            with pytest.raises(KeyboardInterrupt):
                memory._engine._service.retrieve(request("tea"))

        assert sorted(objects(memory.retrieve("tea", **CLAIMS))) == ["tea", "tea with milk"]


def interrupted(*arguments: object) -> None:
    raise KeyboardInterrupt


def request(query: str) -> RetrieveRequest:
    return RetrieveRequest(query=query, user_id="sam")


def test_damage_that_a_warm_search_meets_is_repaired(tmp_path: Path, warned: Callable[[], list[str]]):
    with client(tmp_path) as memory:
        say(memory, "I use tea.")
        memory.retrieve("tea", user_id="sam")
        connection, _ = memory._engine._service._search._opened()
        connection.execute("drop table words_1")

        assert objects(memory.retrieve("tea", **CLAIMS)) == ["tea"]

    assert len(warned()) == 1


def test_a_search_that_fails_leaves_the_index_as_it_was(
    memory: MemoryClient, warned: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
):
    def broken(*arguments: object, **options: object) -> set[str]:
        raise ArithmeticError

    say(memory, "I use tea.")
    with monkeypatch.context() as patched:
        patched.setattr(retrieve, "retired_beside", broken)
        with pytest.raises(ArithmeticError):
            memory.retrieve("tea", **CLAIMS)
    say(memory, "I use milk.")

    assert objects(memory.retrieve("use", **CLAIMS)) == ["milk", "tea"]
    assert warned() == []


@pytest.mark.parametrize(
    "change",
    [
        "content = replace(content, 'tea', 'tee')",
        "document = replace(document, 'tea', 'gin')",
        "status = 'contested'",
        "valid_from = valid_from + 1",
        "node_id = event_id || 'x'",
        "checksum = ''",
        "content = x'ff', checksum = ''",
    ],
)
def test_a_row_that_is_not_what_was_written_is_never_shown(
    tmp_path: Path, warned: Callable[[], list[str]], change: str
):
    with sqlite3.connect(prepared(tmp_path)) as index:
        index.execute(f"update nodes set {change} where node_type <> 'NOTE'")
    index.close()

    with client(tmp_path) as memory:
        [hit] = memory.retrieve("tea", **CLAIMS)

        assert hit.node == memory.get_node(hit.node.id)
    assert any("made again" in message for message in warned())


@pytest.mark.parametrize("most_characters", [MOST_CHARACTERS, 0], ids=["from memory", "from the database"])
def test_many_changes_at_once_are_followed(most_characters: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "RecentCommits", partial(RecentCommits, most_characters=most_characters))
    monkeypatch.setattr(follow, "LONGEST_LIST", 2)
    monkeypatch.setattr(changed_nodes, "LONGEST_LIST", 2)
    with client(tmp_path) as memory:
        say(memory, "I use tea.", "I use milk.")
        memory.retrieve("tea", user_id="sam")
        say(memory, "I don't use tea anymore.", "I like tea.", "I like milk.", "I use milk.")
        memory.retrieve("tea", user_id="sam")
        held, stored = rows_and_nodes(memory)

    assert held == stored


def test_a_log_that_a_killed_process_left_is_used_or_ignored(tmp_path: Path):
    with client(tmp_path / "memory") as memory:
        say(memory, "I use tea.")
        memory.retrieve("tea", user_id="sam")
        say(memory, "I use tea with milk.")
        memory.retrieve("tea", user_id="sam")
        names = [file.name for file in (tmp_path / "memory").glob(f"{INDEX_FILE}*")]
        for place, copied in (("whole", names), ("log only", [name for name in names if name != INDEX_FILE])):
            (tmp_path / place).mkdir()
            for name in copied:
                shutil.copy(tmp_path / "memory" / name, tmp_path / place / name)

    assert f"{INDEX_FILE}-wal" in names
    for place in ("whole", "log only"):
        for file in (tmp_path / "memory").glob("[!t]*"):
            shutil.copy(file, tmp_path / place / file.name)
        assert sorted(found_after(tmp_path / place)) == ["tea", "tea with milk"]


def test_a_forked_child_leaves_the_index_to_its_parent(memory: MemoryClient, monkeypatch: pytest.MonkeyPatch):
    say(memory, "I use tea.")
    memory.retrieve("tea", user_id="sam")
    search = memory._engine._service._search
    with monkeypatch.context() as patched:
        patched.setattr(os, "getpid", lambda: -1)
        search.close()

    assert search._follower is not None
    search.close()
    assert search._follower is None

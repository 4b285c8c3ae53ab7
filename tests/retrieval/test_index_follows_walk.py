"""Random conversations: after every step an index that follows finds what one that was made anew finds."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme.model.retrieval import Retrieval, RetrieveRequest
from prme.retrieval import TextSearch, follow
from prme.retrieval.index_file import IndexFile
from prme.retrieval.index_rows import NODE_COLUMNS
from prme.store import database
from prme.store.database import Database
from prme.store.recent_commits import MOST_CHARACTERS, RecentCommits
from tests.engine.random_messages import OWNERS
from tests.reading.test_assertion_cache_walk import Conversation, Step, steps

REQUESTS = [
    RetrieveRequest(query=query, user_id=owner, include_superseded=everything, limit=100)
    for owner in OWNERS
    for query, everything in (("what I use", False), ("note insulin pump", True), ("Ines", True))
]


def search_in_memory(database: Database) -> TextSearch:
    """Return a search of an open store with an index of its own."""
    search = TextSearch(database)
    search._file = IndexFile(None)
    return search


class Searching:
    """The searches of an open store: one that is asked after every step, and one that falls behind."""

    def __init__(self, conversation: Conversation) -> None:
        service = conversation.memory._engine._service
        self.memory = conversation.memory
        self.database: Database = service._database
        self.prompt: TextSearch = service._search
        self.late = search_in_memory(self.database)

    def compare(self, *, also_late: bool) -> None:
        """Ask the indexes that follow, and one that is made now."""
        made_anew = search_in_memory(self.database)
        followers = [self.prompt, self.late] if also_late else [self.prompt]
        for request in REQUESTS:
            expected = seen(made_anew.retrieve(request))
            assert [seen(follower.retrieve(request)) for follower in followers] == [expected] * len(followers)
        expected_rows = rows(made_anew)
        assert [rows(follower) for follower in followers] == [expected_rows] * len(followers)
        made_anew.close()


def rows(search: TextSearch) -> list[tuple[object, ...]]:
    """Return the rows of an index in their order, what no search finds included."""
    connection, _ = search._opened()
    ordered = connection.execute(f"select {', '.join(NODE_COLUMNS)} from nodes order by owner_key, rowid").fetchall()
    return [(*row[1:-1],) for row in ordered]


def seen(found: Retrieval) -> tuple[object, ...]:
    return list(found), found.excluded


def counting(monkeypatch: pytest.MonkeyPatch, name: str) -> list[object]:
    """Return the list that gets an item whenever a function of the follower brings changes from now on."""
    brought: list[object] = []
    function: Callable[..., object] = getattr(follow, name)

    def counted(*arguments: object) -> object:
        changes = function(*arguments)
        brought.extend([] if changes is None else [changes])
        return changes

    monkeypatch.setattr(follow, name, counted)
    return brought


@pytest.mark.slow
@pytest.mark.parametrize("most_characters", [MOST_CHARACTERS, 15_000, 0], ids=["all", "few", "none"])
def test_an_index_that_follows_finds_what_one_made_anew_finds(most_characters: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "RecentCommits", partial(RecentCommits, most_characters=most_characters))
    remembered, read = counting(monkeypatch, "recent_node_changes"), counting(monkeypatch, "read_node_changes")

    @settings(max_examples=5, suppress_health_check=list(HealthCheck))
    @given(taken=st.lists(steps, min_size=10, max_size=16))
    def converse(taken: list[Step]) -> None:
        with tempfile.TemporaryDirectory(prefix="prme-searches-") as directory:
            conversation = Conversation(Path(directory))
            searching = Searching(conversation)
            try:
                for number, step in enumerate(taken, 1):
                    conversation.take(step)
                    if searching.memory is not conversation.memory:
                        searching = Searching(conversation)
                    searching.compare(also_late=number % 4 == 0 or number == len(taken))
            finally:
                conversation.memory.close()

    converse()
    assert bool(remembered) == (most_characters > 0)
    assert bool(read) == (most_characters < MOST_CHARACTERS)

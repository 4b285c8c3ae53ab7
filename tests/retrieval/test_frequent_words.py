"""Words that very many rows have: they add to scores, and rows with nothing else are looked at newest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from prme import MemoryClient, NodeType
from prme.model.retrieval import RetrieveRequest
from prme.retrieval import TextSearch
from prme.retrieval.ranking import Bounds, Ranking
from tests.retrieval.talking import objects, say, seen

CLAIMS: dict[str, Any] = {"user_id": "sam", "exclude_node_types": ["NOTE"]}
Narrow = Callable[..., None]


@pytest.fixture
def narrow(memory: MemoryClient) -> Narrow:
    """Return a function that gives the memory other bounds."""
    service = memory._engine._service

    def replace(**bounds: int) -> None:
        service._search.close()
        service._search = TextSearch(service._database, bounds=Bounds(**bounds))

    return replace


def test_in_a_small_memory_the_bounds_change_nothing(memory: MemoryClient, narrow: Narrow):
    say(memory, *(f"I use {thing} {number}." for number, thing in enumerate(("tea", "milk", "tea and milk", "soap"))))
    queries = ("use tea", "tea milk", "use", "milk 2 tea")
    exact = [seen(memory.retrieve(query, user_id="sam")) for query in queries]
    narrow(rare=100, together=400)

    assert exact == [seen(memory.retrieve(query, user_id="sam")) for query in queries]


def roasts(memory: MemoryClient) -> list[tuple[Any, ...]]:
    """Store one claim with a frequent and a rare word, one with the rare word only; return the exact ranking."""
    say(memory, "I use tea with roast chestnut.", "I use dark roast.", *(f"I use tea {n}." for n in range(20)))
    say(memory, *(f"I like soap {n}." for n in range(60)))  # else most rows had "tea", and it would weigh nothing
    exact = memory.retrieve("tea roast", limit=2, **CLAIMS)
    assert objects(exact) == ["tea with roast chestnut", "dark roast"]
    return seen(exact)


def test_a_rare_word_decides_and_a_frequent_one_adds(memory: MemoryClient, narrow: Narrow):
    exact = roasts(memory)
    narrow(rare=6, together=6)

    assert seen(memory.retrieve("tea roast", limit=2, **CLAIMS)) == exact


def test_a_word_that_is_too_frequent_adds_nothing(memory: MemoryClient, narrow: Narrow):
    roasts(memory)
    narrow(rare=6, together=6, frequent=6)

    assert objects(memory.retrieve("tea roast", limit=2, **CLAIMS)) == ["dark roast", "tea with roast chestnut"]


def test_frequent_words_fill_what_rare_ones_leave(memory: MemoryClient, narrow: Narrow):
    say(memory, "I use dark roast.", *(f"I use tea {n}." for n in range(20)))
    narrow(rare=6, together=6, newest=5)

    assert len(memory.retrieve("tea roast", limit=1, **CLAIMS)) == 1
    assert {"dark roast", "tea 19"} <= set(objects(memory.retrieve("tea roast", limit=6, **CLAIMS)))


def test_frequent_words_alone_find_the_newest_rows(memory: MemoryClient, narrow: Narrow):
    say(memory, *(f"I use tea {n}." for n in range(20)))
    narrow(rare=6, together=6, newest=5)

    assert objects(memory.retrieve("tea", limit=5, **CLAIMS)) == [f"tea {n}" for n in (19, 18, 17, 16, 15)]


def test_current_rows_are_found_however_many_retired_ones_are_newer(memory: MemoryClient, narrow: Narrow):
    say(memory, *(f"I use tea cup {n}." for n in ("one", "two", "three")))
    for number in range(12):
        say(memory, f"I like tea pot {number}.", f"I don't like tea pot {number} anymore.")
    denials = [node.id for node in memory.claims(user_id="sam") if node.polarity == "negative"]
    (rest,) = say(memory, "I use soap.")
    for denial in denials:
        memory.supersede(denial, rest)
    narrow(rare=6, together=6, newest=3)

    found = memory.retrieve("tea", limit=3, **CLAIMS)

    assert sorted(objects(found)) == ["tea cup one", "tea cup three", "tea cup two"]


@pytest.mark.parametrize("bounds", [{"rare": 6, "together": 6}, {"rare": 100, "together": 400}])
def test_a_row_is_left_out_once_whatever_words_it_has(memory: MemoryClient, narrow: Narrow, bounds: dict[str, int]):
    say(memory, "I use roast tea.", "I don't use roast tea anymore.", *(f"I like tea {n}." for n in range(20)))
    narrow(**bounds)

    assert memory.retrieve("tea roast", limit=100, **CLAIMS).excluded["superseded"] == 1


FILTERS: tuple[dict[str, Any], ...] = (
    {},
    {"exclude_node_types": frozenset({NodeType.NOTE})},
    {"include_superseded": True},
    {"source_types": frozenset()},
)
TIGHT = (Bounds(rare=6, together=6, frequent=9, newest=4), Bounds(rare=3, together=9, frequent=12, added=1, newest=30))


def asked(search: TextSearch, query: str) -> list[tuple[Any, ...]]:
    """Return what a search finds and leaves out, with each of the filters."""
    found = [search.retrieve(RetrieveRequest(query=query, user_id="sam", limit=9, **filters)) for filters in FILTERS]
    return [(*seen(answer), sorted(answer.excluded.items())) for answer in found]


def talk_of_tea(number: int) -> list[str]:
    """Return the next sentences of an owner who gives tea up, now and then."""
    if number % 4 == 3:
        return [f"I don't use tea cup {number - 1} anymore."]
    return [f"I use tea cup {number}.", f"I like soap {number} with roast."]


@pytest.mark.parametrize("bounds", TIGHT, ids=repr)
def test_what_is_remembered_of_frequent_words_changes_no_answer(memory: MemoryClient, bounds: Bounds):
    database = memory._engine._service._database
    remembering = TextSearch(database, bounds=bounds)
    for number in range(16):
        say(memory, *talk_of_tea(number))
        for query in ("tea", "use tea cup 2", "roast tea 5", "tea soap roast cup"):
            forgetful = TextSearch(database, bounds=bounds)
            assert asked(forgetful, query) == asked(remembering, query)
            forgetful.close()
    remembering.close()


@pytest.mark.parametrize("bounds", TIGHT, ids=repr)
def test_where_all_newest_rows_are_eligible_none_was_left_out(
    memory: MemoryClient, monkeypatch: pytest.MonkeyPatch, bounds: Bounds
):
    search = TextSearch(memory._engine._service._database, bounds=bounds)
    for number in range(16):
        say(memory, *talk_of_tea(number))
        for query in ("tea", "use tea cup 2", "roast tea 5", "tea soap roast cup"):
            found = asked(search, query)
            with monkeypatch.context() as patched:
                patched.setattr(Ranking, "_are_all_eligible", lambda *arguments: False)  # then they are counted
                assert found == asked(search, query)
    search.close()


@pytest.mark.parametrize("bounds", [Bounds(), *TIGHT], ids=repr)
def test_a_word_that_no_row_has_changes_no_score(memory: MemoryClient, bounds: Bounds):
    search = TextSearch(memory._engine._service._database, bounds=bounds)
    say(memory, *(sentence for number in range(12) for sentence in talk_of_tea(number)))

    for query in ("tea", "use tea cup 2", "roast tea 5", "tea soap roast cup"):
        assert asked(search, query) == asked(search, f"harmonium {query} ukulele")
    search.close()


def test_a_rebuilt_index_gives_the_same_newest_rows(memory: MemoryClient, narrow: Narrow):
    for number in range(12):
        say(memory, f"I use tea {number}.")
        say(memory, f"I use tea {number}.", user_id="ann")
        memory.retrieve("tea", user_id="sam")
    narrow(rare=6, together=6, newest=3)
    grown = seen(memory.retrieve("tea", limit=3, **CLAIMS))
    memory.rebuild_index()

    assert seen(memory.retrieve("tea", limit=3, **CLAIMS)) == grown

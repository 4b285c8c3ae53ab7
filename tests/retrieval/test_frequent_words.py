"""Words that very many rows have: they add to scores, and rows with nothing else are looked at newest first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from prme import MemoryClient
from prme.retrieval import TextSearch
from prme.retrieval.ranking import Bounds
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


def test_a_rebuilt_index_gives_the_same_newest_rows(memory: MemoryClient, narrow: Narrow):
    for number in range(12):
        say(memory, f"I use tea {number}.")
        say(memory, f"I use tea {number}.", user_id="ann")
        memory.retrieve("tea", user_id="sam")
    narrow(rare=6, together=6, newest=3)
    grown = seen(memory.retrieve("tea", limit=3, **CLAIMS))
    memory.rebuild_index()

    assert seen(memory.retrieve("tea", limit=3, **CLAIMS)) == grown

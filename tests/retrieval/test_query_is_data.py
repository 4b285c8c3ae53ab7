"""A query is data: nothing in it is syntax, and nothing in it is an error."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from tests.retrieval.talking import client, contents, objects, say

SYNTAX = st.sampled_from(
    ['"', "'", "*", "^", ":", "(", ")", "{", "}", "-", "+", " AND ", " OR ", " NOT ", "NEAR(", "\x00"]
)


@pytest.fixture(scope="module")
def shared() -> Iterator[MemoryClient]:
    with client() as memory:
        say(memory, "I use tea.", "I use near and not or.", "I like column claim.")
        yield memory


@settings(max_examples=200)
@given(query=st.lists(st.text(max_size=6) | SYNTAX, max_size=12).map("".join))
def test_any_text_is_a_query(shared: MemoryClient, query: str):
    found = shared.retrieve(query, user_id="sam", include_superseded=True)

    assert [hit.rank for hit in found] == list(range(1, len(found) + 1))


@pytest.mark.parametrize(
    "query", ["\ud800 tea \udfff", "tea\x00", '"tea', "tea*", "^tea", "tea)", "NEAR(tea", "tea AND", "x:tea"]
)
def test_a_word_is_found_beside_whatever_stands_around_it(shared: MemoryClient, query: str):
    assert "tea" in objects(shared.retrieve(query, user_id="sam"))


@pytest.mark.parametrize("query", ["te*", "tea NOT use", "claim : tea -use"])
def test_operators_do_nothing(shared: MemoryClient, query: str):
    plain = query.replace("*", "").replace("NOT", "not").replace(":", " ").replace("-", " ")

    assert contents(shared.retrieve(query, user_id="sam")) == contents(shared.retrieve(plain, user_id="sam"))


@pytest.mark.parametrize(
    "query", ["x" * 100_000, "tea " * 25_000, "é" * 100_000, "日" * 100_000, "a-" * 50_000, "(" * 100_000]
)
def test_a_query_of_any_length_is_answered(shared: MemoryClient, query: str):
    found = shared.retrieve(query, user_id="sam")

    assert ("tea" in objects(found)) == query.startswith("tea")


@pytest.mark.parametrize("query", ["", "   ", "?", '"*', "\x00"])
def test_a_query_without_a_word_finds_nothing(shared: MemoryClient, query: str):
    found = shared.retrieve(query, user_id="sam")

    assert (list(found), found.excluded) == ([], {})

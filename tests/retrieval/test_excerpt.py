"""Excerpts are bounded, hold what was sought, and are pieces of the text as it is."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.retrieval.excerpt import ELLIPSIS, LONGEST_EXCERPT, excerpt
from prme.retrieval.query_terms import terms_of

FILLER = "nothing of note happened on that day and "


def cut(content: str, query: str) -> str:
    return excerpt(content, terms_of(query))


@pytest.mark.parametrize("content", ["I use tea.", "x" * LONGEST_EXCERPT])
def test_a_short_text_is_its_own_excerpt(content: str):
    assert cut(content, "tea") == content


@pytest.mark.parametrize("before", [0, 1, 5, 30])
@pytest.mark.parametrize("after", [9, 30])
def test_the_sought_word_is_in_the_excerpt(before: int, after: int):
    content = FILLER * before + "my medications were changed " + FILLER * after

    assert "medications" in cut(content, "medication")


def test_the_excerpt_is_where_most_of_the_words_are():
    content = "tea " + FILLER * 20 + "green tea and milk " + FILLER * 20

    assert "green tea and milk" in cut(content, "tea milk green")


def test_words_are_not_cut_and_cuts_are_marked():
    found = cut(FILLER * 20 + "tea " + FILLER * 20, "tea")
    words = set(found.strip(ELLIPSIS).split())

    assert (found[0], found[-1]) == (ELLIPSIS, ELLIPSIS)
    assert words <= {*FILLER.split(), "tea"}


def test_the_beginning_and_the_end_of_a_text_are_not_marked():
    assert not cut("tea " + FILLER * 20, "tea").startswith(ELLIPSIS)
    assert not cut(FILLER * 20 + "tea", "tea").endswith(ELLIPSIS)


def test_a_text_without_blanks_is_cut_around_the_word():
    found = cut("あ" * 1000 + "東京都" + "い" * 1000, "東京都")

    assert "東京都" in found
    assert len(found) <= LONGEST_EXCERPT


@given(
    st.text(alphabet=st.sampled_from("ab é\u0301\u200d👩💻🏽日\n"), min_size=300, max_size=900),
    st.sampled_from(["a", "日", "💻", "zz"]),
)
def test_an_excerpt_is_a_bounded_piece_of_the_text(content: str, query: str):
    found = cut(content, query)
    piece = found.removeprefix(ELLIPSIS).removesuffix(ELLIPSIS)

    assert len(found) <= LONGEST_EXCERPT
    assert piece in content


def test_no_mark_is_parted_from_its_letter():
    found = cut("x" + "e\u0301" * 500 + "zz" + "e\u0301" * 500, "zz").strip(ELLIPSIS)

    assert "zz" not in found or not unicodedata.combining(found[0])
    assert unicodedata.combining(found[-1])

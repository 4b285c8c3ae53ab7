"""What stands right beside an occurrence decides whether it is a mention."""

from __future__ import annotations

import pytest

from prme.grounding.folded_text import fold_content
from prme.text_folding import fold_text
from tests.grounding.cut import mentioned


@pytest.mark.parametrize(
    ("content", "term", "found"),
    [
        # Each line of a pair differs from its control in the one thing that decides.
        ("aFigma", "Figma", []),
        ("a Figma", "Figma", ["Figma"]),
        ("It is 20\u2103 here", "C", []),
        ("It is 20 C here", "C", ["C"]),
        ("Tools:\n-Figma", "Figma", ["Figma"]),
        ("Tools:\npro-Figma", "Figma", []),
        ("-I use it", "I", ["I"]),
        ("wi-i use it", "I", []),
        ("Mr O'Brien left", "Brien", []),
        ("Mr 'Brien left", "Brien", ["Brien"]),
        ("I don't know", "don", []),
        ("I, Don, know", "don", ["Don"]),
        ("x\u0302y", "y", []),
        ("x\u0302 y", "y", ["y"]),
        ("का\u092e", "\u092e", []),
        ("का \u092e", "\u092e", ["\u092e"]),
        ("a\u20ddb", "b", []),
        ("a\u20dd b", "b", ["b"]),
    ],
)
def test_the_neighbour_of_an_occurrence_decides(content: str, term: str, found: list[str]) -> None:
    assert mentioned(content, term) == found


@pytest.mark.parametrize("content", ["買T恤XL", "買T恤'XL'", "買T恤。"])
def test_a_term_that_ends_without_blanks_needs_none_after_it(content: str) -> None:
    assert mentioned(content, "T恤") == ["T恤"]
    assert mentioned(content.replace("T", "XT"), "T恤") == []


def test_an_occurrence_may_begin_inside_one_that_is_no_mention() -> None:
    assert mentioned("The piano no no, it said", "no no") == ["no no"]
    assert mentioned("word+++", "++") == ["++"]


def test_a_long_run_of_marks_folds_like_the_whole_text() -> None:
    # The last sign acts on the one before it without being a mark that is sorted.
    content = "क" + "\u0301\u0300" * 40 + "\u0903 x"

    assert fold_content(content).text == fold_text(content)


def test_a_sign_and_the_ring_around_it_are_one() -> None:
    assert list(fold_content("a\u20dd b").starts) == [0, 0, 2, 3]
    assert list(fold_content("ao b").starts) == [0, 1, 2, 3]

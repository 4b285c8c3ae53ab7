"""Where sentences and paragraphs begin and end."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from syntok import segmenter
from syntok._segmentation_states import State
from syntok.tokenizer import Tokenizer

from prme.grounding.sentences import _MAY_END_A_SENTENCE, split_paragraphs, split_sentences


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in split_sentences(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Do I use Figma? I use Figma.", ["Do I use Figma?", "I use Figma."]),
        ("I use Figma and it works.", ["I use Figma and it works."]),
        ("I saw Dr. Smith today.", ["I saw Dr. Smith today."]),
        ("It costs 3.50 dollars. Fine!", ["It costs 3.50 dollars.", "Fine!"]),
        ("  One.  Two.  ", ["One.", "Two."]),
        ("", []),
        (" \n\t ", []),
    ],
)
def test_a_line_splits_where_its_sentences_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\r", "\u2028", "\x0b", "\n \n"])
def test_a_line_break_ends_a_sentence(line_break: str) -> None:
    assert sentences(f"I use{line_break}Figma") == ["I use", "Figma"]


@given(st.text())
def test_nothing_but_white_space_lies_between_sentences(text: str) -> None:
    covered = 0
    for start, end in split_sentences(text):
        assert covered <= start < end
        assert not text[covered:start].strip()
        assert text[start:end] == text[start:end].strip()
        covered = end

    assert not text[covered:].strip()


words = (
    "I use", "I use Figma. ", "A", "Dr", "1", "IV", "May", "no",
    "B12", "e", "\u4f60", "\u0153", "\U0001f980", "\u0301", " ", "  ", "\t", "\xa0",
)  # fmt: skip
signs = "()[]'\"\u201d\u300c,:-\u2014*#\u037e\u061f\xbf\u2022>/@&.!?;\u2026"
pieces = st.sampled_from([*words, *signs])


@given(st.lists(pieces, max_size=14).map("".join))
@example("I use Figma (and Penpot")
@example("I use (")
@example("I use Figma. I use Penpot")
@example("I use no. B12 either. Also no. The dose")
@example("I saw Prof. Poe. I use Figma. e. g. this")
@example("(I use Figma. I use Penpot.)")
@example("I use Figma. Then\u200bno. Also")
def test_a_line_is_split_where_syntok_splits_it_whatever_was_decided_without_asking(line: str) -> None:
    tokens = Tokenizer(replace_not_contraction=False).tokenize(line.strip())
    heads = [sentence[0].offset for sentence in segmenter.segment(tokens)]
    bounds = [0, *heads[1:], len(line.strip())]

    assert sentences(line) == [part for first, last in pairwise(bounds) if (part := line.strip()[first:last].strip())]


def test_every_mark_that_may_end_a_sentence_for_syntok_is_looked_for() -> None:
    marks = State.opening_brackets | {mark for terminal in State.terminals for mark in terminal}

    assert {mark for mark in marks if not _MAY_END_A_SENTENCE.match(mark)} == set()


def test_the_place_of_a_sentence_does_not_change_how_it_is_split() -> None:
    line = "I use Figma. You do not, Mr. Poe."

    assert sentences(f"{line}\n" * 50) == sentences(line) * 50


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", ["a\nb"]),
        ("a\n\nb", ["a", "b"]),
        ("a\n \t\n\nb\nc\n", ["a", "b\nc"]),
        ("\n\n a \n", ["a"]),
        ("", []),
    ],
)
def test_blank_lines_separate_paragraphs(text: str, expected: list[str]) -> None:
    assert [text[start:end] for start, end in split_paragraphs(text)] == expected

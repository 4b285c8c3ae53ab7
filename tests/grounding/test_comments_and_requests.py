"""A comment on the speaking, a request or a polite phrase says nothing about the claim beside it."""

from __future__ import annotations

import re

import pytest

from prme.grounding.phrases import phrase_pattern


@pytest.mark.parametrize(
    "content",
    [
        "If you must know, I use Figma",
        "If you must know, I use Figma…",
        '"If you must know", I use Figma.',
        'If you must know, I use "Figma"',
        "I use Figma, if you ask me.",
        "I use Figma (if you ask me).",
    ],
)
def test_a_comment_between_marks_is_no_condition(content: str, outcome) -> None:
    assert outcome(content) == "asserted"


@pytest.mark.parametrize("content", ["I use Figma if you ask me.", "If you ask me to draw, I use Figma"])
def test_a_comment_without_a_mark_on_each_side_is_a_condition(content: str, outcome) -> None:
    assert outcome(content) == "conditional"


@pytest.mark.parametrize("following", ["If you must know, it works.", "But if you must know, it works."])
def test_a_comment_that_follows_is_no_part_of_the_content(following: str, ground_one) -> None:
    assert ground_one(f"Nadia uses Figma. {following}", subject="Nadia").content == "Nadia uses Figma."


@pytest.mark.parametrize("following", ["If you must know it, ask.", "But if it rains, she draws."])
def test_a_condition_that_follows_is_part_of_the_content(following: str, ground_one) -> None:
    content = f"Nadia uses Figma. {following}"

    assert ground_one(content, subject="Nadia", condition=following).content == content


def test_a_comment_or_set_phrase_leaves_the_verbs_beside_it(outcome) -> None:
    assert outcome("Bo says I use Figma, if you must know.") == "report"
    assert outcome("Bo knows I use Figma, if you must know.") == "asserted"
    assert outcome("Bo says, needless to say, I use Figma.") == "report"
    assert outcome("Bo knows, needless to say, I use Figma.") == "asserted"
    assert outcome("That said, Bo says I use Figma.") == "report"
    assert outcome("That said, Bo knows I use Figma.") == "asserted"


def test_a_set_phrase_needs_no_blank_after_its_comma(outcome) -> None:
    assert outcome("That said,I use Figma.") == "asserted"
    assert outcome("Bo said,I use Figma.") == "report"


def test_a_polite_phrase_leaves_the_doubt_beside_it(outcome) -> None:
    assert outcome("I might use Figma, let me know.") == "hypothetical modal"
    assert outcome("I do use Figma, let me know.") == "asserted"
    assert outcome("I will no doubt use Figma.") == "hypothetical intention"
    assert outcome("I no doubt use Figma.") == "asserted"


def test_a_phrase_of_the_lists_is_found_as_whole_words(outcome) -> None:
    assert outcome("I could usually use Figma.") == "hypothetical modal"
    assert outcome("I am hopeful and use Figma.") == "asserted"
    assert outcome("The mayor and I use Figma.") == "asserted"
    assert outcome("It's a lie that I use Figma.") == "hypothetical modal"
    assert outcome("It's a fact that I use Figma.") == "asserted"


def test_a_list_of_endings_is_found_behind_a_word() -> None:
    endings = re.compile(phrase_pattern(("'ll",)))

    assert [match.span() for match in endings.finditer("'ll i'll go")] == [(5, 8)]

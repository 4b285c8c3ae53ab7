"""Where the words stand that a decision rests on."""

from __future__ import annotations

from typing import Any

import pytest

from prme.grounding.named_words import find_named
from prme.model.claim import Span
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14


def named(content: str, own: str, text: str, **options: Any) -> tuple[int, str] | None:
    """Return the place and the words that `text` names, seen from the claim whose own sentences are `own`."""
    start = content.rindex(own)
    sentences = Span(start=start, end=start + len(own))
    span = find_named(content, sentences, text, words=SPEECH_ACT_WORDS_V14, **{"quote": None, **options})
    return None if span is None else (span.start, content[span.start : span.end])


def test_the_words_are_sought_in_the_own_sentences_first() -> None:
    content = "Sketch is old. I left Sketch. Sketch is slow."

    assert named(content, "I left Sketch.", "sketch") == (22, "Sketch")
    assert named(content, "I left Sketch", "sketch") == (22, "Sketch")
    assert named(content, "Sketch is slow.", "sketch") == (30, "Sketch")
    assert named(content, "Sketch is old.", "sketch") == (0, "Sketch")


def test_words_outside_the_own_sentences_are_the_first_of_the_message() -> None:
    content = "Sketch is old. Yes. Sketch is slow. I left it."

    assert named(content, "I left it.", "Sketch") == (0, "Sketch")
    assert named(content, "I left it.", "Penpot") is None


def test_a_quote_limits_the_search_to_its_paragraph() -> None:
    content = "Sketch is old.\n\nI left it. Sketch is slow."

    assert named(content, "I left it.", "Sketch", quote="I left it.") == (27, "Sketch")
    assert named(content, "I left it.", "Sketch") == (0, "Sketch")
    assert named("Sketch is old.\n\nI left it.", "I left it.", "Sketch", quote="I left it.") is None


def test_a_quote_that_is_not_there_leaves_nothing_to_search() -> None:
    assert named("Sketch is old. I left it.", "I left it.", "Sketch", quote="I kept it.") is None
    assert named("Sketch is old. I left it.", "I left it.", "Sketch", quote="I left it.") == (0, "Sketch")


def test_words_that_only_begin_in_the_own_sentences_are_not_in_them() -> None:
    content = "New York is big. I left New\nYork."

    assert named(content, "I left New", "New York") == (0, "New York")
    assert named(content, "I left New\nYork.", "New York") == (24, "New\nYork")


@pytest.mark.parametrize("text", ["", " \n"])
@pytest.mark.parametrize("whole_words", [True, False])
def test_blank_words_stand_nowhere(text: str, whole_words: bool) -> None:
    assert named("I left it.", "I left it.", text, whole_words=whole_words) is None


def test_a_mention_is_whole_words_and_a_condition_any_run() -> None:
    content = "It rains at works. I left at work."

    assert named(content, "It rains at works.", "at work") == (26, "at work")
    assert named(content, "It rains at works.", "at work", whole_words=False) == (9, "at work")


def test_a_run_may_overlap_one_outside_the_own_sentences() -> None:
    assert named("Aaab", "aab", "aa", whole_words=False) == (1, "aa")
    assert named("Aaab", "ab", "aa", whole_words=False) == (0, "Aa")


def test_a_run_in_the_own_sentences_wins_over_those_around_it() -> None:
    content = "It rains. If it rains, I walk. It rains."

    assert named(content, "If it rains, I walk.", "it rains", whole_words=False) == (13, "it rains")


def test_the_span_slices_the_stored_content() -> None:
    content = "\u2026  I left  “STRA\u00dfE”\u00a0now if  it\nrains."

    assert named(content, content.strip(), "'strasse'") == (11, "“STRA\u00dfE”")
    assert named(content, content.strip(), "IF IT RAINS", whole_words=False) == (24, "if  it\nrains")

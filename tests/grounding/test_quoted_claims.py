"""A claim inside one pair of quotation marks is somebody's words, not a statement."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(("opening", "closing"), ['""', "“”", "\u2018\u2019", "''", "«»", "„“", "»«"])
def test_subject_and_object_inside_one_pair_of_marks_are_a_quotation(opening: str, closing: str, outcome) -> None:
    assert outcome(f"Bo: {opening}I use Figma{closing} again.") == "quotation"
    assert outcome(f"Bo: I use {opening}Figma{closing} again.") == "asserted"
    assert outcome(f"Bo: {opening}I{closing} use {opening}Figma{closing} again.") == "asserted"


def test_a_quotation_may_run_over_several_sentences(outcome) -> None:
    assert outcome("Bo: “Hello. I use Figma. It is good.”") == "quotation"
    assert outcome("Bo: “Hello.” I use Figma. “It is good.”") == "asserted"


def test_a_mention_of_the_speaker_outside_does_not_free_the_quotation(outcome) -> None:
    assert outcome("To me: “I use Figma”.") == "quotation"
    assert outcome("To me: “I use Figma”, and I do use Figma.") == "asserted"


def test_apostrophes_quote_nothing(outcome) -> None:
    assert outcome("It's clear I use Figma, isn't it.") == "asserted"
    assert outcome("It\u2019s clear I use Figma, isn\u2019t it.") == "asserted"


def test_a_first_person_word_inside_a_title_is_no_subject(outcome) -> None:
    assert outcome('I like "I, Robot" a lot.', predicate="likes", object="I, Robot") == "asserted"
    assert outcome('Bo likes "I, Robot" a lot.', predicate="likes", object="I, Robot") == "subject_not_mentioned"


def test_a_nested_quotation_counts_as_its_outer_one(outcome) -> None:
    assert outcome("Bo: “I use \u2018Figma\u2019 now”.") == "quotation"
    assert outcome("I use “the \u2018Figma\u2019 tool” now.") == "asserted"

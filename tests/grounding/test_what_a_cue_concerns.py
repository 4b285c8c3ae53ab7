"""A doubt, a wish or a question concerns the claim or something beside it."""

from __future__ import annotations

import pytest


def test_a_wish_after_the_second_mention_leaves_the_claim(outcome) -> None:
    assert outcome("Figma is good, so I use Figma and want to learn Penpot.") == "asserted"
    assert outcome("Figma is good, so I want to use Figma and learn Penpot.") == "hypothetical intention"


@pytest.mark.parametrize("content", ["It might be Figma, and I use it.", "Figma might be what I use."])
def test_a_doubt_before_or_after_the_object_concerns_a_later_subject(content: str, outcome) -> None:
    assert outcome(content) == "hypothetical modal"
    assert outcome(content.replace("might be", "is")) == "asserted"


@pytest.mark.parametrize(
    ("question", "assertion"),
    [
        ("so do i use figma", "so i do use figma"),
        ("Bo, do I use Figma", "Bo, I do use Figma"),
        ("I? Figma, of course.", "I! Figma, of course."),
        ("what now? fine. do i use figma?", "what now? fine. i do use figma!"),
    ],
)
def test_a_question_is_told_from_a_statement(question: str, assertion: str, outcome) -> None:
    assert outcome(question) == "question"
    assert outcome(assertion) == "asserted"


def test_a_determiner_may_stand_before_the_last_word_of_a_question(outcome) -> None:
    assert outcome("Who uses Figma, does my Nadia", subject="Nadia") == "question"
    assert outcome("Who uses Figma, only my Nadia", subject="Nadia") == "asserted"


def test_an_auxiliary_away_from_the_comma_asks_nothing(outcome) -> None:
    assert outcome("I use Figma, so does Nadia.", subject="Nadia") == "asserted"
    assert outcome("I use Figma, does Nadia", subject="Nadia") == "question"


def test_an_auxiliary_before_a_comma_asks_nothing(outcome) -> None:
    assert outcome("What I do is, I use Figma.") == "asserted"
    assert outcome("What do I use, Figma") == "question"


@pytest.mark.parametrize("content", ["I use Figma, do", "Figma! What I am", "I use Figma, is the"])
def test_a_message_that_breaks_off_asks_nothing(content: str, outcome) -> None:
    assert outcome(content) == "asserted"


def test_a_mention_on_both_sides_of_a_quotation_is_not_quoted(outcome) -> None:
    assert outcome("My songs “I Do” and “I Did” are on Figma.") == "asserted"
    assert outcome("Figma is what I call “my pen”.") == "asserted"
    assert outcome("The slogans are “I draw” and “I use Figma”.") == "quotation"


@pytest.mark.parametrize(
    ("content", "subject", "value"),
    [
        ("I like Word Is Bond.", "I", "Word Is Bond"),
        ("Nadia mentioned All That Jazz at work.", "Nadia", "All That Jazz"),
        ('I love "Who Framed Roger Rabbit?"', "I", "Who Framed Roger Rabbit"),
        ("I like The King and I.", "I", "The King and I"),
    ],
)
def test_a_cue_inside_a_name_is_part_of_the_name(content: str, subject: str, value: str, outcome) -> None:
    assert outcome(content, subject=subject, object=value) == "asserted"


def test_a_cue_of_which_only_a_part_is_a_name_still_counts(outcome) -> None:
    assert outcome("I like even If by Bread.", predicate="likes", object="If") == "conditional"
    assert outcome("I even like If by Bread.", predicate="likes", object="If") == "asserted"


def test_a_mark_inside_a_name_ends_no_report(outcome) -> None:
    assert outcome("bo says i use yahoo! mail.", object="Yahoo! Mail") == "report"
    assert outcome("bo says hi! i use yahoo! mail.", object="Yahoo! Mail") == "asserted"


def test_a_pronoun_at_the_end_of_a_name_is_nobody(outcome) -> None:
    assert outcome("Everybody likes The King and I.", object="The King and I") == "subject_not_mentioned"
    assert outcome("I, Bo, like The King and I.", object="The King and I") == "asserted"

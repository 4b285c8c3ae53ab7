"""A question is no claim."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "assertion"),
    [
        ("Do I use Figma?", "I do use Figma."),
        ("do i use figma", "i do use figma"),
        ("So, do I use Figma", "So, I do use Figma"),
        ("I use Figma?", "I use Figma."),
        ("I use Figma, right?", "I use Figma, right."),
        ("I use Figma\uff1f", "I use Figma。"),
        ("I use Figma؟", "I use Figma"),
        ("How long have I used Figma", "How long I have used Figma!"),
        ("What do I use, Figma", "What I use is Figma."),
        ("How many more years do I use Figma", "How I use Figma every day is nice"),
        ("What kind of a tool do I use, Figma", "What kind of a tool I use is Figma"),
        ("For how long do I use Figma", "For how I use Figma it does"),
        ("What tool do I use but Figma", "What I do use is Figma."),
        ("How come I use Figma", "Come on, I use Figma"),
        ("Guess what, I use Figma", "Well, I use Figma"),
        ("Tell me, do I use Figma", "Tell me, I do use Figma"),
        ("Bo: is what I use Figma, am I using Figma", "Bo: what I use is Figma, I am using Figma"),
        ("Can I use Figma", "I can use Figma"),
        ("Do I\nuse Figma?", "I do\nuse Figma."),
        ("Is Figma what I use?", "Figma is what I use."),
    ],
)
def test_a_question_is_no_claim(question: str, assertion: str, outcome) -> None:
    assert outcome(question) == "question"
    assert outcome(assertion) == "asserted"


@pytest.mark.parametrize(
    "question", ["Is Nadia using Figma", "Does the Nadia we know use Figma", "Has Nadia used Figma"]
)
def test_an_auxiliary_before_the_subject_asks_without_a_mark(question: str, outcome) -> None:
    assert outcome(question, subject="Nadia") == "question"


def test_words_between_auxiliary_and_subject_make_no_question(outcome) -> None:
    assert outcome("Is, as ever, Nadia using Figma", subject="Nadia") == "asserted"


def test_a_long_question_phrase_ends_at_a_break_or_subject(outcome) -> None:
    assert outcome("How many of the very old tools do I use, Figma") == "question"
    assert outcome("How many, of the very old tools, do I use, Figma") == "question"
    assert outcome("How nice that the two of you and Bo said do I! Figma") == "asserted"
    assert outcome("How Bo and Ann came so late today, from Oslo, Figma and I") == "asserted"
    assert outcome("How very late today Bo and Ann came home from Oslo with Figma did I see") == "asserted"
    assert outcome("When it rains and the bus is late am I with Figma") == "asserted"


def test_only_the_sentences_of_the_claim_decide(outcome) -> None:
    assert outcome("Do you use it? I use Figma.") == "asserted"
    assert outcome("I use Figma. Do you?") == "asserted"
    assert outcome("Do I use Figma? I use Figma.", evidence_quote="I use Figma.") == "asserted"
    assert outcome("Do I use Figma? I use Figma.") == "question"


def test_a_statement_after_a_question_in_one_unsplit_line_stands(outcome) -> None:
    assert outcome("what do you think? i use figma") == "asserted"
    assert outcome("do you know figma? i use figma") == "question"


def test_a_question_that_follows_in_the_same_line_leaves_the_statement(outcome) -> None:
    assert outcome("I use Figma, do you want it") == "asserted"
    assert outcome("Do you want it, do I use Figma") == "question"
    assert outcome("I use it, had I used Figma") == "asserted"


def test_a_run_that_draws_on_a_question_is_no_assertion(outcome) -> None:
    assert outcome("What about Nadia? Figma.", subject="Nadia") == "question"
    assert outcome("There is Nadia. Figma.", subject="Nadia") == "asserted"


def test_the_mark_of_a_title_asks_nothing(outcome) -> None:
    title = "Who Framed Roger Rabbit"

    assert outcome(f'I love "{title}?" a lot.', object=title) == "asserted"
    assert outcome(f"I love {title}? a lot.", object=f"{title}?") == "asserted"
    assert outcome(f"Do I love {title}?", object=title) == "question"
    assert outcome(f"I love {title}? Really.", object=title) == "question"


def test_the_query_of_an_address_asks_nothing(outcome) -> None:
    assert outcome("I use Figma at https://example.org/?a=1 daily.") == "asserted"
    assert outcome("I use Figma at https://example.org/ ? a") == "question"

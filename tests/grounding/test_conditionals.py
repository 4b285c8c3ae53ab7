"""A condition that the claim does not carry keeps it out."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    "condition",
    [
        "if it rains",
        "even if it rains",
        "only if it rains",
        "unless it rains",
        "provided that it rains",
        "as long as it rains",
        "assuming it rains",
        "in case it rains",
        "whether it rains or not",
    ],
)
def test_a_conditional_without_a_condition_is_no_claim(condition: str, outcome) -> None:
    assert outcome(f"I use Figma {condition}.") == "conditional"
    assert outcome(f"{condition.capitalize()}, I use Figma.") == "conditional"
    assert outcome(f"I use Figma {condition}.", condition=condition) == "asserted"
    assert outcome("I use Figma when it rains.") == "asserted"


def test_a_blank_condition_is_no_condition(outcome) -> None:
    assert outcome("I use Figma if it rains.", condition=" ") == "conditional"


def test_not_being_sure_is_a_condition(outcome) -> None:
    assert outcome("I'm not sure if I use Figma.") == "conditional"
    assert outcome("I'm sure I use Figma.") == "asserted"


@pytest.mark.parametrize("word", ["Had", "Were", "Should"])
def test_an_inverted_condition_counts(word: str, outcome) -> None:
    assert outcome(f"{word} I use Figma, all would be well.") == "conditional"
    assert outcome(f"{word} I use Figma?") == "question"


@pytest.mark.parametrize(
    "following",
    ["Only if her lead agrees.", "If not, Penpot.", "But only if asked.", "(Unless it rains.)", "\nif her lead agrees"],
)
def test_a_following_sentence_that_begins_with_a_condition_belongs_to_the_claim(following: str, outcome) -> None:
    assert outcome(f"Nadia uses Figma. {following}", subject="Nadia") == "conditional"


@pytest.mark.parametrize(
    "following",
    ["It works if you pay.", "Could you check if it is paid?", "If you must know, it works.", "\n\nIf so, call."],
)
def test_other_following_sentences_do_not_matter(following: str, outcome) -> None:
    assert outcome(f"Nadia uses Figma. {following}", subject="Nadia") == "asserted"


def test_a_following_condition_is_part_of_the_content(ground_one) -> None:
    content = "Well. Nadia uses Figma. Only if asked. Bye."
    claim = ground_one(content, subject="Nadia", condition="Only if asked")

    assert claim.content == "Nadia uses Figma. Only if asked."


def test_a_condition_left_open_by_a_line_break_still_counts(outcome) -> None:
    assert outcome("If my lead agrees,\nI use Figma.") == "conditional"
    assert outcome("If my lead agrees\nI use Figma.") == "conditional"
    assert outcome("If my lead agrees, fine.\nI use Figma.") == "asserted"
    assert outcome("If my lead agrees\n\nI use Figma.") == "asserted"


def test_an_indirect_question_concerns_only_what_follows_it(outcome) -> None:
    assert outcome("I use Figma to see if the layout works.") == "asserted"
    assert outcome("Let me see if I use Figma.") == "conditional"
    assert outcome("I use Figma, let me know if you need access.") == "asserted"
    assert outcome("Let me know if I use Figma wrong.") == "conditional"


def test_a_comment_on_the_speaking_counts_only_between_marks(outcome) -> None:
    assert outcome("If you must know, I use Figma.") == "asserted"
    assert outcome("I use Figma, in case you were wondering.") == "asserted"
    assert outcome("I use Figma if you must know it.") == "conditional"
    assert outcome("If you ask me to draw, I use Figma.") == "conditional"
    assert outcome('Yes "if you ask me" I use Figma.') == "conditional"


@pytest.mark.parametrize("idiom", ["as if it were free", "if only it were free", "what if it were free"])
def test_an_idiom_of_supposing_counts_as_a_condition(idiom: str, outcome) -> None:
    assert outcome(f"I use Figma {idiom}.") == "conditional"


def test_words_that_only_look_like_a_condition_do_not_count(outcome) -> None:
    assert outcome("I use Figma, no ifs and buts.") == "asserted"
    assert outcome("I use Figma in that case.") == "asserted"
    assert outcome("I like If by Bread.", object="If", predicate="likes") == "asserted"
    assert outcome("I use Figma at https://example.org/if/so now.") == "asserted"

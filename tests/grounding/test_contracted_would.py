"""A "would" behind an apostrophe leaves a hypothesis; a "had" there tells what happened."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("would", "had"),
    [
        ("I'd use Figma.", "I'd used Figma."),
        ("I\u2019d use Figma.", "I\u2019d used Figma."),
        ("I'd never use Figma.", "I'd never used Figma."),
        ("I'd already use Figma.", "I'd already used Figma."),
        ("I'd gladly use Figma.", "I'd gladly used Figma."),
        ("I'd have Figma.", "I'd had Figma."),
        ("I'd be in Figma.", "I'd been in Figma."),
        ("I'd take Figma.", "I'd taken Figma."),
        ("I'd need Figma.", "I'd needed Figma."),
        ("We'd use my Figma.", "We'd used my Figma."),
        ("Who'd use my Figma!", "Who'd used my Figma!"),
        ("In Oslo I'd choose Figma.", "In Oslo I'd chosen Figma."),
        ("I'd use a choice: Figma.", "I'd a choice: Figma."),
    ],
)
def test_a_contracted_would_is_told_from_a_had_by_the_form_of_the_verb(would: str, had: str, outcome) -> None:
    assert outcome(would) == "hypothetical modal"
    assert outcome(had) == "asserted"


@pytest.mark.parametrize("form", ["put", "quit", "set"])
def test_a_form_that_is_base_and_participle_at_once_is_read_as_a_plan(form: str, outcome) -> None:
    assert outcome(f"I'd {form} Figma aside.") == "hypothetical modal"
    assert outcome(f"I had {form} Figma aside.") == "asserted"


def test_would_have_is_a_would(outcome) -> None:
    assert outcome("I'd have used Figma.") == "hypothetical modal"
    assert outcome("I'd've used Figma.") == "hypothetical modal"
    assert outcome("I've used Figma.") == "asserted"


def test_a_name_may_carry_the_contraction(outcome) -> None:
    assert outcome("Nadia'd use Figma.", subject="Nadia") == "hypothetical modal"
    assert outcome("Nadia'd used Figma.", subject="Nadia") == "asserted"


def test_an_apostrophe_d_that_makes_a_verb_is_no_would(outcome) -> None:
    assert outcome("I OK'd Figma.") == "asserted"
    assert outcome("I'd OK Figma.") == "hypothetical modal"


def test_a_contraction_at_the_end_says_nothing_of_what_would_be(outcome) -> None:
    assert outcome("Figma is all I'd") == "asserted"
    assert outcome("Figma is all I'd use") == "hypothetical modal"


@pytest.mark.parametrize("advice", ["I'd better use Figma.", "I had better use Figma.", "I'd best use Figma."])
def test_good_advice_to_oneself_is_no_deed(advice: str, outcome) -> None:
    assert outcome(advice) == "hypothetical modal"
    assert outcome("I'd got better, I use Figma.") == "asserted"


def test_a_contracted_would_concerns_only_what_follows_it(outcome) -> None:
    assert outcome("I use Figma and I'd recommend it.") == "asserted"
    assert outcome("I'd rest now, so I use Figma.") == "asserted"
    assert outcome("I'd say I use Figma.") == "asserted"
    assert outcome("I'd hold that I use Figma.") == "hypothetical modal"


@pytest.mark.parametrize("words", ["I'd rather use Figma.", "I would rather use Figma.", "I'd sooner use Figma."])
def test_a_preference_is_asserted_only_as_a_preference(words: str, outcome) -> None:
    assert outcome(words) == "hypothetical modal"
    assert outcome(words, predicate="prefers") == "asserted"

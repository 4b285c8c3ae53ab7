"""A guess, a wish, a plan or an attempt is kept, as hypothetical."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("guess", "assertion"),
    [
        ("I might use Figma.", "I do use Figma."),
        ("I could use Figma.", "I could not care less, I use Figma."),
        ("I may use Figma.", "I use Figma in May."),
        ("Perhaps I use Figma.", "Surely I use Figma."),
        ("I use Figma, maybe.", "I use Figma, really."),
        ("I possibly use Figma.", "I certainly use Figma."),
        ("I doubt I use Figma.", "No doubt I use Figma."),
        ("I used to think I use Figma.", "I used to draw, so I use Figma."),
        ("I wish I used Figma.", "I know I used Figma."),
        ("Maybe Nadia left and I use Figma.", "Maybe Nadia left, but I use Figma."),
        ("It might be that I use Figma.", "It might rain, so I use Figma."),
        ("I MAY USE FIGMA", "I DO USE FIGMA"),
        ("I would use Figma.", "I would say I use Figma."),
        ("Figma is what I might use.", "Figma is what I do use."),
        ("I use, I might add, Figma, perhaps.", "I use, I might add, Figma."),
    ],
)
def test_a_modal_claim_is_hypothetical(guess: str, assertion: str, outcome) -> None:
    assert outcome(guess) == "hypothetical modal"
    assert outcome(assertion) == "asserted"


@pytest.mark.parametrize(
    ("intention", "assertion"),
    [
        ("I'm going to use Figma.", "I'm going to the office and use Figma."),
        ("I want to use Figma.", "I want to rest, so I use Figma."),
        ("I'd like to use Figma.", "I like to use Figma."),
        ("I'll use Figma.", "I do use Figma."),
        ("I\u2019ll use Figma.", "I\u2019ve used Figma."),
        ("I will use Figma.", "I and Will use Figma."),
        ("I am thinking of using Figma.", "I am fond of using Figma."),
        ("I plan to use Figma.", "I used to use Figma."),
        ("I'm trying to use Figma.", "I'm happy to use Figma."),
        ("I no longer want to use Figma.", "I no longer use Figma."),
        ("I'm not going to use Figma anymore.", "I'm not using Figma anymore."),
        ("Figma is what I want to use.", "Figma is what I use."),
        ("I hope I use Figma.", "I hope so, and I use Figma."),
        ("I am about to use Figma.", "I care about how to use Figma."),
    ],
)
def test_an_intention_stated_as_a_state_is_hypothetical(intention: str, assertion: str, outcome) -> None:
    assert outcome(intention) == "hypothetical intention"
    assert outcome(assertion) == "asserted"


@pytest.mark.parametrize("predicate", ["trying_to_learn", "Tries to learn", "wants_to_learn", "plans-to-learn"])
def test_a_predicate_that_keeps_the_attempt_is_asserted(predicate: str, ground_one) -> None:
    content = "I'm trying to learn Haskell."

    assert ground_one(content, predicate=predicate, object="Haskell").epistemic_type == "asserted"
    assert ground_one(content, predicate="learns", object="Haskell").epistemic_type == "hypothetical"


def test_a_guess_or_wish_concerns_only_what_follows_it(outcome) -> None:
    assert outcome("I use Figma but might switch to Penpot.") == "asserted"
    assert outcome("I use Figma but might switch to Penpot.", object="Penpot") == "hypothetical modal"
    assert outcome("I use Figma and want to learn Penpot.") == "asserted"
    assert outcome("I use Figma and want to learn Penpot.", object="Penpot") == "hypothetical intention"


def test_a_wish_for_somebody_else_is_hypothetical(outcome) -> None:
    assert outcome("I want Nadia to use Figma.", subject="Nadia") == "hypothetical intention"
    assert outcome("I made Nadia use Figma.", subject="Nadia") == "asserted"


def test_a_journey_is_no_intention(outcome) -> None:
    assert outcome("I'm going to Oslo.", predicate="travels_to", object="Oslo") == "asserted"
    assert outcome("I'm going to love Oslo.", predicate="travels_to", object="Oslo") == "hypothetical intention"


@pytest.mark.parametrize(
    ("content", "subject", "value"),
    [
        ("May uses Figma.", "May", "Figma"),
        ("Will uses Figma.", "Will", "Figma"),
        ("I like Imagine Dragons.", "I", "Imagine Dragons"),
        ("I like the might of Figma.", "I", "might of Figma"),
    ],
)
def test_a_name_is_neither_guess_nor_wish(content: str, subject: str, value: str, outcome) -> None:
    assert outcome(content, subject=subject, object=value) == "asserted"


def test_a_request_beside_the_claim_is_no_guess(outcome) -> None:
    assert outcome("I use Figma, could you please check it.") == "asserted"
    assert outcome("Could you please note, I use Figma.") == "question"


def test_a_denied_denial_is_no_denial(outcome) -> None:
    claim = {"subject": "pass", "predicate": "colour", "object": "blue", "polarity": "negative"}

    assert outcome("It's not true that my pass is no longer blue.", **claim) == "hypothetical modal"
    assert outcome("It's a pity that my pass is no longer blue.", **claim) == "asserted"


def test_a_guess_and_a_wish_are_both_recorded(outcome) -> None:
    assert outcome("Maybe I want to use Figma.") == "hypothetical modal intention"


@pytest.mark.parametrize("label", ["inferred", "hypothetical", "conditional", "unverified"])
def test_the_gate_leaves_other_labels_alone(label: str, outcome) -> None:
    for content in ("Do I use Figma?", "If it rains I use Figma.", "Bo says I use Figma.", "I might use Figma."):
        assert outcome(content, epistemic_type=label) == label


def test_the_gate_looks_at_observed_claims(outcome) -> None:
    assert outcome("I might use Figma.", epistemic_type="observed") == "hypothetical modal"
    assert outcome("I use Figma.", epistemic_type="observed") == "observed"

"""What is given up, lost, left or exchanged, each beside the nearest sentence in which nothing is over."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str | None]


def said(text: str) -> list[Said]:
    return [(c.predicate, c.object, c.polarity, c.replaces_object) for c in extract_text(text).claims]


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("My dog died last year.", "My phone died last year.", [("has", "dog", "negative", None)]),
        ("My dog died.", "My neighbour's dog died.", [("has", "dog", "negative", None)]),
        ("My dog died.", "My dog died laughing.", [("has", "dog", "negative", None)]),
        ("I sold the piano.", "I sold the idea.", [("has", "piano", "negative", None)]),
        ("I gave away my guitar.", "I gave away my sister.", [("has", "guitar", "negative", None)]),
        ("I sold my van.", "I sold my dad's van.", [("has", "van", "negative", None)]),
        ("I'm off metformin.", "I'm off metformin today.", [("takes", "metformin", "negative", None)]),
        (
            "I came off metformin last week.",
            "I came off metformin last night.",
            [("takes", "metformin", "negative", None)],
        ),
        ("I stopped metformin.", "I stopped Netflix.", [("takes", "metformin", "negative", None)]),
        ("I'm no longer on lithium.", "I'm no longer on lithium duty.", [("takes", "lithium", "negative", None)]),
        ("I'm not on lithium anymore.", "I'm not on lithium.", [("takes", "lithium", "negative", None)]),
        ("My doctor took me off insulin.", "My doctor took me off guard.", [("takes", "insulin", "negative", None)]),
        (
            "I'm no longer at Larkspur.",
            "I'm no longer at Larkspur today.",
            [("works_at", "Larkspur", "negative", None)],
        ),
        ("I retired from Larkspur.", "I retired from Larkspur practice.", [("works_at", "Larkspur", "negative", None)]),
        ("I'm no longer at Larkspur.", "I'm no longer at Boston.", [("works_at", "Larkspur", "negative", None)]),
        ("I uninstalled Notion.", "I uninstalled it.", [("uses", "Notion", "negative", None)]),
        ("I used to be a nurse.", "I'm used to being a nurse.", [("role", "nurse", "negative", None)]),
        ("I used to be vegetarian.", "I used to be tired.", [("is", "vegetarian", "negative", None)]),
        ("I used to be married to Ines.", "I used to be used to Ines.", [("married_to", "Ines", "negative", None)]),
        ("I'm not dating Ines anymore.", "I'm not dating Ines.", [("dating", "Ines", "negative", None)]),
        ("I stopped working nights.", "I stopped working today.", [("works", "nights", "negative", None)]),
        ("I don't work nights anymore.", "I don't work nights.", [("works", "nights", "negative", None)]),
    ],
)
def test_what_is_over_is_denied(text: str, control: str, expected: list[Said]) -> None:
    # What was lost was had or owned; which of the two was said is for the rules to find.
    assert expected == [found for found in said(text) if found[0] != "owns"]
    assert [] == said(control)


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        (
            "I ditched Notion for Obsidian.",
            "I ditched Notion for Obsidian last night.",
            ("uses", "Obsidian", "positive", "Notion"),
        ),
        (
            "I swapped Notion for Obsidian.",
            "I swapped seats for Obsidian.",
            ("uses", "Obsidian", "positive", "Notion"),
        ),
        (
            "I switched from metformin to Ozempic.",
            "I switched from metformin to it.",
            ("takes", "Ozempic", "positive", "metformin"),
        ),
        (
            "My doctor switched me from metformin to Ozempic.",
            "My doctor switched me from metformin to walks.",
            ("takes", "Ozempic", "positive", "metformin"),
        ),
        (
            "I live in York now instead of Leeds.",
            "I live in York now instead of Leeds in the game.",
            ("lives_in", "York", "positive", "Leeds"),
        ),
        (
            "The theme is Gruvbox instead of Nord.",
            "Is the theme Gruvbox instead of Nord?",
            ("is", "Gruvbox", "positive", "Nord"),
        ),
    ],
)
def test_what_takes_the_place_of_something_names_it(text: str, control: str, expected: Said) -> None:
    assert [expected] == [claim for claim in said(text) if claim[2] == "positive"]
    assert [] == said(control)


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("I'm on metformin.", "I'm on holiday.", ("takes", "metformin")),
        ("I started Ozempic last week.", "I started Ozempic research last week.", ("takes", "Ozempic")),
        ("I was put on lithium.", "I was put on hold.", ("takes", "lithium")),
        ("I've got a van.", "I've got a plan.", ("has", "van")),
        ("I have a Toyota.", "I have a Zoom.", ("has", "Toyota")),
        ("I drive a Skoda Fabia.", "I drive a Skoda crazy.", ("drives", "Skoda Fabia")),
        ("I work from home.", "I work from memory.", ("works", "from home")),
        ("I work in marketing.", "I work in silence.", ("works_in", "marketing")),
        ("I study at Leiden.", "I study at night.", ("studies_at", "Leiden")),
        ("I live with my parents.", "I live with my choices.", ("lives_with", "parents")),
        ("I go to the gym twice a week.", "I go to the shop twice a week.", ("goes_to", "gym")),
        ("I can't stand loud music.", "I can't stand straight.", ("dislikes", "loud music")),
        ("I'm a big fan of Arsenal.", "I'm a big fan of yours.", ("fan_of", "Arsenal")),
        ("I'm drinking coffee again.", "I'm drinking coffee.", ("drinks", "coffee")),
        ("The exam is on Friday.", "The exam is a joke.", ("on", "Friday")),
        ("The closing time is 6pm.", "The time is 6pm.", ("at", "6pm")),
        ("The class is on level 3.", "The class is on fire.", ("level", "3")),
        ("My test is on 3 May.", "My test is in 15 minutes.", ("test", "3 May")),
        ("I have red hair.", "I have wanted hair.", ("has", "red hair")),
    ],
)
def test_what_holds_is_told(text: str, control: str, expected: tuple[str, str]) -> None:
    assert [expected] == [found[:2] for found in said(text)]
    assert [] == said(control)


def test_scratching_something_names_the_former_value() -> None:
    assert [("lives_in", "Stavanger", "positive", "Bergen")] == said("Scratch that, I live in Stavanger, not Bergen.")
    assert [("lives_in", "Stavanger", "positive", None)] == said("I live in Stavanger, not Bergen.")

"""What takes the place of something: a part of it, a place, a moment and what lies at hand end nothing."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text
from prme_extractors.lexical.vocabulary import word_list


def replaced(text: str) -> list[str]:
    return [claim.replaces_object for claim in extract_text(text).claims if claim.replaces_object is not None]


@pytest.mark.parametrize("word", sorted(word_list("changes.parts_places_and_moments")))
def test_who_switched_to_a_part_a_place_or_a_moment_said_nothing(word: str) -> None:
    assert extract_text(f"I switched from Chrome to {word}.").claims == []
    assert extract_text(f"I switched from chrome to a {word}.").claims == []
    assert extract_text(f"I switched from Chrome to Emacs {word.title()}.").claims == []
    assert extract_text(f"Ann switched from Chrome to {word}.").claims == []


@pytest.mark.parametrize("page", ["page two", "Page 2", "tab 12"])
def test_a_numbered_part_is_one(page: str) -> None:
    assert extract_text(f"I switched from Excel to {page}.").claims == []


CHANGES = [
    "I switched from {old} to {new}.",
    "I changed to {new} from {old}.",
    "Ann switched from {old} to {new}.",
    "I replaced {old} with {new}.",
    "I use {new} now instead of {old}.",
    "I'm using {new} now instead of {old}.",
    "I'm back to using {new} instead of {old}.",
    "I use {new} now, not {old}.",
]


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(
    ("old", "new", "control"),
    [
        # what lies at hand
        ("Chrome", "the Mac", "Firefox"),
        ("chrome", "my phone", "firefox"),
        ("Chrome", "our iPad", "Firefox"),
        # one of many
        ("chrome", "a magnifier", "firefox"),
        ("a laptop", "the tablet", "a tablet"),
        ("spotify", "some jazz", "tidal"),
        # somebody, and what somebody does
        ("Slack", "Mom", "Teams"),
        ("slack", "teaching", "teams"),
        # no name in the place of a name
        ("Netflix", "jazz", "Hulu"),
        ("Vim", "paper", "Emacs"),
    ],
)
def test_what_may_be_used_for_once_replaces_nothing(change: str, old: str, new: str, control: str) -> None:
    assert replaced(change.format(old=old, new=new)) == []
    assert replaced(change.format(old=old, new=control)) == [old.removeprefix("a ")]


def test_an_activity_may_replace_an_activity() -> None:
    assert replaced("I switched from rowing to running.") == ["rowing"]
    assert replaced("I switched from google to bing.") == ["google"]
    assert replaced("I switched from cigarettes to vaping.") == ["cigarettes"]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("I drive the truck now instead of the Corolla.", "I drive a Leaf now instead of a Corolla."),
        ("I ride my bike now instead of the bus.", "I ride horses now instead of motorbikes."),
        ("I wear my hat now instead of a helmet.", "I wear contacts now instead of glasses."),
    ],
)
def test_what_is_driven_ridden_or_worn_may_be_so_for_once(text: str, control: str) -> None:
    assert replaced(text) == []
    assert len(replaced(control)) == 1


def test_one_of_many_may_be_replaced_by_a_name() -> None:
    assert replaced("I switched from my iPhone to a Pixel.") == ["iPhone"]
    assert replaced("I switched from my iPhone to a pixel.") == []


@pytest.mark.parametrize(
    ("text", "control", "old"),
    [
        ("I swapped Notion for Visual Mode.", "I swapped Notion for Obsidian.", "Notion"),
        ("I swapped my laptop for a phone.", "I replaced my laptop with a phone.", "laptop"),
        ("I traded my van for the truck.", "I traded my van for a truck.", "van"),
        ("I take the bus now instead of the train.", "I drink the tea now instead of the coffee.", "coffee"),
    ],
)
def test_an_exchange_may_be_for_once(text: str, control: str, old: str) -> None:
    assert replaced(text) == []
    assert set(replaced(control)) == {old}


def test_medicines_replace_each_other_however_they_are_written() -> None:
    assert replaced("I switched from Ozempic to metformin.") == ["Ozempic"]
    assert replaced("I take metformin now instead of Ozempic.") == ["Ozempic"]


def test_what_was_wrong_or_is_told_to_be_over_needs_no_equal() -> None:
    assert replaced("Actually, I use a notebook, not Excel.") == ["Excel"]
    assert replaced("I used to use Excel but now I use a notebook.") == ["Excel"]
    assert replaced("I drink water now instead of Coke.") == ["Coke"]

"""What is exchanged, left out, never so, labelled or dated, each beside the nearest other sentence."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str | None]


def said(text: str, polarity: str = "positive") -> list[Said]:
    return [(c.predicate, c.object, c.replaces_object) for c in extract_text(text).claims if c.polarity == polarity]


def denied(text: str) -> set[str]:
    return {claim.predicate for claim in extract_text(text).claims if claim.polarity == "negative"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I switched from Vim to Helix.", ("uses", "Helix", "Vim")),
        ("I use Helix now instead of Vim.", ("uses", "Helix", "Vim")),
        ("I switched from a Volvo to a Kia.", ("uses", "Kia", "Volvo")),
        ("I switched from coffee to tea.", ("drinks", "tea", "coffee")),
        ("I switched from Fish to Nushell.", ("uses", "Nushell", "Fish")),
        ("I swapped the tram for the bus.", ("takes", "bus", "tram")),
        ("I left Hexa for Borealis.", ("switched_to", "Borealis", "Hexa")),
        ("I switched from teaching to nursing.", ("switched_to", "nursing", "teaching")),
        ("I switched from French to German.", ("switched_to", "German", "French")),
        ("I switched from meat to fish yesterday.", ("eats", "fish", None)),
    ],
)
def test_an_exchange_is_told_as_what_is_so_now(text: str, expected: Said) -> None:
    assert [expected] == said(text)


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        ("I switched from a Volvo to a Kia.", {"drives", "rides", "rents", "wears"}),
        ("I switched from Arch to Fedora.", {"runs"}),
        ("I swapped the tram for the bus.", {"rides", "uses"}),
        ("I left Hexa for Borealis.", {"works_at", "banks_with"}),
        ("I switched from cigarettes to vaping.", {"smokes"}),
        ("I use Helix now instead of Vim.", set()),
        ("I switched from coffee to dessert.", set()),
        ("I switched from Trello to Plane.", set()),
        ("I switched from metformin to Ozempic.", set()),
        ("I switched from Lisbon to Porto.", set()),
        ("I switched from a hat to a cap today.", set()),
    ],
)
def test_a_change_denies_the_ways_in_which_the_former_value_may_have_been_told(text: str, ways: set[str]) -> None:
    assert ways == denied(text)
    assert not ways & {"likes", "has", "owns", "knows", "speaks"}


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("I left Hexa for lunch.", "I left Hexa for Borealis."),
        ("I left Vim open for Emacs.", "I left Vim for Emacs."),
        ("I left Berlin for Hamburg.", "I left Spotify for Tidal."),
        ("I swapped the car for a walk.", "I swapped the car for a bike."),
        ("I swapped the bus for the train this morning.", "I swapped the bus for the train."),
        ("I moved from Evernest to Joplin.", "I moved from Boston to Joplin."),
        ("I never owned a motorbike at home.", "I never owned a motorbike."),
        ("I never spoke English at home.", "I never spoke English."),
        ("I was never allergic to nuts at school.", "I was never allergic to nuts."),
        ("We left celery out of the soup recipe today.", "We left celery out of the soup recipe."),
        ("We left celery out of the soup.", "We left celery out of the soup recipe."),
        ("I left a note on the homepage.", "I left a note out of the homepage."),
        ("We removed Tom from the group.", "We removed Redis from the importer."),
        ("We removed some jQuery from the website.", "We removed jQuery from the website."),
        ("We removed the dust from the shelf.", "We removed the quiz from the newsletter."),
        ("Anna: fine.", "Editor: Salka."),
        ("Anna Berg: Rome.", "Main reviewer: Rome."),
        ("User 1: Berlin.", "Backup region: Berlin."),
        ("Dinner: Anna cooked.", "Dinner: 19:30."),
        ("Best guess: 40.", "Max guests: 40."),
        ("I joined the queue on Monday.", "I joined Trellis on Monday."),
        ("I retired in style.", "I retired in June."),
        ("The server crashed in style.", "The server crashed on 2026-03-11."),
        ("The bins are emptied on time.", "The bins are emptied on Mondays."),
        ("The cat reopened the door.", "Ticket 12 reopened the bug."),
        ("The last prize is a voucher.", "The first prize is a voucher."),
        ("The worst day is Monday.", "The retro day is Monday."),
    ],
)
def test_the_nearest_other_sentence_says_nothing(text: str, control: str) -> None:
    assert extract_text(text).claims == []
    assert extract_text(control).claims != []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("My dentist is called Dr. Amari.", [("dentist_name", "Dr. Amari", None)]),
        ("My landlord is Mr. Pohl.", [("landlord", "Mr. Pohl", None)]),
        ("Timeout: 30 s. Retries: 4.", [("is", "30 s", None), ("is", "4", None)]),
        (
            "Version 2.1 dropped Python 3.8. Version 2.2 dropped the XML export.",
            [("dropped", "Python 3.8", None), ("dropped", "XML export", None)],
        ),
        ("Owner: team Gull, replaces team Finch.", [("is", "team Gull", "team Finch")]),
        ("The fence is now dark green, not white.", [("color", "dark green", "white")]),
        ("The house style is now casual, not formal.", [("is", "casual", "formal")]),
        ("I'm back to using tabs instead of spaces.", [("uses", "tabs", "spaces")]),
        ("Mira joined Trellis in June.", [("joined_trellis_in", "June", None)]),
        ("I retired in June, not April.", [("retired_in", "June", "April")]),
        (
            "The flat has two balconies, the rent includes heating, and the lease starts in May.",
            [("has", "two balconies", None), ("includes", "heating", None), ("starts_in", "May", None)],
        ),
    ],
)
def test_names_numbers_labels_and_contrasts_are_read_whole(text: str, expected: list[Said]) -> None:
    assert expected == said(text)


def test_what_was_not_true_is_taken_back() -> None:
    assert {"owns", "has"} == denied("That's not true, I never owned a motorbike.")
    assert set() == denied("I never owned a motorbike. That's not true.")


def test_a_part_without_a_name_was_contained_or_switched_on() -> None:
    assert {"contains", "includes", "has", "uses", "has_enabled"} == denied("We cut the quiz from the newsletter.")
    assert {"depends_on", "uses", "needs", "relies_on", "contains", "includes"} == denied(
        "We removed jQuery from the website."
    )

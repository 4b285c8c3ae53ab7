"""What is exchanged is told as used now, and the ways in which the former value was told are denied."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from prme import MemoryClient
from prme_extractors.lexical import extract_text

SAID_AT = datetime(2031, 4, 1, 9, tzinfo=UTC)


def told(text: str) -> list[tuple[str, str, str, str | None]]:
    return [
        (claim.predicate, claim.object, claim.polarity, claim.replaces_object) for claim in extract_text(text).claims
    ]


def live(*messages: str) -> set[tuple[str, str]]:
    """Return what holds of the speaker after some messages, each a day later."""
    with MemoryClient(":memory:", extractor="lexical", clock=lambda: SAID_AT + timedelta(days=90)) as memory:
        for day, message in enumerate(messages):
            at = SAID_AT + timedelta(days=day)
            memory.ingest(message, user_id="u", first_person_owner=True, occurred_at=at)
        claims = memory.claims(user_id="u")
        return {(str(claim.predicate), str(claim.object)) for claim in claims if claim.polarity == "positive"}


def test_what_is_used_now_is_over_when_it_is_no_longer_used() -> None:
    messages = ("I use Vim.", "I use Helix now instead of Vim.")

    assert live(*messages) == {("uses", "Helix")}
    assert live(*messages, "I no longer use Helix.") == set()


def test_a_switch_of_tools_is_over_when_the_new_one_is_no_longer_used() -> None:
    messages = ("I use Fish.", "I switched from Fish to Nushell.")

    assert live(*messages) == {("uses", "Nushell")}
    assert live(*messages, "I no longer use Nushell.") == set()


@pytest.mark.parametrize(
    ("before", "change", "after"),
    [
        ("I run Arch.", "I switched from Arch to Fedora.", {("uses", "Fedora")}),
        ("I drive a Volvo.", "I switched from a Volvo to a Kia.", {("uses", "Kia")}),
        ("I work at Hexa.", "I left Hexa for Borealis.", {("switched_to", "Borealis")}),
    ],
)
def test_a_change_ends_what_was_told_with_another_verb(before: str, change: str, after: set[tuple[str, str]]) -> None:
    assert live(before, change) == after


@pytest.mark.parametrize("kept", ["I like Arch.", "I have a Volvo.", "I own a Volvo."])
def test_a_change_leaves_what_somebody_likes_has_or_owns(kept: str) -> None:
    former = live(kept)

    assert former
    assert former <= live(kept, "I switched from Arch to Fedora.", "I switched from a Volvo to a Kia.")


@pytest.mark.parametrize(
    ("text", "predicate"),
    [
        ("I switched from law to medicine.", "switched_to"),
        ("I switched from English to Maths.", "switched_to"),
        ("I switched from Barcelona to Madrid.", "switched_to"),
        ("I switched from coffee to tea.", "drinks"),
        ("I switched from metformin to Ozempic.", "takes"),
    ],
)
def test_what_is_no_tool_is_not_told_as_used(text: str, predicate: str) -> None:
    assert [predicate] == [name for name, _, polarity, _ in told(text) if polarity == "positive"]


@pytest.mark.parametrize("text", ["I moved from Evernest to Joplin.", "I left Hexa for lunch.", "I left Hexa for now."])
def test_a_change_that_may_be_something_else_is_silent(text: str) -> None:
    assert [] == told(text)


def test_a_contrast_of_colours_names_the_former_one_however_many_words_it_has() -> None:
    assert told("The fence is now dark green, not white.") == [("color", "dark green", "positive", "white")]


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Timeout: 30 s. Retries: 4.", ["30 s", "4"]),
        ("My dentist is called Dr. Amari.", ["Dr. Amari"]),
        ("Max retries: 4.", ["4"]),
        ("Owner: team Finch.", ["team Finch"]),
        ("I joined Trellis on 2026-02-16.", ["2026-02-16"]),
    ],
)
def test_stops_in_numbers_and_titles_end_no_value(text: str, claims: list[str]) -> None:
    assert claims == [value for _, value, _, _ in told(text)]


@pytest.mark.parametrize(
    "text", ["Anna: I'm fine.", "Good news: the test passed.", "My doctor: take metformin.", "Question: 4?", "Ann: 5"]
)
def test_what_introduces_somebodys_words_is_no_label(text: str) -> None:
    assert [] == told(text)

"""Sentences that leave out "I": only a change that somebody made to something of their own is read so."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str, str | None]


def said(text: str) -> set[Said]:
    return {(c.subject, c.predicate, c.object, c.polarity, c.replaces_object) for c in extract_text(text).claims}


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("Sold my jeep.", "Sold my jeep?", ("my", "has", "jeep", "negative", None)),
        ("sold my jeep yesterday!", "sold a jeep yesterday!", ("my", "has", "jeep", "negative", None)),
        ("Just sold my jeep.", "Almost sold my jeep.", ("my", "has", "jeep", "negative", None)),
        ("Sold my jeep.", "Sold my brother's jeep.", ("my", "has", "jeep", "negative", None)),
        ("Sold my jeep.", "- sold my jeep", ("my", "has", "jeep", "negative", None)),
        ("Sold my jeep.", "Ann came by and sold my jeep.", ("my", "has", "jeep", "negative", None)),
        ("Sold my jeep.", "My brother came by, sold my jeep.", ("my", "has", "jeep", "negative", None)),
        ("Sold my jeep.", "Sell my jeep.", ("my", "has", "jeep", "negative", None)),
        (
            "cancelled my gym membership",
            "cancelled my gym session",
            ("my", "has", "gym membership", "negative", None),
        ),
        ("quit my job at Shell", "quit my job at lunch", ("my", "works_at", "Shell", "negative", None)),
        ("lost my job at Nike", "lost my keys at Nike", ("my", "works_at", "Nike", "negative", None)),
        ("deleted my facebook account", "deleted my old account", ("my", "uses", "facebook", "negative", None)),
        ("broke up with my boyfriend", "broke up with my landlord", ("my", "has", "boyfriend", "negative", None)),
        (
            "cancelled my trip to Lima",
            "cancelled my trip to buy milk",
            ("my", "plans_to_visit", "Lima", "negative", None),
        ),
        ("traded my Corolla for a Leaf", "traded my lunch for a nap", ("my", "owns", "Leaf", "positive", "Corolla")),
        ("changed my username from kat to kay", "changed my mind", ("my", "username", "kay", "positive", "kat")),
    ],
)
def test_a_change_to_something_of_ones_own_needs_no_i(text: str, control: str, expected: Said) -> None:
    assert expected in said(text)
    assert set() == said(control)


def test_what_goes_on_after_it_has_the_same_speaker() -> None:
    assert ("my", "lives_in", "Oslo", "positive", None) in said("sold my jeep and moved to Oslo")

"""Values that a contrast proves: "the oboe now, not the flute"; how something is at the moment is none."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str | None]


def said(text: str) -> list[Said]:
    return [(c.subject, c.predicate, c.object, c.replaces_object) for c in extract_text(text).claims]


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        (
            "My instrument is the oboe, not the flute.",
            "My instrument is the oboe.",
            ("My", "instrument", "oboe", "flute"),
        ),
        (
            "My instrument is not the flute but the oboe.",
            "My instrument is not the flute but lovely.",
            ("My", "instrument", "oboe", "flute"),
        ),
        ("My drink is tea now, not coffee.", "My drink is tea now, not bad.", ("My", "drink", "tea", "coffee")),
        ("My drink is tea now, not coffee.", "My drink is cold now, not hot.", ("My", "drink", "tea", "coffee")),
        ("My drink is tea now, not coffee.", "My drink is tea now, not a coffee.", ("My", "drink", "tea", "coffee")),
        ("My drink is tea now, not coffee.", "My boss is calm now, not angry.", ("My", "drink", "tea", "coffee")),
        (
            "The kitchen is upstairs, not downstairs.",
            "The kitchen is tidy, not messy.",
            ("kitchen", "is", "upstairs", "downstairs"),
        ),
        (
            "The kitchen is upstairs, not downstairs.",
            "If asked, the kitchen is upstairs, not downstairs.",
            ("kitchen", "is", "upstairs", "downstairs"),
        ),
    ],
)
def test_what_is_contrasted_with_its_like_is_a_value(text: str, control: str, expected: Said) -> None:
    assert [expected] == said(text)
    assert [] == said(control)


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("My plan is basic.", "My plan is risky.", ("My", "plan", "basic", None)),
        (
            "My plan is premium now, no longer basic.",
            "My plan is risky now, no longer silly.",
            ("My", "plan", "premium", "basic"),
        ),
        ("The build tool is ninja.", "The saw is ninja.", ("build tool", "is", "ninja", None)),
        ("My main is mage now, not rogue.", "My man is mage now, not rogue.", ("My", "main", "mage", "rogue")),
        ("The pool is open Mondays.", "The pool is open today.", ("pool", "open", "Mondays", None)),
        (
            "The pool is open Tuesdays now, not Mondays.",
            "The pool is open late now, not early.",
            ("pool", "open", "Tuesdays", "Mondays"),
        ),
        ("Class starts at 10 now, not 9.", "Class starts at once now, not later.", ("Class", "starts_at", "10", "9")),
    ],
)
def test_plans_tools_and_opening_days_take_their_values(text: str, control: str, expected: Said) -> None:
    assert [expected] == said(text)
    assert [] == said(control)

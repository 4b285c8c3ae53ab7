"""An attempt is no deed, and what only seems so no fact."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("attempt", "deed"),
    [
        ("I tried using Figma.", "I tried Figma."),
        ("I tried out using Figma.", "I tried out Figma."),
        ("I attempted using Figma.", "I attempted Figma."),
        ("I started to try Figma.", "I started Figma."),
        ("I considered using Figma.", "I considered nothing, I use Figma."),
        ("I'm close to using Figma.", "I live close to Figma."),
        ("I like the idea of using Figma.", "I like the look of Figma."),
        ("I tried nothing, then tried using Figma.", "I tried something with Figma."),
        ("I suggest using Figma.", "I enjoy using Figma."),
    ],
)
def test_an_attempt_before_a_form_in_ing_is_an_intention(attempt: str, deed: str, outcome) -> None:
    assert outcome(attempt) == "hypothetical intention"
    assert outcome(deed) == "asserted"


def test_to_feel_like_a_deed_is_a_wish_and_a_seeming(outcome) -> None:
    assert outcome("I feel like using Figma.") == "hypothetical modal intention"
    assert outcome("I feel like I use Figma.") == "hypothetical modal"
    assert outcome("I love using Figma.") == "asserted"


def test_a_name_in_ing_is_no_deed(outcome) -> None:
    assert outcome("I tried Bing.", object="Bing") == "asserted"
    assert outcome("I tried Posting.", object="Posting") == "asserted"
    assert outcome("I tried posting Bing.", object="Bing") == "hypothetical intention"


def test_an_attempt_at_the_end_attempts_nothing(outcome) -> None:
    assert outcome("I use Figma as I tried") == "asserted"


def test_an_attempt_that_a_new_clause_ends_leaves_the_claim(outcome) -> None:
    assert outcome("I tried swimming, and I use Figma.") == "asserted"
    assert outcome("I use Figma and tried using Penpot.") == "asserted"
    assert outcome("I use Figma and tried using Penpot.", object="Penpot") == "hypothetical intention"


@pytest.mark.parametrize(
    ("seeming", "assertion"),
    [
        ("It seems I use Figma.", "I use Figma, it seems nice."),
        ("It seems that I use Figma.", "It seems nice, so I use Figma."),
        ("It looks like I use Figma.", "It looks like rain, so I use Figma."),
        ("Looks like I use Figma.", "My desk looks like I use Figma."),
        ("So it looks like I use Figma.", "Bo looks like I use Figma."),
        ("Well, looks like I use Figma.", "Well, Bo looks like I use Figma."),
        ("It sounds like I use Figma.", "Bo sounds like I use Figma."),
        ("It's looking like I use Figma.", "It's nice that I use Figma."),
        ("I seem to use Figma.", "I love to use Figma."),
        ("I appear to use Figma.", "I appear in Figma."),
        ("It feels like I use Figma.", "It is good that I use Figma."),
        ("Seemingly I use Figma.", "Clearly I use Figma."),
        ("I use Figma, it seems.", "I use Figma, it is."),
        ("I use Figma, or so it seems to me.", "I use Figma, and it seems to work."),
        ("I use Figma, so it seems.", "I use Figma, odd as all seems."),
    ],
)
def test_what_seems_so_is_hypothetical(seeming: str, assertion: str, outcome) -> None:
    assert outcome(seeming) == "hypothetical modal"
    assert outcome(assertion) == "asserted"


def test_a_predicate_that_keeps_the_seeming_is_asserted(outcome) -> None:
    assert outcome("Nadia seems glad.", subject="Nadia", predicate="seems", object="glad") == "asserted"
    assert outcome("Nadia seems glad.", subject="Nadia", predicate="is", object="glad") == "hypothetical modal"


def test_seeming_as_if_is_a_condition(outcome) -> None:
    assert outcome("It feels as if I use Figma.") == "conditional"
    assert outcome("It feels good, so I use Figma.") == "asserted"

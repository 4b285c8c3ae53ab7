"""Conditions and reports: kept in sight, and never as an unconditional statement of the speaker."""

from __future__ import annotations

import pytest

from prme.model.extraction import ExtractedClaim
from prme_extractors.lexical import extract_text


def only(text: str) -> ExtractedClaim:
    (claim,) = extract_text(text).claims
    return claim


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        ("I don't use a night guard when I travel.", "when I travel"),
        ("I don't use a night guard, unless I travel.", "unless I travel"),
        ("If it rains, I use the tram.", "If it rains"),
        ("If it rains I use the tram.", "If it rains"),
        ("I use the tram if it rains.", "if it rains"),
        ("I use the tram whenever it rains.", "whenever it rains"),
        ("I take the tram while my bike is broken.", "while my bike is broken"),
        ("Unless the licence is renewed, I don't use Figma anymore.", "Unless the licence is renewed"),
    ],
)
def test_a_limited_statement_is_conditional_on_its_own_words(text: str, condition: str) -> None:
    claim = only(text)

    assert ("conditional", condition) == (claim.epistemic_type, claim.condition)


def test_without_the_condition_the_same_words_are_asserted() -> None:
    claim = only("I don't use a night guard.")

    assert ("asserted", None) == (claim.epistemic_type, claim.condition)


@pytest.mark.parametrize(
    "text",
    [
        "I stopped using Vim when I was ten.",
        "I moved to Boston if you recall.",
        "If it rains and I take the tram and it is late, I drink tea.",
        "I use the tram when it rains, unless I travel.",
        "I don't know if I use Vim.",
    ],
)
def test_a_condition_that_cannot_be_placed_silences_the_sentence(text: str) -> None:
    assert [] == extract_text(text).claims


@pytest.mark.parametrize(
    ("text", "subject"),
    [
        ("My sister said I don't use an insulin pump anymore.", "I"),
        ("My sister told me that I don't use an insulin pump anymore.", "I"),
        ("The nurse claims Nadia doesn't use an insulin pump anymore.", "Nadia"),
        ("I heard that Nadia doesn't use an insulin pump anymore.", "Nadia"),
    ],
)
def test_a_report_is_unverified(text: str, subject: str) -> None:
    claim = only(text)

    assert (subject, "insulin pump", "unverified") == (claim.subject, claim.object, claim.epistemic_type)
    assert text.rstrip(".") == claim.evidence_quote


@pytest.mark.parametrize(
    "text",
    [
        "I said I use Vim.",
        "We said I use Vim.",
        "My sister never said I use Vim.",
        "Nobody said I use Vim.",
        "Ann told me that she uses Vim.",
        "My sister said, I use Vim.",
        'My sister said "I use Vim".',
        "My sister asked if I use Vim.",
    ],
)
def test_a_report_that_nobody_made_or_that_names_nobody_is_silent(text: str) -> None:
    assert [] == extract_text(text).claims

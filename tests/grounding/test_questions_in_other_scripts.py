"""Question marks and question endings of other scripts."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("question", "assertion"),
    [
        ("I use Figma\uff1f", "I use Figma\uff01"),
        ("I use Figma\u2047", "I use Figma\u203c"),
        ("I use Figma\u2048", "I use Figma!"),
        ("I use Figma\u2049", "I use Figma!"),
        ("I use Figma\u1367", "I use Figma\u1362"),
        ("I use Figma\u037e", "I use Figma;"),
        ("I use Figma και;", "I use Figma και."),
        ("Είναι; I use Figma.", "Είναι, I use Figma."),
        ("Πού I use Figma;", "Πού I use Figma."),
        ("Ինչո\u055eւ I use Figma", "Ինչու I use Figma"),
        ("I Figmaを使いますか。", "I Figmaを使いますから。"),
        ("I Figmaを使いますか", "I Figmaを使います"),
        ("I 用 Figma 吗。", "I 用 Figma。"),
    ],
)
def test_a_question_is_found_in_its_script(question: str, assertion: str, outcome) -> None:
    expected = "asserted" if question.startswith("Είναι") else "question"

    assert outcome(question) == expected
    assert outcome(assertion) == "asserted"


def test_a_mark_inside_a_word_asks_only_its_sentence(outcome) -> None:
    assert outcome("Ինչո\u055eւ. i use Figma") == "asserted"
    assert outcome("i use it. Ինչո\u055eւ Figma. yes", object="Figma") == "question"


def test_a_single_greek_letter_makes_no_greek_question(outcome) -> None:
    assert outcome("I use Figma with λ; it is fun.") == "asserted"
    assert outcome("I use Figma με; it is fun.") == "question"

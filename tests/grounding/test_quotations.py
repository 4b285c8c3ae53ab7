"""Which marks are quotation marks and what they hold."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.quotations import find_quotations
from prme.grounding.sentences import split_paragraphs
from tests.grounding.cut import quoted


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ('Bo: "I do"', ["I do"]),
        ("Bo: “I do”", ["I do"]),
        ("Bo: \u2018I do\u2019", ["I do"]),
        ("Bo: 'I do'", ["I do"]),
        ("Bo: „I do“", ["I do"]),
        ("Bo: «I do»", ["I do"]),
        ("Bo: « I do »", [" I do "]),
        ("Bo: »I do«", ["I do"]),
        ("Bo: ”I do”", ["I do"]),
        ("Bo: 「I do」", ["I do"]),
        ("Bo: `I do`", ["I do"]),
        ("“a \u2018b\u2019 c”", ["a \u2018b\u2019 c", "b"]),
        ('"one" and "two"', ["one", "two"]),
        ("“One. Two.” Three.", ["One. Two."]),
    ],
)
def test_a_pair_of_marks_is_a_quotation(text: str, inside: list[str]) -> None:
    assert quoted(text) == inside


@pytest.mark.parametrize(
    "text",
    [
        "I don't, you don't",
        "I\u2019m sure you\u2019re fine",
        "the boys' and girls' room",
        'a 27" and a 24" screen',
        'an unclosed "mark',
        "“never closed",
        "closed only”",
        '"one paragraph\n\nand another"',
    ],
)
def test_apostrophes_inches_and_lone_marks_are_no_quotation(text: str) -> None:
    assert quoted(text) == []


def test_an_outer_pair_closes_over_an_inner_mark_left_open() -> None:
    assert quoted("“a \u2039b” c") == ["a \u2039b"]


@given(st.text(alphabet="ab \n'\"“”„\u2018\u2019«»`"))
def test_quotations_stand_in_order_inside_the_text(text: str) -> None:
    spans = find_quotations(text, split_paragraphs(text))

    assert list(spans) == sorted(spans)
    assert all(0 < start <= end < len(text) for start, end in spans)

"""Nothing that a message holds can move the cursor, reorder a line or hide."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.cli.safe_text import quoted, safe_json, safe_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\tc\r", r"a\nb\tc\r"),
        ("\x1b[31mred", r"\x1b[31mred"),
        ("left\u202eright\u2066", r"left\u202eright\u2066"),
        ("a\u2028b\x85c\u200bd", r"a\u2028b\x85c\u200bd"),
        ("tag\U000e0041", r"tag\U000e0041"),
        ("\ud800", r"\ud800"),
    ],
)
def test_what_cannot_be_seen_is_shown_as_an_escape(text: str, expected: str):
    assert safe_text(text) == expected


@pytest.mark.parametrize("text", ["Zoë, ﷺ, 日本 and 👩‍🔬", "می‌خواهم", "[bold]x[/bold]", r"C:\new"])
def test_what_can_be_seen_stays_as_it_is(text: str):
    assert safe_text(text) == text


@given(st.text())
def test_no_control_or_direction_mark_ever_survives(text: str):
    kept = {character for character in safe_text(text) if unicodedata.category(character) in {"Cc", "Cs", "Zl", "Zp"}}
    directed = {character for character in safe_text(text) if unicodedata.bidirectional(character) in DIRECTIONS}

    assert (kept, directed) == (set(), set())


DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.dictionaries(st.text(), st.text()))
def test_escaped_json_still_says_the_same(document: dict[str, str]):
    text = safe_json(json.dumps(document, ensure_ascii=False, indent=2))

    assert json.loads(text) == document
    assert safe_text(text.replace("\n", "")) == text.replace("\n", "")


def test_a_long_text_is_cut_and_says_how_long_it_was():
    assert quoted("abcdef", longest=4) == '"abcd..." (6 characters)'


def test_a_text_at_the_limit_is_not_cut():
    assert quoted("abcd", longest=4) == '"abcd"'

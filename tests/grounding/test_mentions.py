"""What counts as a mention: whole words of the folded text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.folded_text import Extent, FoldedText, fold_content
from prme.grounding.mentions import FIRST_PERSON, _in_compound, _occurrences, find_mentions
from prme.text_folding import fold_text
from tests.grounding.cut import mentioned


@pytest.mark.parametrize(
    ("content", "term", "found"),
    [
        # Each line of a pair differs from its control in the one thing that decides.
        ("I use Figma.", "Figma", ["Figma"]),
        ("I use Figmas.", "Figma", []),
        ("I use figma_pro.", "figma", []),
        ("I use figma-pro.", "figma", []),
        ("I use pro-figma.", "figma", []),
        ("I use figma - daily.", "figma", ["figma"]),
        ("I use figma--daily.", "figma", ["figma"]),
        ("I use C++.", "C", []),
        ("I use C#.", "C", []),
        ("I use C.", "C", ["C"]),
        ("I use C+", "C", ["C"]),
        ("I use C++.", "C++", ["C++"]),
        ("I use .NET.", "NET", []),
        (".NET is what I use.", "NET", []),
        ("I use it.NET is next.", "NET", ["NET"]),
        ("I use Figma2.", "Figma", []),
        ("I use aFigma.", "Figma", []),
        ("FIGMA and figma", "Figma", ["FIGMA", "figma"]),
        ("  Figma  ", " Figma\n", ["Figma"]),
        ("Figma's plan", "Figma", ["Figma"]),
        ("Figma\u2019s plan", "Figma", ["Figma"]),
        ("I don't", "don", []),
        ("I, Don, can", "don", ["Don"]),
        ("O'Brien left", "Brien", []),
        ("Mr Brien left", "Brien", ["Brien"]),
        ("O'Brien left", "o\u2019brien", ["O'Brien"]),
        ("the 'Maus' book", "Maus", ["Maus"]),
        ("the “Maus” book", "Maus", ["Maus"]),
        ("the Smiths' house", "Smiths", ["Smiths"]),
        ("C++ is hard", "C++", ["C++"]),
        ("C++11 is hard", "C++", []),
        ("Straße", "STRASSE", ["Straße"]),
        ("New\nYork", "new york", ["New\nYork"]),
        ("a a a", "a a", ["a a"]),
        ("", "a", []),
        ("a", " ", []),
    ],
)
def test_a_mention_is_a_whole_word(content: str, term: str, found: list[str]) -> None:
    assert mentioned(content, term) == found


@pytest.mark.parametrize(
    ("content", "term", "found"),
    [
        ("cafe\u0301", "cafe", []),
        ("cafe", "cafe", ["cafe"]),
        ("x\u0302 axis", "x", []),
        ("x axis", "x", ["x"]),
        ("I take ½", "1", []),
        ("I take 1/2", "1", ["1"]),
        ("👩\u200d💻 here", "👩", []),
        ("👩 here", "👩", ["👩"]),
        ("👍🏽", "👍", []),
        ("I use Figma❤️", "Figma", ["Figma"]),
        ("\u200fFigma\u200f", "Figma", ["Figma"]),
        ("Fig\u00adma", "Fig", []),
    ],
)
def test_a_mention_covers_whole_signs(content: str, term: str, found: list[str]) -> None:
    assert mentioned(content, term) == found


@pytest.mark.parametrize(
    ("content", "term", "found"),
    [
        ("我使用Figma工作", "Figma", ["Figma"]),
        ("我使用“Figma”工作", "Figma", ["Figma"]),
        ("私は東京に住む", "東京", ["東京"]),
        ("フィグマを使う", "フィグマ", ["フィグマ"]),
        ("フィグマスを使う", "フィグマ", []),
        ("Figmaアプリ", "Figma", ["Figma"]),
        ("ฉันใช้ Figma", "Figma", ["Figma"]),
        ("ฉันชอบกาแฟ", "กา", []),
        ("Figma를 써요", "Figma", []),
    ],
)
def test_scripts_without_blanks_break_where_a_reader_can_break_them(content: str, term: str, found: list[str]) -> None:
    assert mentioned(content, term) == found


@pytest.mark.parametrize("form", sorted(FIRST_PERSON))
def test_any_first_person_form_finds_all_five(form: str) -> None:
    assert mentioned("My, I, myself: mine or me, not mind.", form) == ["My", "I", "myself", "mine", "me"]


@pytest.mark.parametrize(
    "content", ["I'm here", "I\u2019d go", "I'll go", "I've been", "(I)", "Hi.I use it", "yes...I do", "'I do'"]
)
def test_contractions_and_punctuation_leave_the_first_person(content: str) -> None:
    assert mentioned(content, "me") == ["I"]


@pytest.mark.parametrize(
    "content",
    ["tools, i.e. editors", "A.I. tools", "the I/O board", "I-95 north", "me.com", "@me", "#mine", "wi-i", "r&i"],
)
def test_an_abbreviation_or_compound_is_no_first_person(content: str) -> None:
    assert mentioned(content, "I") == []


@given(st.text(), st.text(min_size=1, max_size=3))
def test_every_mention_folds_back_to_the_term(content: str, term: str) -> None:
    folded = fold_content(content)
    wanted = {fold_text(term)} if fold_text(term) not in FIRST_PERSON else FIRST_PERSON

    for start, end in (folded.stored(extent) for extent in find_mentions(folded, term)):
        assert fold_text(content[start:end]) in wanted


def plain_mentions(folded: FoldedText, term: str) -> tuple[Extent, ...]:
    """Every form sought by itself, and both sides of each place tested for all that may join them to it."""
    forms = FIRST_PERSON if term in FIRST_PERSON else {term}
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("prme.grounding.mentions._APART_BEFORE", frozenset())
        patched.setattr("prme.grounding.mentions._APART_AFTER", frozenset())
        found = sorted(extent for form in forms for extent in _occurrences(folded, form))
    return tuple(extent for extent in found if term not in FIRST_PERSON or not _in_compound(folded.text, extent))


pieces = st.sampled_from(
    [*sorted(FIRST_PERSON), *"CI1\u00bd", "C++", "figma", *" .,;:!?()'\"-_/@#&+*\u6211\u30a2\u0301\u00e9\u00a8\u200d"]
)


@given(
    st.lists(pieces, max_size=12).map("".join),
    st.sampled_from(["i", "myself", "c", "c++", "figma", "1", "\u30a2", "(", "."]),
)
def test_mentions_are_found_as_if_every_place_was_tested_for_all(content: str, term: str) -> None:
    folded = fold_content(content)

    assert find_mentions(folded, term) == plain_mentions(folded, term)

"""Folding of a content and the way back to its characters."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.folded_text import FoldedText, _clusters, _fold_cluster, fold_content
from prme.text_folding import fold_characters, fold_text

TRICKY = (
    "\u0301\u0323\u0345\u0308\u00b4\u00a8\u0130\u00df\ufb01\u0149\u1161\u11a8\u1100\uac00\uff9e\uff76"
    "\u2019`\u0344\u09c7\u09be\u2033\u00bdaI\"' \n"
)


@given(st.text() | st.text(alphabet=TRICKY))
def test_a_content_folds_as_any_text_does(content: str) -> None:
    assert fold_content(content).text == fold_text(content)


def test_every_character_folds_the_same_beside_others() -> None:
    characters = [chr(code) for code in range(0x20000) if not 0xD800 <= code < 0xE000]
    content = "a".join(characters)

    assert fold_content(content).text == fold_text(content)


def test_every_character_that_composes_stays_with_the_one_before_it() -> None:
    for code in range(sys.maxunicode + 1):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and not parts[0].startswith("<"):
            pair = "".join(chr(int(part, 16)) for part in parts)

            assert fold_content(pair).text == fold_text(pair), hex(code)


@given(st.text(alphabet=TRICKY))
def test_the_way_back_never_decreases_and_stays_inside(content: str) -> None:
    folded = fold_content(content)

    assert list(folded.starts) == sorted(folded.starts)
    assert list(folded.ends) == sorted(folded.ends)
    assert all(0 <= start < end <= len(content) for start, end in zip(folded.starts, folded.ends, strict=True))


@given(st.text(st.characters(max_codepoint=127)))
def test_an_ascii_text_folds_as_it_does_beside_other_letters(text: str) -> None:
    assert fold_characters(text) + "é" == fold_characters(text + "é")


@given(st.lists(st.text(alphabet=TRICKY) | st.sampled_from(["I use ", "an X-ray. ", "\u2019"])).map("".join))
def test_every_character_comes_from_the_cluster_that_it_stands_in(content: str) -> None:
    origins = [
        (character, start, end)
        for start, end in _clusters(content, 0, len(content))
        for character in _fold_cluster(content[start:end])
    ]
    folded = fold_content(content)
    visible = [index for index, character in enumerate(folded.text) if character != " "]

    assert [(folded.text[index], folded.starts[index], folded.ends[index]) for index in visible] == [
        origin for origin in origins if not origin[0].isspace()
    ]


@pytest.mark.parametrize(
    ("content", "wanted", "piece"),
    [
        ("the \ufb01rst", "first", "\ufb01rst"),
        ("die STRASSE", "strasse", "STRASSE"),
        ("die Straße", "strasse", "Straße"),
        ("in İzmir", "i\u0307zmir", "İzmir"),
        ("the cafe\u0301 there", "café", "cafe\u0301"),
        ("New \n  York", "new york", "New \n  York"),
        ("half ½ cup", "1\u20442", "½"),
        ("“Maus”", "'maus'", "“Maus”"),
    ],
)
def test_a_run_leads_back_to_whole_characters(content: str, wanted: str, piece: str) -> None:
    folded = fold_content(content)
    first = folded.text.index(wanted)
    start, end = folded.stored((first, first + len(wanted)))

    assert content[start:end] == piece


def test_a_stored_span_leads_to_its_folded_text_without_outer_blanks() -> None:
    content = "A. \n Straße \n B."
    folded = fold_content(content)
    first, last = folded.extent(2, content.index("B"))

    assert folded.text[first:last] == "strasse"


def test_a_blank_span_has_an_empty_extent() -> None:
    folded = fold_content("a  b")

    assert folded.extent(1, 3) == (2, 2)


def test_a_long_run_of_marks_folds_the_same() -> None:
    marks = "\u0301\u0323\u0345\u0308\u0344\u0327"
    content = "e" + marks * 50 + "\uac00" + "\u11a8" * 100 + "a" + marks[::-1] * 50

    assert fold_content(content).text == fold_text(content)


@given(st.text("a \n.", max_size=12), st.integers(0, 14), st.integers(0, 14))
def test_a_text_of_which_each_character_is_its_own_gives_the_extents_of_any_other(
    text: str, start: int, end: int
) -> None:
    folded = fold_content(text)
    plain = FoldedText(folded.text, list(folded.starts), list(folded.ends))

    assert folded.extent(start, end) == plain.extent(start, end)

"""Folding decides what counts as the same text (SPEC 5)."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prme.text_folding import fold_characters, fold_predicate, fold_text


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("Figma", "figma"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("ﬁgma", "figma"),
        ("\uff26igma", "figma"),
        ("cafe\u0301", "café"),
        ("  insulin \t\n pump ", "insulin pump"),
        ("insulin\u00a0pump", "insulin pump"),
        ("insulin\u2003pump", "insulin pump"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_case_compatibility_forms_and_white_space_fold(text: str, folded: str):
    assert fold_text(text) == folded


@pytest.mark.parametrize(
    "mark", "'\u2018\u2019\u201a\u201b\u2032\u02bc\uff07`\u00b4\"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02"
)
def test_every_kind_of_apostrophe_and_quotation_mark_is_one(mark: str):
    assert fold_text(f"Tom{mark}s") == "tom's"


@pytest.mark.parametrize("dash", "-\u2010\u2011\u2012\u2013")
def test_hyphens_and_short_dashes_are_one(dash: str):
    assert fold_text(f"X{dash}ray") == "x-ray"


@pytest.mark.parametrize("dash", "\u2014\u2015\u2212_")
def test_longer_dashes_stay(dash: str):
    assert fold_text(f"x{dash}ray") == f"x{dash}ray"


def test_digits_and_accents_stay():
    assert fold_text("Café 7") == "café 7"


def test_characters_fold_without_touching_white_space():
    assert fold_characters(" A\t\n B ") == " a\t\n b "


@given(st.text())
@example("\u00b4")
@example("ŉ\u02bc\u0345\u0391\u0345")
def test_folding_twice_changes_nothing_more(text: str):
    assert fold_text(fold_text(text)) == fold_text(text)


@given(st.text())
def test_a_folded_text_has_no_outer_or_double_blanks(text: str):
    assert fold_text(text) == " ".join(fold_text(text).split())


@pytest.mark.parametrize(
    "predicate",
    ["works_at", "Works at", "works-at", "WORKS  AT", "works.at", "works/at", "works\u2013at", "_works__at_"],
)
def test_a_predicate_is_stored_in_snake_case(predicate: str):
    assert fold_predicate(predicate) == "works_at"


@pytest.mark.parametrize("predicate", ["worksat", "works_for", "worked_at"])
def test_another_predicate_stays_another(predicate: str):
    assert fold_predicate(predicate) == predicate


@pytest.mark.parametrize("predicate", ["", "  ", "-_/."])
def test_separators_alone_are_no_predicate(predicate: str):
    assert fold_predicate(predicate) == ""

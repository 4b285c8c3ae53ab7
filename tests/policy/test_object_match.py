"""A target names an object when the two are equal, or when it is a bounded shorthand of it (003-34 to 003-37)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.policy.object_match import match_exact, match_exact_or_short
from prme.text_folding import fold_text

SHORT_AND_CONTROL = {
    # what is tried: (target, object that it names short, object that it does not name)
    "a shorthand of one word": (("pump", "insulin pump"), ("pumps", "insulin pump")),
    "a shorthand at the beginning": (("insulin", "insulin pump"), ("insulins", "insulin pump")),
    "a shorthand of two words": (("road bike", "old road bike"), ("bike road", "old road bike")),
    "a shorthand in the middle": (("road", "old road bike"), ("rod", "old road bike")),
    "a contiguous run": (("road bike", "old road bike"), ("old bike", "old road bike")),
    "a run that begins twice": (("tea tea pot", "tea tea tea pot"), ("tea pot tea", "tea tea tea pot")),
    "three words of four": (("red road bike", "old red road bike"), ("old red road bike", "old red road bike here")),
    "an object of four words": (("bike", "old red road bike"), ("bike", "my old red road bike")),
    "words of three characters": (("mac", "mac mini"), ("ma", "ma mini")),
    "every word of three characters": (("big mac", "big mac menu"), ("ze mac", "ze mac menu")),
    "a short last word": (("mac new", "mac new york"), ("mac ny", "mac ny york")),
    "short words of the object alone": (("pump", "my pump"), ("my", "my pump")),
    "no digit in the target": (("model", "model seven"), ("model7", "model7 seven")),
    "no digit in the object": (("model", "model seven"), ("model", "model 7")),
    "no hyphen in the target": (("pump", "pump kit"), ("x-ray", "x-ray kit")),
    "no hyphen in the object": (("kit", "xray kit"), ("kit", "x-ray kit")),
    "no apostrophe": (("bike", "toms bike"), ("bike", "tom's bike")),
    "whole words": (("pump", "insulin pump"), ("pum", "insulin pump")),
    "letters of any script": (("насос", "инсулиновый насос"), ("насо", "инсулиновый насос")),
    "a letter with an accent": (("café", "café noir"), ("cafe", "café noir")),
    "three letters without case": (("東京都", "東京都 庁舎"), ("東京", "東京 庁舎")),
    # A mark that has no composed form stays a character of its own, which is no letter.
    "no lone combining mark": (("ghost", "ghost bike"), ("ghx\u0301ost", "ghx\u0301ost bike")),
}


@pytest.mark.parametrize(("named", "control"), SHORT_AND_CONTROL.values(), ids=SHORT_AND_CONTROL)
def test_a_bounded_run_of_whole_words_matches_short(named: tuple[str, str], control: tuple[str, str]):
    assert match_exact_or_short(*named) == "short"
    assert match_exact_or_short(*control) is None


def test_a_composed_accent_and_its_two_characters_are_the_same_word():
    target, obj = fold_text("cafe\u0301"), fold_text("Café Noir")

    assert match_exact_or_short(target, obj) == "short"


@pytest.mark.parametrize("text", ["pump", "model 7", "x-ray", "my", "a b c d e f", "1", "東京"])
def test_equal_texts_match_exactly_whatever_their_form(text: str):
    assert match_exact_or_short(text, text) == "exact"
    assert match_exact(text, text) == "exact"


def test_a_target_longer_than_the_object_matches_nothing():
    assert match_exact_or_short("insulin pump", "pump") is None
    assert match_exact_or_short("pump", "insulin pump") == "short"


def test_another_text_of_the_same_length_matches_nothing():
    assert match_exact_or_short("insulin pump", "breast pump") is None


def test_an_empty_target_matches_nothing():
    assert match_exact_or_short("", "insulin pump") is None


def test_the_exact_match_knows_no_shorthand():
    assert match_exact("pump", "insulin pump") is None


words = st.lists(st.text(st.sampled_from("abß1-é"), min_size=1, max_size=4), min_size=1, max_size=6).map(" ".join)


@given(words, words)
def test_a_match_always_shares_the_first_word_of_the_target(target: str, obj: str):
    if match_exact_or_short(target, obj) is not None:
        assert target.split()[0] in obj.split()


@given(words, words)
def test_no_two_different_texts_match_each_other_both_ways(target: str, obj: str):
    both = {match_exact_or_short(target, obj), match_exact_or_short(obj, target)}

    assert both in ([{"exact"}] if target == obj else [{None}, {"short", None}])

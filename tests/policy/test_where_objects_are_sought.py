"""An object is kept under the words by which a target may begin, and under no others."""

from __future__ import annotations

import pytest

from prme.policy.object_match import EXACT, EXACT_OR_SHORT, ObjectMatching


@pytest.mark.parametrize("objects", [EXACT, EXACT_OR_SHORT])
@pytest.mark.parametrize("text", ["pump", "old red road bike", "my old red road bike"])
def test_an_object_is_found_under_its_own_first_word(text: str, objects: ObjectMatching):
    assert objects.target_cue(text) in objects.object_cues(text)


def test_an_object_that_a_shorthand_may_name_is_kept_under_each_of_its_words():
    assert EXACT_OR_SHORT.object_cues("old red road bike") == ("old", "red", "road", "bike")
    assert EXACT_OR_SHORT.object_cues("tea for tea") == ("tea", "for")


def test_an_object_that_only_its_exact_text_names_is_kept_under_its_first_word():
    assert EXACT_OR_SHORT.object_cues("my old red road bike") == ("my",)
    assert EXACT.object_cues("old red road bike") == ("old",)

"""The pattern of a word list finds what a plain list of its phrases finds."""

from __future__ import annotations

import re
from dataclasses import fields

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.phrases import PhraseList, compile_patterns
from prme.policy.policy import Policy
from prme.policy.registry import POLICIES

LISTS = [
    (name, policy.name, phrases)
    for policy in POLICIES.values()
    for name in (field.name for field in fields(policy.words))
    if isinstance(phrases := getattr(policy.words, name), tuple)
    and phrases
    and all(isinstance(phrase, str) and phrase and phrase[-1] not in "?" for phrase in phrases)
]


def is_hidden(listed: PhraseList, text: str) -> bool:
    """Whether the list holds something that stands in the text, and its words say that nothing does."""
    words = frozenset(re.findall(r"\w+", text))
    return listed.pattern.search(text) is not None and not any(needed <= words for needed in listed.words)


def plain_pattern(phrases: tuple[str, ...]) -> re.Pattern[str]:
    """Every phrase by itself, the longest first: slow, and as simple as it can be."""
    return re.compile(
        "|".join(
            (r"(?<!\w)" if phrase[0].isalnum() else r"(?<=\w)")
            + r"[ *~]+".join(map(re.escape, phrase.split(" ")))
            + (r"(?!\w)" if phrase[-1].isalnum() else "")
            for phrase in sorted(phrases, key=len, reverse=True)
        )
    )


def extents(pattern: re.Pattern[str], text: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(text)]


@pytest.mark.parametrize(("name", "policy", "phrases"), LISTS, ids=[f"{name} of {policy}" for name, policy, _ in LISTS])
def test_every_list_finds_its_phrases_and_nothing_else(name: str, policy: str, phrases: tuple[str, ...]) -> None:
    listed, plain = PhraseList.of(phrases), plain_pattern(phrases)
    for phrase in phrases:
        for text in (f"a {phrase} b", f"a{phrase} b", f"a {phrase}b", phrase.replace(" ", "* ~")):
            assert extents(listed.pattern, text) == extents(plain, text), text
            assert not is_hidden(listed, text), text


PHRASES = ("go", "going to", "going", "'ll", "'ll be", "'d rather", "that said,", "that said, if", "i'd")
words = st.sampled_from([*(word for phrase in PHRASES for word in phrase.split()), *"a *',_;", "  "])


@given(st.lists(words, max_size=10).map("".join))
def test_a_list_finds_the_same_in_any_text(text: str) -> None:
    listed = PhraseList.of(PHRASES)
    assert extents(listed.pattern, text) == extents(plain_pattern(PHRASES), text)
    assert not is_hidden(listed, text)


@pytest.mark.parametrize("policy", POLICIES.values(), ids=POLICIES)
def test_the_words_of_a_text_lead_to_every_list_that_may_stand_in_it(policy: Policy) -> None:
    patterns = compile_patterns(policy.words)
    for listed in patterns.lists:
        for needed in listed.words:
            among = patterns.standing_among(needed | {"figma"})
            assert among == {other for other in patterns.lists if any(words <= needed for words in other.words)}

    assert patterns.standing_among(frozenset({"figma", "penpot"})) == set()

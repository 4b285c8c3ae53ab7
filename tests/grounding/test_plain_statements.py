"""A sentence without a cue is not read by the rules of the gate, and comes out as if it had been."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import fields
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from prme.grounding import ground
from prme.grounding.cues import Cues, _telling
from prme.grounding.folded_text import fold_content
from prme.grounding.unit import read_unit
from prme.model.extraction import ExtractedClaim, Extraction
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

SAID_AT = datetime(2031, 4, 1, 9, tzinfo=UTC)
WORDS = SPEECH_ACT_WORDS_V14
PROPOSED = Extraction(
    claims=[
        ExtractedClaim(subject=subject, predicate=predicate, object="Figma", evidence_quote=quote)
        for subject in ("I", "Nadia")
        for predicate in ("uses", "says", "wants to use")
        for quote in (None, "Figma")
    ]
)


def phrases_of(name: str) -> Iterator[str]:
    for entry in getattr(WORDS, name):
        yield from (entry,) if isinstance(entry, str) else entry


LISTS = [field.name for field in fields(WORDS)]
plain = st.sampled_from(["I use Figma", "Nadia uses Figma", "i use", "Figma", "on most days", "Nadia", "I", "my"])
phrases = st.sampled_from(sorted({phrase for name in LISTS for phrase in phrases_of(name)}))
signs = st.sampled_from([*".,;?!'\"\n*_\u055e\u037e", " - ", "\u03ba\u03b1;", " "])
texts = st.lists(st.one_of(plain, phrases, signs), max_size=12).map(" ".join)


class _Everything(frozenset[str]):
    def isdisjoint(self, other: Iterable[str], /) -> bool:
        return False


@contextmanager
def every_unit_read() -> Iterator[None]:
    """Let no unit pass for a plain statement, and seek every list in it."""
    telling = _telling(WORDS)._replace(words=_Everything(), sign=re.compile(""))
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("prme.grounding.cues._telling", lambda words: telling)
        patched.setattr(Cues, "are_none", False)
        yield


def assert_decided_as_if_read(text: str) -> None:
    decided = ground(text, SAID_AT, PROPOSED, WORDS)
    with every_unit_read():
        assert decided == ground(text, SAID_AT, PROPOSED, WORDS)


@given(st.one_of(texts, texts.map(str.capitalize)))
@example("I'd use Figma")
@example("I use Figma?")
@example("Do I say so? I use Figma")
@example("Nadia said! i use Figma")
@example("Nadia mentioned lately that I use Figma")
@example("\u03ba\u03b1\u03b9 I use Figma;")
def test_the_gate_decides_as_if_it_read_every_sentence(text: str) -> None:
    assert_decided_as_if_read(text)


@pytest.mark.parametrize("name", LISTS)
def test_the_gate_decides_as_if_it_read_a_sentence_with_a_phrase_of_the_list(name: str) -> None:
    for phrase in phrases_of(name):
        for text in (f"{phrase} I use Figma", f"I {phrase} Figma", f"I use Figma, {phrase}", f"I{phrase} use Figma"):
            assert_decided_as_if_read(text)


@pytest.mark.parametrize("text", ["I use Figma on most days.", "I don't use Figma anymore.", "Nadia wears it, not I!"])
def test_a_plain_statement_has_nothing_to_read(text: str) -> None:
    folded = fold_content(text)

    assert read_unit(text, folded, (0, len(folded.text)), WORDS) is None

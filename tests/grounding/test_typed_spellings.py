"""Words typed as in a chat say what they say in a book: "dont", "id love to", "wud", "prolly"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from prme.grounding import ground
from prme.model.extraction import ExtractedClaim, Extraction
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14 as WORDS
from tests.grounding.conftest import SAID_AT

PROPOSED = Extraction(
    claims=[
        ExtractedClaim(subject=subject, predicate=predicate, object="Figma")
        for subject in ("my", "Nadia")
        for predicate in ("uses", "says", "wants to use", "prefers")
    ]
)
SURE = re.compile(rf"(?<![\w'])(?:{'|'.join(WORDS.contractions)})(?![\w'])")


# "Could you're": a phrase that ends within a contraction is no English, and stops being found without the apostrophe.
CUT_SHORT = tuple(f"{phrase}'" for phrase in WORDS.doubt_exceptions)


def bare(text: str) -> str:
    return SURE.sub(lambda match: match.group().replace("'", ""), text)


def outcomes(text: str) -> list[tuple[int, str, tuple[str, ...]]]:
    grounding = ground(text, SAID_AT, PROPOSED, WORDS)
    admitted = [(claim.position, claim.epistemic_type, claim.changes) for claim in grounding.admitted]
    return sorted(admitted + [(claim.position, claim.reason, ()) for claim in grounding.rejected])


contractions = st.sampled_from(WORDS.contractions)
phrases = st.sampled_from(
    sorted({*WORDS.disclaimers, *WORDS.modal_adverbs, *WORDS.comment_clauses, *WORDS.intentions, *WORDS.auxiliaries})
)
plain = st.sampled_from(
    ["i use Figma", "Nadia uses Figma", "my Figma", "Nadia", "i", "my", "use", "said", "think", ","]
)
texts = st.lists(st.one_of(contractions, phrases, plain), max_size=9).map(" ".join)


@given(texts)
@example("i don't remember that my Figma")
@example("don't i use my Figma")
@example("if you're wondering, i use my Figma")
@example("i wouldn't use my Figma")
@example("once i've moved i use my Figma")
@example("i'm told i use my Figma")
@example("Nadia doesn't think i use my Figma")
@example("they'd use my Figma")
def test_a_message_comes_out_alike_with_and_without_its_apostrophes(text: str) -> None:
    assume(not any(phrase in text for phrase in CUT_SHORT))

    assert outcomes(bare(text)) == outcomes(text)


@pytest.mark.parametrize(
    ("typed", "spelt"),
    [
        ("id love to use my Figma", "i'd love to use my Figma"),
        ("id use my Figma", "i'd use my Figma"),
        ("ok id rather have my Figma", "ok i'd rather have my Figma"),
        ("we said wed like my Figma", "we said we'd like my Figma"),
        ("ill use my Figma", "i'll use my Figma"),
        ("i think ill use my Figma", "i think i'll use my Figma"),
        ("fine, theyll use my Figma", "fine, they'll use my Figma"),
        ("lets use my Figma", "let's use my Figma"),
        ("lets say i use my Figma", "let's say i use my Figma"),
    ],
)
def test_what_would_or_will_be_is_no_deed_without_its_apostrophe_either(typed: str, spelt: str) -> None:
    assert outcomes(typed) == outcomes(spelt)
    assert outcomes(typed)[0][1:] != ("asserted", ())


def phrases_with(word: str) -> Iterator[str]:
    for field in fields(WORDS):
        for entry in getattr(WORDS, field.name):
            if isinstance(entry, str) and word in entry.split(" "):
                yield entry


@pytest.mark.parametrize(
    ("word", "typed"), [(word, typed) for word, *spellings in WORDS.typed_spellings for typed in spellings]
)
def test_a_word_counts_in_every_phrase_as_people_type_it(word: str, typed: str) -> None:
    for phrase in {word, *phrases_with(word)}:
        for text in (f"{phrase} i use my Figma", f"i {phrase} use my Figma", f"i use my Figma, {phrase} it"):
            assert outcomes(re.sub(rf"\b{word}\b", typed, text)) == outcomes(text), text


@pytest.mark.parametrize(
    "doubt", ["imma", "ima", "i'm finna", "im tryna", "i was boutta", "i needa", "i oughta", "i shoulda", "i woulda"]
)
def test_a_plan_in_one_word_is_no_deed(doubt: str, outcome) -> None:
    assert outcome(f"for me {doubt} use Figma").startswith("hypothetical")
    assert outcome("for me i use Figma") == "asserted"


def test_no_problem_is_no_doubt(outcome) -> None:
    assert outcome("no prob, i use Figma") == "asserted"
    assert outcome("prob i use Figma") == "hypothetical modal"


@pytest.mark.parametrize(
    "text",
    [
        "my id uses Figma",
        "id 44 uses my Figma",
        "id number 4 of my Figma",
        "id: my Figma",
        "i am ill and use Figma",
        "i feel ill, i use my Figma",
        "ill health made my Figma",
        "i fell ill with my Figma",
        "my phone lets Nadia use Figma",
        "it lets me use my Figma",
        "lets me use my Figma",
        "its my Figma",
        "we were in my Figma",
        "well, my Figma",
    ],
)
def test_what_is_a_word_of_its_own_is_no_contraction(text: str) -> None:
    assert outcomes(text)[0][1:] == ("asserted", ())


@pytest.mark.parametrize("typed", ["im", "ive", "Im", "Ive"])
def test_the_i_of_a_contraction_is_mentioned_without_the_apostrophe(typed: str, ground_one) -> None:
    claim = ground_one(f"so {typed} using Figma.")

    assert claim.epistemic_type == "asserted"
    assert claim.content == f"so {typed} using Figma."


@pytest.mark.parametrize(
    "text", ["We use IM and Figma.", "IVE likes Figma.", "im-port Figma", "limes, dimes, Figma", "im/Figma"]
)
def test_another_word_with_the_same_letters_does_not_mention_the_speaker(text: str, outcome) -> None:
    assert outcome(text) == "subject_not_mentioned"
    assert outcome(f"{text} Im here.") == "asserted"


def test_a_capital_i_in_a_word_of_capitals_still_mentions_with_its_apostrophe(outcome) -> None:
    assert outcome("I'M USING FIGMA.") == "asserted"

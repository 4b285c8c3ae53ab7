"""A sentence reads the same wherever in the message it stands."""

from __future__ import annotations

import pytest

from prme.grounding.cues import Cues
from prme.grounding.folded_text import fold_content
from prme.grounding.passage import _runs, _with_surroundings, find_own_sentences, find_passage, prepare
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

READINGS = [
    ("I use Figma.", "asserted"),
    ("What do you think? i use figma", "asserted"),
    ("Do I use Figma", "question"),
    ("So, do I use Figma", "question"),
    ("i use figma. do you?", "asserted"),
    ("Hm. i use figma. do you?", "asserted"),
    ("I use Figma if it rains.", "conditional"),
    ("If you must know, I use Figma.", "asserted"),
    ("I use Figma, if you must know.", "asserted"),
    ("If you ask me to draw, I use Figma.", "conditional"),
    ("I use Figma, says Bo.", "report"),
    ("I use Figma, which Bo says is great.", "asserted"),
    ("That said, I use Figma.", "asserted"),
    ("That said, Bo says I use Figma.", "report"),
    ("Bo told me I use Figma.", "report"),
    ("Apparently Bo left, but I use Figma.", "asserted"),
    ("Slogan: “I use Figma”.", "quotation"),
    ("Maybe Bo left, but I use Figma.", "asserted"),
    ("I may use Figma.", "hypothetical modal"),
    ("I'm going to the office and use Figma.", "asserted"),
    ("I want to rest, so I use Figma.", "asserted"),
    ("I'm going to use Figma.", "hypothetical intention"),
]


@pytest.mark.parametrize("before", ["", "Good morning.\n", "Good morning.\n\n"])
@pytest.mark.parametrize(("content", "expected"), READINGS)
def test_a_sentence_reads_the_same_after_others(content: str, expected: str, before: str, outcome) -> None:
    assert outcome(before + content) == expected


@pytest.mark.parametrize(("content", "expected"), READINGS)
def test_a_sentence_reads_the_same_before_others(content: str, expected: str, outcome) -> None:
    assert outcome(f"{content}\n\nGood night.") == expected


def test_the_address_of_a_page_moves_no_word(outcome) -> None:
    assert outcome("At https://example.org/a/very/long/page I use Figma and want to learn Penpot.") == "asserted"
    assert outcome("At https://example.org I want to learn how to use Figma.") == "hypothetical intention"


def test_words_that_lead_in_belong_to_the_paragraph_of_the_claim(outcome) -> None:
    assert outcome("Hello.\n\nIf it rains,\nI use Figma.") == "conditional"
    assert outcome("Hello.\n\nIf it rains,\nI use Figma.", evidence_quote="I use Figma.") == "conditional"
    assert outcome("Hello.\nIf it rains,\n\nI use Figma.") == "asserted"


def test_a_sentence_that_ends_in_a_colon_leads_in(outcome) -> None:
    assert outcome("Bo says:\nI use Figma") == "report"
    assert outcome("Bo says hi.\nI use Figma") == "asserted"


def test_a_run_beside_the_quote_is_not_on_it(ground_one) -> None:
    content = "I use Figma. It is fun. I use Figma daily."

    assert ground_one(content, evidence_quote="It is fun.").content == "I use Figma."
    assert ground_one(content, evidence_quote="fun. I").content == "I use Figma daily."


def test_a_quote_that_stands_twice_by_overlap_points_nowhere(outcome) -> None:
    assert outcome("哈哈哈\n\nI use Figma.", evidence_quote="哈哈") == "asserted"
    assert outcome("哈哈\n\nI use Figma.", evidence_quote="哈哈") == "subject_not_mentioned"


def test_a_mention_cut_by_the_end_of_the_passage_leaves_the_ones_before_it(outcome) -> None:
    content = "I live in New York, not in a new\n\nYork."

    assert outcome(content, object="New York", evidence_quote="I live in New York") == "asserted"
    assert outcome(content, object="New York", evidence_quote="in a new") == "asserted"
    assert outcome("I live in a new\n\nYork.", object="New York", evidence_quote="in a new") == "object_not_mentioned"


def test_a_condition_must_stand_in_the_passage_of_the_quote(outcome) -> None:
    content = "It rains.\n\nI use Figma."

    assert outcome(content, condition="It rains", evidence_quote="I use Figma.") == "asserted condition_unsupported"
    assert outcome(content, condition="It rains") == "asserted"


@pytest.mark.parametrize(("first", "last", "holds"), [(2, 3, True), (3, 5, False), (3, 6, True), (6, 9, False)])
def test_a_range_holds_its_first_position_and_not_its_last(first: int, last: int, holds: bool) -> None:
    assert Cues.has_any((2, 5), first, last) is holds


def test_an_empty_span_has_an_empty_extent() -> None:
    assert fold_content("a b").extent(1, 1) == (1, 1)
    assert fold_content("a b").extent(0, 2) == (0, 1)


@pytest.mark.parametrize(
    "content", ["I use Figma", "Figma, I use it, Figma. ", "\n  (I use Figma)", "If Figma runs I run,"]
)
@pytest.mark.parametrize("quote", [None, "Figma", "use Figma", "I"])
def test_one_sentence_is_all_that_a_claim_in_it_can_have(content: str, quote: str | None) -> None:
    source = prepare(content, SPEECH_ACT_WORDS_V14)
    passage = find_passage(source, quote)
    if isinstance(passage, str):
        return
    subjects, objects = source.mentions("I", passage.extent), source.mentions("Figma", passage.extent)

    assert set(_runs(source, subjects, objects)) == {(0, 1)}
    assert find_own_sentences(source, passage, subjects, objects) == _with_surroundings(source, passage, 0, 1)

"""The table of patterns: every row is shown by its own example and silenced by its counter-example."""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files
from typing import Any

import pytest

from prme_extractors.lexical.extractor import extract_text, find_all
from prme_extractors.lexical.reading import read_message
from prme_extractors.lexical.table import Pattern, pattern_table
from prme_extractors.lexical.vocabulary import places, table, vocabulary

PATTERNS = pattern_table().patterns
ROWS: list[dict[str, Any]] = tomllib.loads(
    files("prme_extractors.lexical").joinpath("patterns.toml").read_text(encoding="utf-8")
)["pattern"]


def named(pattern: Pattern) -> str:
    return pattern.name


@pytest.mark.parametrize("pattern", [pattern for pattern in PATTERNS if not pattern.waits], ids=named)
def test_every_example_fires_its_own_pattern(pattern: Pattern) -> None:
    assert pattern.name in [finding.pattern.name for finding in find_all(read_message(pattern.example))]


@pytest.mark.parametrize("pattern", PATTERNS, ids=named)
def test_every_example_makes_a_claim(pattern: Pattern) -> None:
    assert extract_text(pattern.example).claims != []


@pytest.mark.parametrize("pattern", PATTERNS, ids=named)
def test_every_counter_example_is_silent(pattern: Pattern) -> None:
    assert extract_text(pattern.counter).claims == []


def test_no_two_patterns_share_a_name() -> None:
    assert len({pattern.name for pattern in PATTERNS}) == len(PATTERNS)


def test_every_pattern_that_completes_another_names_a_waiting_one() -> None:
    completed = {name for pattern in PATTERNS for name in pattern.after}
    waiting = {pattern.name for pattern in PATTERNS if pattern.waits}
    endings = {pattern.name for pattern in PATTERNS if pattern.polarity == "negative"}

    assert waiting <= completed <= endings | waiting


def test_every_pattern_without_a_verb_or_attribute_names_its_predicate() -> None:
    told_by_verb = {"verb", "habit_noun", "activity", "front", "detail", "trace", "date", "written_name", "partner"}
    told_by_verb |= {"deed", "verb_not_but", "dated_with", "trace_of_numbered"}
    told_by_object = {"setting", "became", "made", "not_but", "plan", "pair"}
    nameless = [
        row["name"]
        for row in ROWS
        if "predicate" not in row and row["takes"] not in told_by_verb | told_by_object | {"nothing"}
    ]

    assert [] == nameless


def test_one_verb_form_never_stands_for_two_predicates() -> None:
    forms = [(form, verb.predicate) for verb in vocabulary().verbs for form in (verb.base, verb.s, verb.ing)]

    assert len({form for form, _ in forms}) == len(forms)


def test_words_are_lower_case_with_the_plain_apostrophe() -> None:
    words = {word for key in vocabulary().lists if key != "names.followed_by" for word in vocabulary()[key]}

    assert [word for word in words if word != word.lower() or re.search("[\u2018\u2019]", word)] == []


def test_doubts_are_lower_case_with_the_plain_apostrophe() -> None:
    doubts = table("doubts.toml")
    words = {word for lists in doubts.values() for phrases in lists.values() for word in phrases}

    assert [word for word in words if word != word.lower() or re.search("[\u2018\u2019]", word)] == []


@pytest.mark.parametrize("cue", table("doubts.toml")["corrections"]["cues"])
def test_every_doubt_in_a_later_sentence_blocks_a_change(cue: str) -> None:
    assert [claim.object for claim in extract_text("I switched to Figma. My cat is happy today.").claims] == ["Figma"]
    assert extract_text(f"I switched to Figma. My cat is happy {cue} today.").claims == []


@pytest.mark.parametrize("saying", table("doubts.toml")["corrections"]["harmless"])
def test_every_harmless_saying_leaves_a_correction_whole(saying: str) -> None:
    assert [claim.object for claim in extract_text(f"I no longer use Figma. {saying.capitalize()}.").claims] == [
        "Figma"
    ]


@pytest.mark.parametrize("frame", table("doubts.toml")["frames"]["before"])
def test_every_frame_silences_what_follows_it(frame: str) -> None:
    assert [claim.object for claim in extract_text("My cat is happy. I use Figma.").claims] == ["Figma"]
    assert extract_text(f"My cat is happy {frame}. I use Figma.").claims == []


@pytest.mark.parametrize("name", ["chur", "boston", "new york", "oslo", "finland", "texas"])
def test_places_hold_towns_and_regions(name: str) -> None:
    assert name in places()


def test_places_hold_no_tools() -> None:
    assert [name for name in ("vim", "emacs", "kotlin", "slack") if name in places()] == []


def test_no_doubt_is_listed_twice() -> None:
    doubts = table("doubts.toml")

    assert [] == [
        word for lists in doubts.values() for words in lists.values() for word in words if words.count(word) > 1
    ]

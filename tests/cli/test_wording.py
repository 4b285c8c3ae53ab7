"""Every code that a person may meet has words."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import pytest

import prme
from prme.cli import wording
from prme.cli.stored_part import NOT_PUBLISHED
from prme.cli.wording import in_words
from prme.explanation import near_miss_words
from prme.explanation import wording as explained
from prme.extraction import failures
from prme.journal.chain import JournalKind
from prme.model.decision import Match, Reason, Test, Via
from prme.model.extraction import EpistemicType
from prme.model.node import Status

PACKAGE = Path(prme.__file__).parent
GROUNDING = "\n".join(file.read_text(encoding="utf-8") for file in (PACKAGE / "grounding").glob("*.py"))


@pytest.mark.parametrize(
    ("literal", "table"),
    [
        (Reason, explained.REASONS),
        (Test, near_miss_words.FAILED),
        (Test, near_miss_words.TESTS),
        (Match, explained.MATCHES),
        (Via, explained.VIAS),
        (Status, wording.STATUSES),
        (EpistemicType, wording.EPISTEMIC_TYPES),
        (JournalKind, wording.JOURNAL_KINDS),
    ],
)
def test_every_value_of_a_closed_set_has_words(literal: Any, table: Mapping[str, str]):
    assert set(table) == set(get_args(literal))


@pytest.mark.parametrize("table", [explained.REJECTIONS, explained.CHANGES])
def test_every_grounding_code_in_the_table_is_one_that_grounding_gives(table: Mapping[str, str]):
    assert [code for code in table if f'"{code}"' not in GROUNDING] == []


def test_every_code_that_grounding_returns_has_words():
    codes = set(re.findall(r'(?:return|append\(|said_at,|reason=) ?"([a-z_]+)"', GROUNDING))

    assert "question" in codes
    assert codes - set(explained.REJECTIONS) - set(explained.CHANGES) == set()


def test_every_failure_of_an_extractor_has_words():
    codes = {failures.UNAVAILABLE, failures.TIMEOUT, failures.INVALID, failures.FAULT, NOT_PUBLISHED}

    assert codes - set(wording.FAILURES) == set()


def test_every_difference_that_verification_names_has_words():
    source = "\n".join(file.read_text(encoding="utf-8") for file in (PACKAGE / "verification").rglob("*.py"))
    named = set(re.findall(r'what="([a-z_]+)"', source)) | set(re.findall(r'\n +"([a-z_]+)",\n +"select ', source))

    assert {"journal_digest", "interval_version"} <= named
    assert named - set(wording.DIFFERENCES) == set()


@pytest.mark.parametrize("via", get_args(Via))
def test_a_match_and_its_way_read_as_one_sentence(via: Via):
    # The page sets a comma between the two, which no second sentence may follow.
    assert explained.VIAS[via].startswith(("with ", "and "))


@pytest.mark.parametrize("test", get_args(Test))
def test_the_words_of_a_test_say_what_would_have_retired_the_near_miss(test: Test):
    assert re.search("would have (been )?retired", near_miss_words.TESTS[test])


def test_the_words_of_a_test_name_only_what_the_page_fills_in():
    names = {
        name for text in near_miss_words.TESTS.values() for _, name, _, _ in string.Formatter().parse(text) if name
    }

    assert names == {"found", "needed"}


def test_an_unknown_code_prints_as_it_is():
    assert in_words(explained.REJECTIONS, "a_later_code") == "a_later_code"


def test_a_known_code_prints_in_words():
    assert in_words(explained.REJECTIONS, "question") == "the sentence asks, it does not state"

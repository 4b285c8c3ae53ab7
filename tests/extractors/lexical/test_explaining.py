"""The explanation: which pattern matched what, and why a clause was left."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme_extractors.lexical import explain, extract_text
from prme_extractors.lexical.table import pattern_table

EXAMPLES = [text for pattern in pattern_table().patterns for text in (pattern.example, pattern.counter)]


def test_a_clause_that_was_read_names_its_pattern_its_span_and_its_claim() -> None:
    (clause,) = explain("Yes, I use Vim.").clauses[1:]

    assert ("claims", "habit", "I use Vim", None) == (clause.outcome, clause.pattern, clause.quote, clause.why)
    assert "I use Vim" == "Yes, I use Vim."[clause.start : clause.end]
    assert [("uses", "Vim")] == [(claim.predicate, claim.object) for claim in clause.claims]


@pytest.mark.parametrize(
    ("text", "outcome", "pattern", "why"),
    [
        ("Do I use Vim?", "not_read", None, "a question states nothing"),
        (
            "I wish I used Vim.",
            "not_read",
            None,
            "'wish' makes its sentence unreal, somebody else's word or taken back",
        ),
        ("`I use Vim`", "not_read", None, "it is quoted, code, struck out or a pasted reply"),
        ("Colourless ideas vanish.", "not_read", None, "no pattern begins like it"),
        ("I use it.", "not_read", "habit", "the pattern takes no such object: 'it'"),
        ("I don't use Vim at work.", "not_read", "denial_ended", "the pattern does not read on: 'at work'"),
        ("The logo isn't red.", "waiting", "thing_is_not", "it waits for a clause that says what is so now"),
        ("Thanks.", "nothing_said", None, "it says nothing that could be kept"),
        ("word " * 200, "not_read", None, "a sentence of more than 600 characters is a list or a log"),
    ],
)
def test_a_clause_that_makes_no_claim_says_why(text: str, outcome: str, pattern: str | None, why: str) -> None:
    (clause,) = explain(text).clauses

    assert (outcome, pattern, why) == (clause.outcome, clause.pattern, clause.why)


@pytest.mark.parametrize(
    ("rest", "why"),
    [
        (" Not really.", "the rest of its sentence or the next one takes it back"),
        (" Nice. Please disregard.", "the message takes it back later"),
        (" Who cares?", "a change counts only where every other clause of the message was read and leaves it whole"),
    ],
)
def test_a_change_that_is_blocked_by_what_stands_around_it_says_so(rest: str, why: str) -> None:
    blocked = explain(f"I no longer use Vim.{rest}").clauses[0]
    control = explain("I no longer use Vim.").clauses[0]

    assert ("blocked", why) == (blocked.outcome, blocked.why)
    assert ("claims", None) == (control.outcome, control.why)
    assert blocked.pattern == control.pattern == "no_longer"


def test_a_frame_is_told_as_one() -> None:
    clause = explain("Translate this. I use Vim.").clauses[-1]

    assert ("blocked", "habit") == (clause.outcome, clause.pattern)
    assert "words before it make it material to work on, a game or somebody's words" == clause.why


def test_only_a_person_is_read() -> None:
    assert ((), ()) == (explain("I use Vim.", role="tool").clauses, explain("I use Vim.", role="tool").claims)
    assert "role 'tool'" in str(explain("I use Vim.", role="tool").why)
    assert explain("I use Vim.", role="human").claims != ()


@pytest.mark.parametrize("text", ["", "   ", "...", "I use Vim. jk"])
def test_a_text_without_clauses_or_one_that_is_taken_back_says_so(text: str) -> None:
    assert (explain(text).clauses, explain(text).why is None) == ((), False)


def test_it_is_a_value_that_can_be_written_as_json() -> None:
    written = explain("I use Vim.").model_dump(mode="json")

    assert ["lexical-2", "I use Vim"] == [written["model"], written["clauses"][0]["text"]]


@pytest.mark.parametrize("text", EXAMPLES)
def test_it_explains_what_is_extracted(text: str) -> None:
    assert extract_text(text).claims == list(explain(text).claims)


@given(
    st.lists(st.sampled_from([*EXAMPLES, " ", "\n", ", not red", "? ", " and ", " but ", '"', ": "]), max_size=6).map(
        "".join
    )
)
def test_it_explains_what_is_extracted_from_any_text(text: str) -> None:
    assert extract_text(text).claims == list(explain(text).claims)

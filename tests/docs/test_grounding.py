"""docs/grounding.md: every example is run, and every list that the page prints is the gate's."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from datetime import UTC, datetime

import pytest

from prme import Extraction
from prme.explanation.wording import CHANGES, REJECTIONS
from prme.grounding import ground
from prme.grounding.dates import LONGEST_TEMPORAL_REF
from prme.model.claim import GroundedClaim, RejectedClaim
from prme.policy.registry import get_policy
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14, SpeechActWords
from tests.docs.conversations import proposed_claim
from tests.docs.pages import ROOT, codes, plain, tables_of

PAGE = ROOT / "docs" / "grounding.md"
TABLES = tables_of(PAGE)
SAID_AT = datetime(2031, 4, 7, 9, 0, tzinfo=UTC)
# The one code whose example would not fit a table.
WITHOUT_EXAMPLE = {"temporal_ref_too_long"}


@dataclass(frozen=True)
class Example:
    """One row: a message, what is proposed for it, and the outcome as the page words it."""

    rule: str
    message: str
    proposed: str
    outcome: tuple[str, ...]


def examples() -> Iterator[Example]:
    for table in TABLES:
        if table.columns == ("Rule", "Message", "Proposed", "Outcome"):
            for rule, message, proposed, outcome in table.rows:
                yield Example(plain(rule), plain(message), codes(proposed)[0], tuple(plain(outcome).split("; ")))


EXAMPLES = list(examples())


def outcome_of(example: Example) -> GroundedClaim | RejectedClaim:
    extraction = Extraction(claims=[proposed_claim(example.proposed)])
    grounding = ground(example.message, SAID_AT, extraction, SPEECH_ACT_WORDS_V14)
    assert len(grounding.admitted) + len(grounding.rejected) == 1
    return grounding.admitted[0] if grounding.admitted else grounding.rejected[0]


def in_words(example: Example, outcome: GroundedClaim | RejectedClaim) -> list[str]:
    """Return an outcome as the page words it, as far as the row speaks of it."""
    if isinstance(outcome, RejectedClaim):
        return [f"rejected: {outcome.reason}"]
    proposed = proposed_claim(example.proposed)
    word = "admitted" if outcome.epistemic_type == proposed.epistemic_type else outcome.epistemic_type
    said = [f"{word}: {', '.join(outcome.changes)}" if outcome.changes else word]
    for statement in example.outcome[1:]:
        name = statement.partition(" ")[0]
        said.append(
            f"content {outcome.content}" if name == "content" else f"effective {outcome.effective_at:%Y-%m-%d %H:%M}"
        )
    return said


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: re.sub(r"\W+", "-", example.rule))
def test_an_example_comes_out_as_printed(example: Example):
    assert list(example.outcome) == in_words(example, outcome_of(example))


def test_evidence_slices_to_the_text_of_the_message():
    admitted = [(e, outcome) for e in EXAMPLES if isinstance(outcome := outcome_of(e), GroundedClaim)]

    assert [outcome.content for _, outcome in admitted] == [
        example.message[outcome.spans[0].start : outcome.spans[0].end] for example, outcome in admitted
    ]


def codes_of(first_column: str) -> set[str]:
    return {codes(row[0])[0] for table in TABLES if table.columns[0] == first_column for row in table.rows}


def test_the_page_lists_every_reason_for_a_rejection():
    assert set(REJECTIONS) == codes_of("Rejected for")


def test_the_page_lists_every_change():
    assert set(CHANGES) == codes_of("Code")


def test_every_code_has_an_example():
    shown = {code for example in EXAMPLES for code in re.findall(r"\w+", example.outcome[0].partition(": ")[2])}

    assert (set(REJECTIONS) | set(CHANGES)) - WITHOUT_EXAMPLE == shown


def test_a_time_reference_may_be_as_long_as_the_page_says():
    assert f"longer than {LONGEST_TEMPORAL_REF} characters" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize("policy", ["speech_act_v13", "speech_act_v14"])
def test_a_policy_reads_with_the_printed_lists(policy: str):
    assert get_policy(policy).words == SPEECH_ACT_WORDS_V14


def test_the_word_lists_are_those_of_the_policy(compare_part: Callable[..., None]):
    compare_part(PAGE, "words", printed_lists(SPEECH_ACT_WORDS_V14))


def printed_lists(words: SpeechActWords) -> str:
    """Return every list with what it is for, as the docstring of its class says it."""
    about = dict(re.findall(r"^ {4}(\w+): (.+)$", inspect.getdoc(SpeechActWords) or "", re.MULTILINE))
    parts = [_printed(field.name, about[field.name], getattr(words, field.name)) for field in fields(words)]
    return "\n" + "\n\n".join(parts) + "\n\n"


def _printed(name: str, about: str, entries: tuple[str | tuple[str, ...], ...]) -> str:
    lines = [", ".join(entry) for entry in entries if isinstance(entry, tuple)]
    return f"### `{name}`\n\n{about[0].upper()}{about[1:]}\n\n```text\n{_text(lines, entries)}\n```"


def _text(lines: list[str], entries: tuple[str | tuple[str, ...], ...]) -> str:
    return "\n".join(lines) if lines else _wrapped([str(entry) for entry in entries])


def _wrapped(entries: list[str]) -> str:
    lines: list[str] = []
    for entry in entries:
        if lines and len(lines[-1]) + len(entry) < 110:
            lines[-1] += f" | {entry}"
        else:
            lines.append(entry)
    return "\n".join(lines)

"""Surroundings: which findings of a message its other sentences leave standing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import repeat
from operator import attrgetter
from typing import Literal, NamedTuple

from prme_extractors.lexical import doubts
from prme_extractors.lexical.findings import Finding
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.remainders import (
    is_clean_sentence,
    is_harmless_rest,
    is_read_sentence,
    is_saying,
    is_upgrade,
    may_pause,
    target_of,
)

# Sentences from a correction to the end of its message; nobody vouches for a longer text, and time stays linear.
_FURTHEST = 40
_SHORT = 5
# "I quit in 2015" must not take effect today. A reason may pass, and so may what it ended; "on Mondays" ends only the
# Mondays.
_PASSING = frozenset({"distant", "reason", "frequency"})
# "I drink tea at work instead of coffee now" says nothing about home.
_NARROWING = frozenset({"circumstance", "frequency", "purpose", "over", "moment", "degree"})
# What mostly stands behind a finding.
_STOPS = frozenset({"", ".", "!"})
_LETTER = re.compile(r"[^\W_]")
# "*Teams": the word that should have been written.
_STARRED = re.compile(r"\s*\*\s?\w[\w ]*\Z")
# "- Ann": the sentence before it is Ann's.
_SIGNED = re.compile(r"\s*[-~\u2013\u2014]{1,2}\s?[^\W\d_a-z][\w.]*(?:\s[^\W\d_a-z][\w.]*)?\s*\Z")


class Sentence(NamedTuple):
    """A sentence `[start, end)` and what its clauses say by themselves."""

    start: int
    end: int
    findings: tuple[Finding, ...]


findings_of = attrgetter("findings")
"""The findings of a sentence, for one look at all sentences."""

Block = Literal["taken_back_later", "framed", "taken_back", "not_clean"]
"""Why a finding makes no claim: something takes it back at the end of the message or right after it, a frame before it
makes it somebody's words or a game, or it is a change and the rest of the message was not read."""


def standing(reading: Reading, sentences: Sequence[Sentence]) -> tuple[Finding, ...]:
    """Return the findings, in order, that nothing around them frames, takes back or doubts."""
    return tuple([finding for found in judged(reading, sentences) for finding, block in found if block is None])


def judged(reading: Reading, sentences: Sequence[Sentence]) -> tuple[tuple[tuple[Finding, Block | None], ...], ...]:
    """Return the findings of every sentence with what blocks them."""
    told = tuple(map(findings_of, sentences))
    if not any(told):
        return tuple(() for _ in sentences)
    frame = _frame(reading)
    takeback = _last_takeback(reading)

    def judge(finding: Finding, index: int) -> tuple[Finding, Block | None]:
        if takeback >= finding.quote[1]:
            return finding, "taken_back_later"
        if finding.quote[0] > frame:
            return finding, "framed"
        if _is_taken_back(reading, finding, sentences, index):
            return finding, "taken_back"
        if not finding.is_change or _is_clean(reading, finding, sentences, index):
            return finding, None
        # "It's on Thursday, not Tuesday. Can you tell Ann?": Thursday is told, and nothing is ended by it.
        plain = finding.without_former() if _is_clean_inside(reading, finding, sentences, index) else None
        return (finding, "not_clean") if plain is None else (plain, None)

    return tuple(tuple(map(judge, findings, repeat(index))) for index, findings in enumerate(told))


def _frame(reading: Reading) -> int:
    """Return where the first frame begins: what stands after it is nobody's statement."""
    low, words = reading.low, reading.words
    if _framing().isdisjoint(words) and ":" not in low:
        return len(low)
    frames = [
        reading.find(doubts.anywhere("frames.before"), 0, len(low)),
        doubts.order().search(low) if doubts.anywhere("frames.imperative").may_stand_among(words) else None,
        doubts.teller().search(low) if ":" in low or doubts.may_tell(words) else None,
    ]
    return min([found.start() for found in frames if found is not None], default=len(low))


@cache
def _framing() -> frozenset[str]:
    """Return words of which a message without a colon holds one where something frames it."""
    return doubts.anywhere("frames.before", "frames.imperative").telling | doubts.telling_of_others()


def _last_takeback(reading: Reading) -> int:
    takebacks = doubts.anywhere("takebacks.anywhere")
    if not takebacks.may_stand_among(reading.words):
        return -1
    return max((found.start() for found in takebacks.expression.finditer(reading.low)), default=-1)


def _is_taken_back(reading: Reading, finding: Finding, sentences: Sequence[Sentence], index: int) -> bool:
    """Whether the rest of the sentence or the next one says that it is not so, or not meant."""
    start, end = finding.quote[1], sentences[index].end
    if reading.low[start:end] not in _STOPS and (
        _denies(reading, finding, start, end) or doubts.irony().search(reading.low, start, end)
    ):
        return True
    if index + 1 == len(sentences):
        return False
    after = sentences[index + 1]
    text = reading.low[after.start : after.end]
    if _denies(reading, finding, after.start, after.end) or _STARRED.match(text) is not None:
        return True
    if _SIGNED.match(reading.text, after.start, after.end) is not None:
        return True
    if _LETTER.search(text) is None:
        return doubts.irony().search(text) is not None
    return _is_restated(text, finding, after) if after.findings else _is_short_denial(text)


def _is_short_denial(text: str) -> bool:
    if len(text.split()) >= _SHORT or is_saying(text):
        return False
    return doubts.opening("takebacks.short").match(text.lstrip(" ([-*\u2014\u2013")) is not None


def _is_restated(text: str, finding: Finding, after: Sentence) -> bool:
    """Whether "No, I have a dog" takes the place of "I have a cat"."""
    if doubts.opening("takebacks.restarts").match(text) is None:
        return False
    return any(
        other.predicates == finding.predicates and other.pattern.polarity == finding.pattern.polarity
        for other in after.findings
    )


def _denies(reading: Reading, finding: Finding, start: int, end: int) -> bool:
    words = reading.words_in(start, end)
    if doubts.anywhere("takebacks.near").search(words, reading.low, start, end) is not None:
        return True
    is_told = finding.pattern.polarity == "positive"
    return is_told and doubts.gone().search(words, reading.low, start, end) is not None


def _is_clean(reading: Reading, correction: Finding, sentences: Sequence[Sentence], index: int) -> bool:
    """Whether the message leaves the correction whole: nothing that doubts, narrows or undoes it, before or after."""
    if not _is_clean_inside(reading, correction, sentences, index):
        return False
    later = sentences[index + 1 :]
    others = (*sentences[:index], *later) if correction.retires else later
    if not others:
        return True
    target = target_of(correction)
    leaves_whole = is_read_sentence if correction.retires else is_clean_sentence
    return all(leaves_whole(reading, other.start, other.end, other.findings, target) for other in others)


def _is_clean_inside(reading: Reading, correction: Finding, sentences: Sequence[Sentence], index: int) -> bool:
    """Whether its own sentence leaves the correction whole, and nobody laughs before it."""
    kinds = correction.tail.kinds
    if len(sentences) > _FURTHEST or (kinds and correction.retires and not _PASSING.isdisjoint(kinds)):
        return False
    if kinds and correction.former is not None and not _NARROWING.isdisjoint(kinds):
        return False
    if index and doubts.amusement().search(reading.low, sentences[index - 1].start, sentences[index - 1].end):
        return False
    if is_upgrade(correction) or may_pause(reading, correction):
        return False
    own = sentences[index]
    return is_harmless_rest(reading, own.start, own.end, own.findings, correction)

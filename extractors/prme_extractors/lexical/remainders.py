"""Remainders: whether what a correction leaves unread in a sentence may stand beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical import doubts
from prme_extractors.lexical.clauses import Clause, has_words, is_lead_only, split_clauses
from prme_extractors.lexical.findings import Finding
from prme_extractors.lexical.phrases import Phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.tails import dates_a_change
from prme_extractors.lexical.vocabulary import vocabulary

Span = tuple[int, int]

_WORD = re.compile(r"[^\W_][\w'-]*")
# Words; what is shorter leans on what was said before it.
_SHORTEST = 2
_SHORTEST_SENTENCE = 4
_LONGEST_SENTENCE = 600
_FUNCTION_WORDS = frozenset({"of", "and", "the", "a", "an", "in", "to", "for", "with", "my"})
# What somebody switched to, they used before or use now.
_ALSO = {"switched_to": ("uses",)}

_TAKEN_IN = frozenset({"takes", "drinks", "eats", "smokes"})


class Target(NamedTuple):
    """What a correction ends: the words of every object that it closes, and the forms of its verb.

    `momentary` says that the correction may tell of one occasion only, `retires` that it ends a claim: then nothing may
    stand beside it that was not read.
    """

    objects: tuple[frozenset[str], ...]
    words: frozenset[str]
    verbs: frozenset[str]
    momentary: bool
    retires: bool


def target_of(correction: Finding) -> Target:
    """Return what a correction ends."""
    phrases = correction.objects.phrases if correction.former is None else (correction.former,)
    objects = tuple(map(_stems, phrases))
    return Target(
        objects,
        frozenset().union(*objects),
        _verb_forms(correction.predicates),
        correction.pattern.momentary,
        correction.retires,
    )


def may_pause(reading: Reading, correction: Finding) -> bool:
    """Whether the message tells why somebody pauses what they take in ("Scan is on Friday"), or left a shop."""
    if not correction.retires:
        return False
    if not _TAKEN_IN.isdisjoint(correction.predicates):
        return reading.find(doubts.anywhere("corrections.pausing"), 0, len(reading.low)) is not None
    if correction.predicates != ("works_at",):
        return False
    return reading.find(doubts.anywhere("corrections.shopping"), 0, len(reading.low)) is not None


def is_upgrade(correction: Finding) -> bool:
    """Whether the new value holds the old one, as in "from Slack to Slack Enterprise": the same thing, only more."""
    if correction.former is None:
        return False
    return any(_stems(correction.former) <= _stems(phrase) for phrase in correction.objects.phrases)


def is_harmless_rest(reading: Reading, start: int, end: int, findings: Iterable[Finding], correction: Finding) -> bool:
    """Whether what stands around a correction in its own sentence `[start, end)` leaves it whole."""
    if end - start > _LONGEST_SENTENCE or _is_ironic(reading.low, start, correction.quote[0]):
        return False
    if doubts.amusement().search(reading.low, start, end) or not _has_lasting_reason(reading.low, correction):
        return False
    if correction.quote[0] <= start and not has_words(reading.low, correction.quote[1], end):
        return True
    target = target_of(correction)
    others = [finding for finding in findings if finding is not correction]
    return all(
        _is_harmless_clause(reading, clause, others, target)
        for clause in split_clauses(reading.low, start, end)
        if not _overlap(clause, correction.quote)
    )


def is_read_sentence(reading: Reading, start: int, end: int, findings: Sequence[Finding], target: Target) -> bool:
    """Whether every clause of another sentence was read and speaks of something else, or is known to say nothing."""
    low = reading.low
    if doubts.amusement().search(low, start, end) or not all(
        _is_another_matter(finding, target) for finding in findings
    ):
        return False
    if is_saying(low[start:end]) or _WORD.search(low, start, end) is None:
        return True
    cues = doubts.anywhere("corrections.cues").expression
    return all(
        _is_understood(low, clause, findings)
        or (is_lead_only(low, clause) and cues.search(low, clause.start, clause.end) is None)
        for clause in split_clauses(low, start, end)
    )


def is_clean_sentence(reading: Reading, start: int, end: int, findings: Sequence[Finding], target: Target) -> bool:
    """Whether a later sentence leaves a correction whole."""
    if end - start > _LONGEST_SENTENCE or doubts.amusement().search(reading.low, start, end):
        return False
    if not all(_is_another_matter(finding, target) for finding in findings):
        return False
    unread = [
        clause
        for clause in split_clauses(reading.low, start, end)
        if not _is_understood(reading.low, clause, findings) and not (findings and is_lead_only(reading.low, clause))
    ]
    if not unread or is_saying(reading.low[start:end]):
        return True
    if len(_WORD.findall(reading.low, start, end)) < _SHORTEST_SENTENCE or not _opens_statement(reading, unread[0]):
        return False
    return not any(
        _is_doubtful(reading.low, _past_request(reading.low, clause), clause.end, target) for clause in unread
    )


def _is_harmless_clause(reading: Reading, clause: Clause, others: list[Finding], target: Target) -> bool:
    if is_lead_only(reading.low, clause) and not _is_ironic(reading.low, clause.start, clause.end):
        return True
    if clause.mark in doubts.words("corrections.turning"):
        return False
    touching = [finding for finding in others if _overlap(clause, finding.quote)]
    if touching and _is_understood(reading.low, clause, touching):
        return all(_is_another_matter(finding, target) for finding in touching)
    if is_saying(reading.low[clause.start : clause.end]):
        return True
    if target.retires:
        return False
    words = _WORD.findall(reading.low, clause.start, clause.end)
    return (
        len(words) >= _SHORTEST
        and words[-1] not in doubts.words("corrections.bare")
        and doubts.own_clause().match(reading.low, clause.statement, clause.end) is not None
        and not _is_doubtful(reading.low, clause.start, clause.end, target)
    )


def _is_doubtful(low: str, start: int, end: int, target: Target) -> bool:
    if doubts.anywhere("corrections.cues").expression.search(low, start, end) or doubts.pointer().search(
        low, start, end
    ):
        return True
    if target.momentary and doubts.happened().search(low, start, end):
        return True
    words = set(_WORD.findall(low, start, end))
    return bool(words & target.verbs or {_stem(word) for word in words} & target.words)


def _is_another_matter(finding: Finding, target: Target) -> bool:
    """Whether a clause that was read speaks of something else: neither object holds all words of the other."""
    if finding.condition is not None or finding.reported:
        return False
    if finding.is_correction and finding.pattern.polarity == "negative":
        return True
    told = [_stems(phrase) for phrase in finding.objects.phrases]
    return not any(words <= ended or ended <= words for words in told for ended in target.objects)


def _is_understood(low: str, clause: Clause, findings: Iterable[Finding]) -> bool:
    start = clause.statement
    return any(finding.quote[0] <= start and clause.end <= finding.quote[1] for finding in findings)


def _has_lasting_reason(low: str, correction: Finding) -> bool:
    """Whether no reason is given, or one that ends a habit rather than an hour of it."""
    for kind, (start, end) in correction.tail.pieces:
        if kind not in {"reason", "since"}:
            continue
        if kind == "since" and correction.retires:
            if not dates_a_change(low, start, end):
                return False
            continue
        if doubts.anywhere("corrections.cues", "corrections.passing").expression.search(low, start, end):
            return False
        # "I stopped playing because ..." may be about one evening.
        if kind == "reason" and correction.is_event and not doubts.opening("corrections.causes").match(low, start, end):
            return False
    return True


def _is_ironic(low: str, start: int, end: int) -> bool:
    return start < end and doubts.anywhere("corrections.ironic").expression.search(low, start, end) is not None


def _opens_statement(reading: Reading, clause: Clause) -> bool:
    start = clause.statement
    return (
        doubts.own_clause().match(reading.low, start, clause.end) is not None
        or _past_request(reading.low, clause) > start
    )


def _past_request(low: str, clause: Clause) -> int:
    start = clause.statement
    found = doubts.opening("corrections.requests").match(low, start, clause.end)
    return start if found is None else found.end()


def is_saying(low: str) -> bool:
    """Whether the text is a saying that changes nothing: "Thanks", "It was time"."""
    return " ".join(_WORD.findall(low)) in doubts.words("corrections.harmless")


def _overlap(clause: Clause, span: Span) -> bool:
    return clause.start < span[1] and span[0] < clause.end


def _stems(phrase: Phrase) -> frozenset[str]:
    return frozenset([_stem(word) for word in phrase.words if word not in _FUNCTION_WORDS])


def _stem(word: str) -> str:
    """Return the word without a plural or possessive ending, alike for both forms."""
    word = word.removesuffix("'s").rstrip("'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    return word.rstrip("s").rstrip("e") if len(word) > 3 else word


@cache
def _verb_forms(predicates: tuple[str, ...]) -> frozenset[str]:
    meant = {also for predicate in predicates for also in (predicate, *_ALSO.get(predicate, ()))}
    return frozenset(
        form.split()[0]
        for verb in vocabulary().verbs
        if verb.predicate in meant
        for form in (verb.base, verb.s, verb.ing)
    )

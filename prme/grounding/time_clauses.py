"""Time clauses in the present tense: "as soon as I stop" tells of what is to come, not of what is."""

from __future__ import annotations

from bisect import bisect_left

from prme.grounding.folded_text import Extent
from prme.grounding.placement import Placement, begins_subject, mentions_within
from prme.grounding.reports import has_break
from prme.grounding.verb_cues import is_past
from prme.policy.speech_act_words import SpeechActWords

_LONGEST_CLAUSE = 30


def is_yet_to_come(placement: Placement, words: SpeechActWords, *, is_dated: bool) -> bool:
    """Return whether the claim is told of a time to come, though in the present tense.

    Subject and object stand together in a time clause whose verb is in no past form, or beside a time to come; such a
    time adds nothing when the claim `is_dated` ahead anyway.
    """
    cues = placement.unit.cues
    if any(_holds_claim(placement, opener, words) for opener in cues.time_clauses):
        return True
    coming_times = () if is_dated else cues.coming_times
    if any(_holds_claim(placement, coming, words) for coming in coming_times):
        return True
    if any(_follows_claim(placement, coming, words) for coming in coming_times):
        return True
    is_future = bool(cues.intentions or cues.modal_verbs)
    return is_future and any(_holds_claim(placement, opener, words) for opener in cues.future_time_clauses)


def _holds_claim(placement: Placement, opener: Extent, words: SpeechActWords) -> bool:
    cues = placement.unit.cues
    first = bisect_left(cues.tokens, (opener[1], 0))
    if placement.names(opener) or not begins_subject(placement, first, words):
        return False
    last = _last_of_subject(placement, first, words)
    clause = (opener[1], _end_of_clause(placement, last, words))
    if not mentions_within(placement.subjects, clause) or not mentions_within(placement.objects, clause):
        return False
    return not _is_past_clause(placement, last, words)


def _follows_claim(placement: Placement, coming: Extent, words: SpeechActWords) -> bool:
    """Return whether a time stands right behind the object of a present: "I stop Figma tomorrow"."""
    cues, objects = placement.unit.cues, placement.objects
    at = bisect_left(objects, coming) - 1
    if at < 0 or cues.between(objects[at][1], coming[0]).strip():
        return False
    subject = bisect_left(placement.subjects, objects[at]) - 1
    if subject < 0:
        return True
    first = bisect_left(cues.tokens, (placement.subjects[subject][1], 0))
    last = bisect_left(cues.tokens, objects[at])
    return not any(is_past(cues.word(index), words) for index in range(max(first, last - _LONGEST_CLAUSE), last))


def _last_of_subject(placement: Placement, first: int, words: SpeechActWords) -> int:
    cues = placement.unit.cues
    last = first + 1 if cues.word(first) in words.determiners and first + 1 < len(cues.tokens) else first
    named = mentions_within(placement.subjects, cues.tokens[last])
    while named and last + 1 < len(cues.tokens) and cues.tokens[last + 1][0] < named[-1][1]:
        last += 1
    return last


def _end_of_clause(placement: Placement, subject: int, words: SpeechActWords) -> int:
    """Return where the clause with this subject ends: at a break or before the pronoun that begins the next clause."""
    cues = placement.unit.cues
    for index in range(subject + 1, min(subject + _LONGEST_CLAUSE, len(cues.tokens))):
        if has_break(cues, index - 1, index) or cues.word(index).partition("'")[0] in words.clause_subjects:
            return cues.tokens[index][0]
    return cues.unit[1]


def _is_past_clause(placement: Placement, subject: int, words: SpeechActWords) -> bool:
    """Return whether the verb of the clause is a past form; "once I've stopped" is still to come."""
    cues = placement.unit.cues
    if cues.word(subject).endswith(("'ve", "'ll")):
        return False
    for index in range(subject + 1, min(subject + _LONGEST_CLAUSE, len(cues.tokens))):
        word = cues.word(index)
        if word in words.perfects:
            return False
        if is_past(word.removesuffix("n't"), words):
            return True
        if word not in words.verb_companions and not word.endswith("ly"):
            return False
    return False

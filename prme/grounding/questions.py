"""Questions: which part of a claim's own sentences asks instead of stating."""

from __future__ import annotations

from bisect import bisect_right

from prme.grounding.folded_text import Extent
from prme.grounding.placement import Placement, Reading, begins_subject, merged, overlaps
from prme.grounding.reports import has_break
from prme.policy.speech_act_words import SpeechActWords

_LONGEST_QUESTION_PHRASE = 9


def is_question(reading: Reading) -> bool:
    """Return whether an object, or every subject, stands in a question."""
    asked = [extent for placement in reading.placements for extent in _asked(placement, reading.words)]
    if not asked:
        return False
    covered = merged(asked)
    if any(overlaps(covered, mention) for mention in reading.objects):
        return True
    return all(overlaps(covered, mention) for mention in reading.subjects)


def _asked(placement: Placement, words: SpeechActWords) -> list[Extent]:
    cues = placement.unit.cues
    asked = [extent for extent in cues.questions if not _is_name_with_mark(placement, extent[1])]
    asked += cues.asked_sentences
    inverted_by = inversion(placement, words)
    if inverted_by is not None and (cues.questions or inverted_by not in words.inverted_conditionals):
        asked.append((cues.unit[0], cues.questions[0][1] if cues.questions else cues.unit[1]))
    clause = next((at for at in placement.unit.clause_auxiliaries if begins_subject(placement, at + 1, words)), None)
    if clause is not None and cues.word(clause) not in words.inverted_conditionals:
        asked.append((cues.tokens[clause][0], cues.unit[1]))
    return asked


def _is_name_with_mark(placement: Placement, end: int) -> bool:
    """Return whether the mark belongs to an object, inside it or right before its closing quotation mark."""
    cues = placement.unit.cues
    at = bisect_right(placement.objects, (end, end)) - 1
    if at < 0:
        return False
    first, last = placement.objects[at]
    if last >= end:
        return True
    before, after = cues.between(max(first - 1, cues.unit[0]), first), cues.between(end, end + 1)
    return end - last == 1 and before == after == "'"


def inversion(placement: Placement, words: SpeechActWords) -> str | None:
    """Return the auxiliary or opener with which a unit begins like a question, or None."""
    cues, opening = placement.unit.cues, placement.unit.opening
    if opening is None or opening.phrase is not None:
        return None if opening is None else opening.phrase
    for at in range(opening.first, opening.last):
        if cues.word(at) in words.auxiliaries and begins_subject(placement, at + 1, words):
            return cues.word(at)
    is_phrase = opening.last > opening.first + 1
    return _late_inversion(placement, opening.first, words) if is_phrase else None


def _late_inversion(placement: Placement, first: int, words: SpeechActWords) -> str | None:
    """Return the auxiliary behind a long phrase ("how many more years do I"), unless a clause begins before it."""
    cues = placement.unit.cues
    for at in range(first + 1, min(first + _LONGEST_QUESTION_PHRASE, len(cues.tokens))):
        if has_break(cues, at - 1, at) or begins_subject(placement, at, words):
            return None
        if at > first + 3 and cues.word(at) in words.auxiliaries and begins_subject(placement, at + 1, words):
            return cues.word(at)
    return None

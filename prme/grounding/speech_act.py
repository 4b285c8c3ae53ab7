"""The speech act of a claim's own sentences: assertion, question, conditional, report or quotation."""

from __future__ import annotations

import re
from bisect import bisect_left

from prme.grounding.cues import Cues
from prme.grounding.folded_text import Extent
from prme.grounding.placement import (
    Placement,
    Reading,
    are_within,
    begins_subject,
    is_apart,
    mentions_within,
)
from prme.grounding.questions import inversion, is_question
from prme.grounding.reports import ReportVerb, has_break
from prme.policy.speech_act_words import SpeechActWords


def rejection(reading: Reading) -> str | None:
    """Return the reason why the own sentences do not assert the claim at all, or None."""
    if is_question(reading):
        return "question"
    if not reading.has_condition and any(_is_conditional(placement, reading) for placement in reading.placements):
        return "conditional"
    if any(_is_report(placement, reading) for placement in reading.placements):
        return "report"
    return "quotation" if _is_quotation(reading) else None


# --- conditionals ------------------------------------------------------------------------------------------------


def _is_conditional(placement: Placement, reading: Reading) -> bool:
    cues = placement.unit.cues
    if any(not placement.names(cue) for cue in cues.conditionals):
        return True
    pair_end = placement.first_pair_end
    if any(pair_end is None or pair_end > first for first, _ in cues.indirect_questions):
        return True
    return not cues.questions and inversion(placement, reading.words) in reading.words.inverted_conditionals


# --- reports -----------------------------------------------------------------------------------------------------


def _is_report(placement: Placement, reading: Reading) -> bool:
    cues = placement.unit.cues
    if any(not placement.names(cue) and not _speaks_apart(placement, cue[0], reading) for cue in cues.hearsay):
        return True
    return any(_brings_claim(placement, verb, reading) for verb in placement.unit.verbs if not reading.keeps(verb))


def _speaks_apart(placement: Placement, position: int, reading: Reading) -> bool:
    """Return whether the speaker states a first-person claim on the other side of a contrast: "..., but I use X"."""
    return reading.is_first_person and is_apart(placement, position)


def _brings_claim(placement: Placement, verb: ReportVerb, reading: Reading) -> bool:
    """Return whether the object lies in what somebody else says by this verb, or the speaker has heard or denies."""
    cues = placement.unit.cues
    span = cues.tokens[verb.index]
    if placement.names(span) or _speaks_apart(placement, span[0], reading):
        return False
    at = bisect_left(placement.objects, span)
    if at == len(placement.objects):
        is_other = not verb.is_own or verb.is_passive or verb.kind == "hearing"
        return bool(at) and is_other and _trails(placement, verb, placement.objects[-1], reading.words)
    target = placement.objects[at]
    # "What do you think? i use figma": no capital, so the splitter left both in one sentence.
    if cues.has_any(cues.exclamations, span[1], target[0]):
        return False
    if verb.is_passive:
        return True
    if verb.is_own:
        return _own_words_bring(placement, verb, target, reading.words)
    if verb.kind == "saying" and (verb.is_pronoun or cues.word(verb.index) not in reading.words.noun_forms):
        return not _has_topic_only(cues, verb, target, reading.words)
    return _begins_clause(placement, verb, target, reading.words)


def _own_words_bring(placement: Placement, verb: ReportVerb, target: Extent, words: SpeechActWords) -> bool:
    form = placement.unit.cues.word(verb.index)
    if verb.kind == "hearing":
        return _begins_clause(placement, verb, target, words) and _has_subject_after(placement, verb, words)
    return verb.is_negated and form not in words.believing_forms and form not in words.past_beliefs


def _has_topic_only(cues: Cues, verb: ReportVerb, target: Extent, words: SpeechActWords) -> bool:
    return cues.word(verb.index + 1) in words.object_prepositions and not _has_that(cues, verb, target)


def _has_that(cues: Cues, verb: ReportVerb, target: Extent) -> bool:
    return cues.has_any(cues.thats, cues.tokens[verb.index][1], target[0])


def _begins_clause(placement: Placement, verb: ReportVerb, target: Extent, words: SpeechActWords) -> bool:
    """Return whether a clause follows the verb, not just an object ("mentioned that", "read Nadia uses", "wrote:")."""
    cues = placement.unit.cues
    if _has_that(cues, verb, target):
        return True
    index = verb.index + 1
    while True:
        if index >= len(cues.tokens) or cues.tokens[index][0] > target[0]:
            return False
        if has_break(cues, index - 1, index):
            return True
        word = cues.word(index)
        if begins_subject(placement, index, words):
            # "read it and I use": the pronoun is all that is read.
            return cues.word(index + 1) not in words.coordinators
        if word not in words.clause_objects:
            is_object_next = verb.kind == "saying" and cues.tokens[index][0] == target[0]
            return is_object_next or (verb.kind == "saying" and word == "to")
        index += 1


def _has_subject_after(placement: Placement, verb: ReportVerb, words: SpeechActWords) -> bool:
    cues = placement.unit.cues
    end = cues.tokens[verb.index][1]
    if placement.subjects and placement.subjects[-1][0] >= end:
        return True
    return any(cues.word(index) in words.nominatives for index in (verb.index + 1, verb.index + 2))


def _trails(placement: Placement, verb: ReportVerb, last_object: Extent, words: SpeechActWords) -> bool:
    """Return whether the verb ends the unit as the source of what stands before it: ", Bo says", ", says Bo"."""
    cues = placement.unit.cues
    rest = range(verb.index + 1, len(cues.tokens))
    if verb.is_inverted:
        return len(rest) <= 3 or _names_sayer(placement, verb, words)
    if any(cues.word(index) not in words.afterthoughts for index in rest):
        return False
    before = cues.between(last_object[1], cues.tokens[verb.index][0])
    return re.search(r"[,;:()\u2014\u2015]|'(?!\w)| - ", before) is not None or before.count(" ") <= 2


def _names_sayer(placement: Placement, verb: ReportVerb, words: SpeechActWords) -> bool:
    """Return whether a name with its determiner follows the verb: ", says my very old good friend"."""
    is_inverting = verb.kind == "saying" and verb.forms.isdisjoint(words.uninverted_verbs)
    return is_inverting and placement.unit.cues.word(verb.index + 1) in words.determiners


# --- quotations --------------------------------------------------------------------------------------------------


def _is_quotation(reading: Reading) -> bool:
    """Return whether every mention of the object shares its quotation marks with a mention of the subject."""
    voiced = [extent for extent in reading.quotations if mentions_within(reading.subjects, extent)]
    if not voiced:
        return False
    return are_within(reading.objects, voiced)

"""Guesses and wishes: what a claim's own sentences leave open, doubt, deny, plan or merely attempt."""

from __future__ import annotations

import re
from bisect import bisect_left

from prme.grounding.folded_text import Extent
from prme.grounding.placement import Placement, Reading, are_within, governs, is_apart, mentions_within, starts_at
from prme.grounding.reports import ReportVerb, has_break, has_topic
from prme.grounding.time_clauses import is_yet_to_come
from prme.grounding.verb_cues import is_gerund, is_past
from prme.policy.speech_act_words import SpeechActWords

# What may stand between a belief and its clause: "that", and a remark between commas or brackets.
_REMARK = r"(?: ?(?:,[^,.;:!?]{1,60},|\([^()]{1,60}\)|[\u2014\u2015][^\u2014\u2015]{1,60}[\u2014\u2015]))?"
_LEAD_OF_CLAUSE = re.compile(rf"{_REMARK}(?:,? that(?!\w))?{_REMARK}")
_LONGEST_SECOND_VERB = 6


def doubts(reading: Reading) -> tuple[str, ...]:
    """Return the codes for which a claim stays a hypothesis: `modal`, `intention`, both or none."""
    codes: list[str] = []
    if _is_struck(reading) or any(_is_modal(placement, reading) for placement in reading.placements):
        codes.append("modal")
    keeps_attempt = not reading.predicate_words.isdisjoint(reading.words.attempt_predicate_words)
    if not keeps_attempt and any(_is_intention(placement, reading) for placement in reading.placements):
        codes.append("intention")
    return tuple(codes)


def _is_struck(reading: Reading) -> bool:
    """Return whether the speaker has struck out every mention of the object or of the subject."""
    if not reading.struck:
        return False
    return are_within(reading.objects, reading.struck) or are_within(reading.subjects, reading.struck)


def _is_modal(placement: Placement, reading: Reading) -> bool:
    cues, words = placement.unit.cues, reading.words
    if any(not placement.names(cue) and governs(placement, cue, words) for cue in cues.modal_verbs):
        return True
    if any(not placement.names(cue) and not is_apart(placement, cue[0]) for cue in cues.modal_adverbs):
        return True
    if any(_leaves_doubt(placement, verb, reading) for verb in placement.unit.verbs):
        return True
    keeps_preference = not reading.predicate_words.isdisjoint(words.preference_predicate_words)
    if not keeps_preference and any(governs(placement, cue, words) for cue in cues.preferences):
        return True
    return _only_seems(placement, reading) or is_yet_to_come(placement, words, is_dated=reading.is_dated_ahead)


def _leaves_doubt(placement: Placement, verb: ReportVerb, reading: Reading) -> bool:
    """Return whether the speaker denies the claim, only believed it, or denies believing it."""
    cues, words = placement.unit.cues, reading.words
    form, span = cues.word(verb.index), cues.tokens[verb.index]
    is_doubt = form in words.past_beliefs or form in (words.believing_forms if verb.is_negated else words.denying_forms)
    if not (verb.is_own and is_doubt) or verb.is_passive or reading.keeps(verb):
        return False
    if has_topic(cues, verb.index, words) or placement.names(span):
        return False
    lead = _LEAD_OF_CLAUSE.match(cues.text, span[1] - cues.unit[0])
    return governs(placement, (span[0], cues.unit[0] + lead.end() if lead else span[1]), words)


def _only_seems(placement: Placement, reading: Reading) -> bool:
    """Return whether the claim only seems so: "it seems I use Figma", "I use Figma, it seems"."""
    cues, words = placement.unit.cues, reading.words
    if not reading.predicate_words.isdisjoint(words.seeming_predicate_words):
        return False
    likenesses = (cue for cue in cues.likenesses if _has_nobody_before(placement, cue, words))
    return any(
        not placement.names(cue) and (governs(placement, cue, words) or _ends_in_seeming(placement, cue, words))
        for cue in (*cues.seemings, *likenesses)
    )


def _has_nobody_before(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    cues = placement.unit.cues
    index = bisect_left(cues.tokens, (cue[0], 0))
    before = cues.word(index - 1).partition("'")[0]
    return (
        index == 0
        or before in words.expletives
        or before in words.discourse_openers
        or has_break(cues, index - 1, index)
    )


def _ends_in_seeming(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    cues = placement.unit.cues
    before, after = bisect_left(cues.tokens, (cue[0], 0)) - 1, bisect_left(cues.tokens, (cue[1], 0))
    rest = [cues.word(index) for index in range(after, min(after + 3, len(cues.tokens)))]
    is_bare = len(rest) < 3 and all(word in words.afterthoughts or word == "to" for word in rest)
    return cues.word(before) in words.expletives and is_bare


def _is_intention(placement: Placement, reading: Reading) -> bool:
    cues, words = placement.unit.cues, reading.words
    announced = (
        cue
        for cue in cues.intentions
        if not _is_journey(placement, cue, words) and not _is_announcement(placement, cue, words)
    )
    attempted = (cue for cue in cues.gerunds if _is_before_deed(placement, cue, words))
    return any(
        not placement.names(cue) and governs(placement, cue, words) and not _is_left_behind(placement, cue, reading)
        for cue in (*announced, *attempted)
    )


def _is_left_behind(placement: Placement, cue: Extent, reading: Reading) -> bool:
    """Return whether the verb of the claim, in a past form, stands after an "and": "I had to rest and used Figma".

    A past form continues no plan. Only the predicate's own verb is taken for one: "tried and tested" is none.
    """
    cues, objects = placement.unit.cues, placement.objects
    at = bisect_left(objects, cue)
    if at == len(objects):
        return False
    last = bisect_left(cues.tokens, objects[at])
    first = max(bisect_left(cues.tokens, (cue[1], 0)) + 1, last - _LONGEST_SECOND_VERB)
    return any(
        cues.word(index - 1) in reading.words.coordinators
        and is_past(cues.word(index), reading.words)
        and _is_form_of(cues.word(index), reading.predicate_words.difference(reading.words.object_prepositions))
        for index in range(first, last)
    )


def _is_form_of(past: str, predicate_words: frozenset[str]) -> bool:
    """Return whether a past form is a word of the predicate or begins like one: "used" of "uses"."""
    stems = (word.removesuffix("s").removesuffix("e") for word in predicate_words)
    return any(len(stem) > 1 and stem != "to" and past.startswith(stem) for stem in stems)


def _is_announcement(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    """Return whether the speaker only announces what he then says: "I want to add that I use Figma"."""
    cues, objects = placement.unit.cues, placement.objects
    last, at = bisect_left(cues.announcements, (cue[1], 0)) - 1, bisect_left(objects, cue)
    if last < 0 or cues.announcements[last][1] <= cue[0] or at == len(objects):
        return False
    said = mentions_within(placement.subjects, (cue[1], objects[at][0]))
    return bool(said) and cues.between(*said[-1]) in words.clause_subjects


def _is_before_deed(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    """Return whether a form in -ing that is not the object itself follows: "tried using Figma", not "tried Bing"."""
    cues = placement.unit.cues
    index = bisect_left(cues.tokens, (cue[1], 0))
    return is_gerund(cues.word(index), words) and not starts_at(placement.objects, cues.tokens[index][0])


def _is_journey(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    """Return whether "going to" leads to a place: "going to the gym", "going to Oslo" when Oslo is the object."""
    cues = placement.unit.cues
    if cues.between(*cue) not in words.journeys:
        return False
    index = bisect_left(cues.tokens, (cue[1], 0))
    if starts_at(placement.objects, cue[1] + 1):
        return True
    works = cues.word(index) == "work" and cues.word(index + 1) in words.work_prepositions
    return cues.word(index) in words.destinations and not works

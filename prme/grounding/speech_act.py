"""The speech act of a claim's own sentences: assertion, question, conditional, report, quotation, guess or wish."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

from prme.grounding.cues import Cues, compile_patterns
from prme.grounding.folded_text import Extent
from prme.grounding.reports import ReportVerb, find_report_verbs, has_break
from prme.policy.speech_act_words import SpeechActWords

_LONGEST_LEAD = 40


@dataclass(frozen=True, slots=True)
class Unit:
    """One sentence of a claim's own sentences, with its cues.

    `clause_auxiliaries` are the tokens that may begin a question after a break ("Tell me, do I use Figma").
    """

    cues: Cues
    verbs: tuple[ReportVerb, ...]
    clause_auxiliaries: tuple[int, ...]


def read_unit(cues: Cues, words: SpeechActWords) -> Unit:
    """Return the unit of these cues, ready for every claim in it."""
    after_break = (index for index in range(1, len(cues.tokens)) if cues.word(index) in words.auxiliaries)
    auxiliaries = tuple(index for index in after_break if has_break(cues, index - 1, index))
    return Unit(cues, find_report_verbs(cues, words), auxiliaries)


@dataclass(frozen=True)
class Reading:
    """A claim as it stands in its own sentences; all positions are those of the folded content.

    `subjects` and `objects` are the mentions in these sentences, `quotations` the insides of the quotation marks of
    the content by start, `predicate_words` the words of the predicate.
    """

    units: tuple[Unit, ...]
    subjects: Sequence[Extent]
    objects: Sequence[Extent]
    quotations: Sequence[Extent]
    is_first_person: bool
    has_condition: bool
    predicate_words: frozenset[str]
    words: SpeechActWords

    @cached_property
    def placements(self) -> tuple[Placement, ...]:
        """The units with the mentions that stand in each."""
        return tuple(
            Placement(
                unit, mentions_within(self.subjects, unit.cues.unit), mentions_within(self.objects, unit.cues.unit)
            )
            for unit in self.units
        )


@dataclass(frozen=True)
class Placement:
    """A unit and the mentions of a claim's subject and object in it."""

    unit: Unit
    subjects: Sequence[Extent]
    objects: Sequence[Extent]

    def names(self, cue: Extent) -> bool:
        """Return whether a cue is part of a name: the song "If", the band "Imagine Dragons"."""
        return _holds(self.subjects, cue) or _holds(self.objects, cue)

    @cached_property
    def first_pair_end(self) -> int | None:
        """The end of the first pair of subject and object in this unit."""
        return max(self.subjects[0][1], self.objects[0][1]) if self.subjects and self.objects else None


def rejection(reading: Reading) -> str | None:
    """Return the reason why the own sentences do not assert the claim at all, or None."""
    if _is_question(reading):
        return "question"
    if not reading.has_condition and any(_is_conditional(placement, reading) for placement in reading.placements):
        return "conditional"
    if any(_is_report(placement, reading) for placement in reading.placements):
        return "report"
    return "quotation" if _is_quotation(reading) else None


def doubts(reading: Reading) -> tuple[str, ...]:
    """Return the codes for which a claim stays a hypothesis: `modal`, `intention`, both or none."""
    codes: list[str] = []
    if any(_is_modal(placement, reading) for placement in reading.placements):
        codes.append("modal")
    keeps_attempt = not reading.predicate_words.isdisjoint(reading.words.attempt_predicate_words)
    if not keeps_attempt and any(_is_intention(placement, reading) for placement in reading.placements):
        codes.append("intention")
    return tuple(codes)


# --- questions ---------------------------------------------------------------------------------------------------


def _is_question(reading: Reading) -> bool:
    """Return whether an object, or every subject, stands in a question."""
    asked = [extent for placement in reading.placements for extent in _asked(placement, reading.words)]
    if not asked:
        return False
    covered = _merged(asked)
    if any(_overlaps(covered, mention) for mention in reading.objects):
        return True
    return all(_overlaps(covered, mention) for mention in reading.subjects)


def _asked(placement: Placement, words: SpeechActWords) -> list[Extent]:
    cues = placement.unit.cues
    asked = [extent for extent in cues.questions if not _is_name_with_mark(placement, extent[1])]
    inverted_by = _inversion(placement, words)
    if inverted_by is not None and (cues.questions or inverted_by not in words.inverted_conditionals):
        asked.append((cues.unit[0], cues.questions[0][1] if cues.questions else cues.unit[1]))
    clause = next((at for at in placement.unit.clause_auxiliaries if _begins_subject(placement, at + 1, words)), None)
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


def _inversion(placement: Placement, words: SpeechActWords) -> str | None:
    """Return the auxiliary or opener with which a unit begins like a question, or None."""
    cues = placement.unit.cues
    index = 0
    while cues.word(index) in words.discourse_openers:
        index += 1
    opening = f"{cues.word(index)} {cues.word(index + 1)}"
    if opening in words.question_openers:
        return opening
    # "What do I", "how long have I": the auxiliary within three words, right before its subject.
    reach = 4 if cues.word(index) in words.question_words else 1
    for at in range(index, index + reach):
        if cues.word(at) in words.auxiliaries and _begins_subject(placement, at + 1, words):
            return cues.word(at)
    return None


def _begins_subject(placement: Placement, index: int, words: SpeechActWords) -> bool:
    cues = placement.unit.cues
    if index >= len(cues.tokens) or has_break(cues, index - 1, index):
        return False
    if cues.word(index) in words.nominatives or _starts_at(placement.subjects, cues.tokens[index][0]):
        return True
    return (
        cues.word(index) in words.determiners
        and index + 1 < len(cues.tokens)
        and _starts_at(placement.subjects, cues.tokens[index + 1][0])
    )


# --- conditionals ------------------------------------------------------------------------------------------------


def _is_conditional(placement: Placement, reading: Reading) -> bool:
    cues = placement.unit.cues
    if any(not placement.names(cue) for cue in cues.conditionals):
        return True
    pair_end = placement.first_pair_end
    if any(pair_end is None or pair_end > first for first, _ in cues.indirect_questions):
        return True
    return not cues.questions and _inversion(placement, reading.words) in reading.words.inverted_conditionals


# --- reports -----------------------------------------------------------------------------------------------------


def _is_report(placement: Placement, reading: Reading) -> bool:
    cues = placement.unit.cues
    if any(not placement.names(cue) and not _speaks_apart(placement, cue[0], reading) for cue in cues.hearsay):
        return True
    return any(_brings_claim(placement, verb, reading) for verb in placement.unit.verbs if not _is_kept(verb, reading))


def _is_kept(verb: ReportVerb, reading: Reading) -> bool:
    """Return whether the predicate itself is the verb: "Nadia reads Dune" reports nothing."""
    return not reading.predicate_words.isdisjoint(verb.forms)


def _speaks_apart(placement: Placement, position: int, reading: Reading) -> bool:
    """Return whether the speaker states a first-person claim on the other side of a contrast: "..., but I use X"."""
    return reading.is_first_person and _is_apart(placement, position)


def _is_apart(placement: Placement, position: int) -> bool:
    cues = placement.unit.cues
    part = cues.part(position)
    parts = {cues.part(first) for first, _ in placement.objects}
    return (
        bool(parts) and part not in parts and not parts.isdisjoint(cues.part(first) for first, _ in placement.subjects)
    )


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
        if _begins_subject(placement, index, words):
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
        return len(rest) <= 3
    if any(cues.word(index) not in words.afterthoughts for index in rest):
        return False
    before = cues.between(last_object[1], cues.tokens[verb.index][0])
    return re.search(r"[,;:()\u2014\u2015]|'(?!\w)| - ", before) is not None or before.count(" ") <= 2


# --- quotations --------------------------------------------------------------------------------------------------


def _is_quotation(reading: Reading) -> bool:
    """Return whether every mention of the object shares its quotation marks with a mention of the subject."""
    voiced = [extent for extent in reading.quotations if mentions_within(reading.subjects, extent)]
    if not voiced:
        return False
    starts = [first for first, _ in voiced]
    reach = list(accumulate((last for _, last in voiced), max))
    return all((at := bisect_right(starts, first)) > 0 and reach[at - 1] >= last for first, last in reading.objects)


# --- guesses and wishes ------------------------------------------------------------------------------------------


def _is_modal(placement: Placement, reading: Reading) -> bool:
    cues = placement.unit.cues
    if any(not placement.names(cue) and _governs(placement, cue, reading.words) for cue in cues.modal_verbs):
        return True
    if any(not placement.names(cue) and not _is_apart(placement, cue[0]) for cue in cues.modal_adverbs):
        return True
    return any(_leaves_doubt(placement, verb, reading) for verb in placement.unit.verbs)


def _leaves_doubt(placement: Placement, verb: ReportVerb, reading: Reading) -> bool:
    """Return whether the speaker only believed the claim, or denies believing it: "I thought Nadia used Figma"."""
    cues, words = placement.unit.cues, reading.words
    form, span = cues.word(verb.index), cues.tokens[verb.index]
    is_doubt = form in words.past_beliefs or (verb.is_negated and form in words.believing_forms)
    if not (verb.is_own and is_doubt) or verb.is_passive or _is_kept(verb, reading):
        return False
    if cues.word(verb.index + 1) in words.object_prepositions:
        return False
    return not placement.names(span) and _governs(placement, span, words)


def _is_intention(placement: Placement, reading: Reading) -> bool:
    return any(
        not placement.names(cue)
        and not _is_journey(placement, cue, reading.words)
        and _governs(placement, cue, reading.words)
        for cue in placement.unit.cues.intentions
    )


def _is_journey(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    """Return whether "going to" leads to a place: "going to the gym", "going to Oslo" when Oslo is the object."""
    cues = placement.unit.cues
    if cues.between(*cue) != "going to":
        return False
    index = bisect_left(cues.tokens, (cue[1], 0))
    return cues.word(index) in words.destinations or _starts_at(placement.objects, cue[1] + 1)


def _governs(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
    """Return whether a cue that concerns what follows it concerns the claim.

    It does not when a subject and then an object stand before it ("I use Figma and want to learn Penpot"), nor when
    both stand in a new clause after it ("I want to rest, so I use Figma").
    """
    cues, subjects, objects = placement.unit.cues, placement.subjects, placement.objects
    before = bisect_left(objects, cue)
    if before and subjects and subjects[0][1] <= objects[before - 1][0]:
        return False
    at = bisect_left(subjects, cue)
    if at == len(subjects) or before == len(objects) or objects[before][0] < subjects[at][1]:
        return True
    lead = cues.between(max(cue[1], subjects[at][0] - _LONGEST_LEAD), subjects[at][0])
    return compile_patterns(words).new_clause.search(lead) is None


# --- positions ---------------------------------------------------------------------------------------------------


def mentions_within(mentions: Sequence[Extent], extent: Extent) -> Sequence[Extent]:
    """Return the mentions that begin inside an extent."""
    return mentions[bisect_left(mentions, (extent[0], 0)) : bisect_left(mentions, (extent[1], 0))]


def _overlaps(mentions: Sequence[Extent], extent: Extent) -> bool:
    at = bisect_left(mentions, (extent[1], 0))
    return at > 0 and mentions[at - 1][1] > extent[0]


def _holds(mentions: Sequence[Extent], extent: Extent) -> bool:
    at = bisect_right(mentions, (extent[0], extent[1])) - 1
    return any(first <= extent[0] and extent[1] <= last for first, last in mentions[max(at, 0) : at + 2])


def _starts_at(mentions: Sequence[Extent], position: int) -> bool:
    at = bisect_left(mentions, (position, 0))
    return at < len(mentions) and mentions[at][0] == position


def _merged(extents: Sequence[Extent]) -> list[Extent]:
    """Return the same characters as extents in order and apart from each other."""
    merged: list[Extent] = []
    for first, last in sorted(extents):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged

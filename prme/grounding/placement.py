"""Where a claim stands in its own sentences: the units, and the mentions of subject and object in each."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from prme.grounding.folded_text import Extent
from prme.grounding.phrases import compile_patterns
from prme.grounding.reports import ReportVerb, has_break
from prme.grounding.unit import Unit
from prme.policy.speech_act_words import SpeechActWords

_LONGEST_LEAD = 40


class Reading(NamedTuple):
    """A claim as it stands in its own sentences; all positions are those of the folded content.

    `placements` are the units with any cue; `subjects` and `objects` the mentions in all these sentences; `quotations`
    the insides of the quotation marks of the content by start; `struck` what is struck out in it; `predicate_words` the
    words of the predicate and its neighbours in pairs ("has_to"). `is_dated_ahead` says that its time reference is
    known to lie in the future.
    """

    placements: tuple[Placement, ...]
    subjects: Sequence[Extent]
    objects: Sequence[Extent]
    quotations: Sequence[Extent]
    struck: Sequence[Extent]
    is_first_person: bool
    has_condition: bool
    predicate_words: frozenset[str]
    is_dated_ahead: bool
    words: SpeechActWords

    def keeps(self, verb: ReportVerb) -> bool:
        """Return whether the predicate itself is the verb: "Nadia reads Dune" reports nothing."""
        return not self.predicate_words.isdisjoint(verb.forms)


class Placement(NamedTuple):
    """A unit and the mentions of a claim's subject and object in it."""

    unit: Unit
    subjects: Sequence[Extent]
    objects: Sequence[Extent]

    def names(self, cue: Extent) -> bool:
        """Return whether a cue is part of a name: the song "If", the band "Imagine Dragons"."""
        return holds(self.subjects, cue) or holds(self.objects, cue)

    @property
    def first_pair_end(self) -> int | None:
        """The end of the first pair of subject and object in this unit."""
        return max(self.subjects[0][1], self.objects[0][1]) if self.subjects and self.objects else None


def place(unit: Unit, subjects: Sequence[Extent], objects: Sequence[Extent]) -> Placement:
    """Return a unit with those of the mentions that stand in it."""
    return Placement(unit, mentions_within(subjects, unit.cues.unit), mentions_within(objects, unit.cues.unit))


def begins_subject(placement: Placement, index: int, words: SpeechActWords) -> bool:
    cues = placement.unit.cues
    if index >= len(cues.tokens) or has_break(cues, index - 1, index):
        return False
    if cues.word(index) in words.nominatives or starts_at(placement.subjects, cues.tokens[index][0]):
        return True
    return (
        cues.word(index) in words.determiners
        and index + 1 < len(cues.tokens)
        and starts_at(placement.subjects, cues.tokens[index + 1][0])
    )


def is_apart(placement: Placement, position: int) -> bool:
    cues = placement.unit.cues
    part = cues.part(position)
    parts = {cues.part(first) for first, _ in placement.objects}
    return (
        bool(parts) and part not in parts and not parts.isdisjoint(cues.part(first) for first, _ in placement.subjects)
    )


def governs(placement: Placement, cue: Extent, words: SpeechActWords) -> bool:
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


def mentions_within(mentions: Sequence[Extent], extent: Extent) -> Sequence[Extent]:
    """Return the mentions that begin inside an extent."""
    return mentions[bisect_left(mentions, (extent[0], 0)) : bisect_left(mentions, (extent[1], 0))]


def are_within(mentions: Sequence[Extent], extents: Sequence[Extent]) -> bool:
    """Return whether every mention lies inside one of the extents, which are sorted and may hold each other."""
    starts = [first for first, _ in extents]
    reach = list(accumulate((last for _, last in extents), max))
    return all((at := bisect_right(starts, first)) > 0 and reach[at - 1] >= last for first, last in mentions)


def overlaps(mentions: Sequence[Extent], extent: Extent) -> bool:
    at = bisect_left(mentions, (extent[1], 0))
    return at > 0 and mentions[at - 1][1] > extent[0]


def holds(mentions: Sequence[Extent], extent: Extent) -> bool:
    at = bisect_right(mentions, (extent[0], extent[1])) - 1
    return any(first <= extent[0] and extent[1] <= last for first, last in mentions[max(at, 0) : at + 2])


def starts_at(mentions: Sequence[Extent], position: int) -> bool:
    at = bisect_left(mentions, (position, 0))
    return at < len(mentions) and mentions[at][0] == position


def merged(extents: Sequence[Extent]) -> list[Extent]:
    """Return the same characters as extents in order and apart from each other."""
    merged: list[Extent] = []
    for first, last in sorted(extents):
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged

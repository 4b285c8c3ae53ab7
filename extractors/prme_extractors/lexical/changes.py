"""Changes: what somebody came from and went to, and whether they gave the one up for the other."""

from __future__ import annotations

import re
from functools import cache

from prme_extractors.lexical.holders import means_people
from prme_extractors.lexical.objects import Objects, accept_dwelling, accept_medicine, accept_workplace
from prme_extractors.lexical.phrases import Phrase, is_known_place, is_number, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern
from prme_extractors.lexical.tails import Tail
from prme_extractors.lexical.vocabulary import Verb, vocabulary, word_list

Span = tuple[int, int]

_FROM = re.compile(r"\s+from(?=\s)")
_TO = re.compile(r"\s+to(?=\s)")
_INSTEAD = re.compile(r"(?:instead\s+of|rather\s+than)\s+")
_OVER = re.compile(r"(?:over|more\s+than|than|to)\s+")
NOW = re.compile(r"\b(?:now|these days|nowadays|currently|again)\b")
"""What a clause about the present ends with."""
_ARTICLES = frozenset({"a", "an"})
_GERUND = re.compile(r"[a-z]{3,}ing")
# What somebody may use, take or drive for once although they have not given up another one.
_FOR_ONCE = frozenset(
    {"uses", "takes", "drives", "rides", "wears", "runs", "carries", "reads_on", "works_on", "works_with"}
)


def read_change(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "from A to B", "to B from A" or "to B" as a change of what somebody uses, takes or likes."""
    change = read_ends(reading, start, end)
    return None if change is None else as_given_up(reading, change)


def as_given_up(reading: Reading, change: Objects) -> Objects | None:
    """Return the change, without a former value that the new one cannot replace, or None where it is no change."""
    new, former = change.phrases[0], change.former
    if is_part_or_moment(new):
        return None
    if former is None or not can_replace(reading, new, former):
        return change._replace(former=None, predicates=("uses",) if _is_tool(reading, new) else None)
    return change._replace(predicates=_told_by_change(reading, new, former))


def _told_by_change(reading: Reading, new: Phrase, former: Phrase) -> tuple[str, ...] | None:
    """Return what is told of both ends, or None where a switch may be to anything: "from teaching to nursing".

    What is used is told as used, so that "I no longer use it" ends it; medicines are taken, and coffee is drunk.
    """
    if _are_medicines(reading, new, former):
        return ("takes",)
    habit, of_new = _habit_of(former), _habit_of(new)
    if habit is not None and of_new == habit:
        return (habit,)
    return ("uses",) if all(_is_tool(reading, phrase) for phrase in (new, former)) else None


def _is_tool(reading: Reading, phrase: Phrase) -> bool:
    """Whether it is used: a name that is none of a language or of a place, or "a ..." that is worn, driven or kept."""
    first, last = phrase.words[0], phrase.words[-1]
    if phrase.key in word_list("sets.languages") or first in word_list("sets.months") or first.endswith("day"):
        return False
    # "Row 4", "Team A", "a large coffee".
    if first in word_list("things.labels") or first in word_list("changes.never_used"):
        return False
    if last in vocabulary().habit_nouns and phrase.opener:
        return False
    if is_number(phrase) or is_known_place(phrase) or last in word_list("changes.never_used"):
        return False
    return _is_name(reading, phrase) or phrase.opener in {"a", "an", "my"}


def denied_by_switch(phrase: Phrase, new: Phrase) -> tuple[str, ...]:
    """Return how it may have been told what was given up for anything: "I smoke cigarettes", "I work at Hexa"."""
    habit = _habit_of(phrase)
    if habit is not None:
        # "From cigarettes to vaping", but not "from coffee to dessert".
        return (habit,) if _habit_of(new) is not None else ()
    is_firm = phrase.capital and phrase.key not in word_list("sets.languages") and not is_known_place(phrase)
    return tuple(sorted(word_list("changes.denied_when_left"))) if is_firm else ()


def _habit_of(phrase: Phrase) -> str | None:
    """Return what is done with it, "drinks" of coffee; what is written as a name is another thing: Fish, the shell."""
    habit = vocabulary().habit_nouns.get(phrase.key)
    return None if phrase.capital and habit != "uses" else habit


def denied_by_change(phrase: Phrase) -> tuple[str, ...]:
    """Return the predicates by which a former value may have been told, beside the one of the change.

    A denial ends what was told with its own predicate alone: "I drive a Volvo" is over after "I switched from a Volvo
    to a Kia". What somebody likes, has, owns or knows is not.
    """
    is_make = phrase.words[0] in word_list("sets.makes")
    if phrase.key in word_list("changes.rides") and phrase.opener not in {"a", "an"}:
        return tuple(sorted(word_list("changes.denied_of_a_ride")))
    if phrase.words[0] in word_list("changes.systems"):
        return tuple(sorted(word_list("changes.denied_of_a_system")))
    if phrase.opener in {"a", "an", "my"} or is_make:
        return tuple(sorted(word_list("changes.denied_of_a_thing")))
    return ()


def instead_of(reading: Reading, tail: Tail) -> Phrase | None:
    """Return what the clause names after "instead of", where nothing but a "now" stands behind it."""
    piece = tail.first("instead")
    if piece is None:
        return None
    opening = _INSTEAD.match(reading.low, *piece)
    other = None if opening is None else read_phrase(reading, opening.end(), piece[1])
    return other if other is not None and _is_rest_of(reading, other, piece) else None


def outdone(reading: Reading, verb: Verb | None, tail: Tail) -> Phrase | None:
    """Return what is preferred no more in "I prefer tea over coffee now"; less liked is still liked."""
    if verb is None or verb.predicate != "prefers":
        return None
    piece = tail.first("over") or tail.first("preferred_to")
    opening = None if piece is None else _OVER.match(reading.low, *piece)
    other = None if piece is None or opening is None else read_phrase(reading, opening.end(), piece[1])
    return other if other is not None and piece is not None and _is_rest_of(reading, other, piece) else None


def _is_rest_of(reading: Reading, phrase: Phrase, piece: Span) -> bool:
    """Whether the phrase goes to the end of the piece, or to a "now" that belongs to the clause."""
    rest = reading.low[phrase.end : piece[1]].strip()
    return rest == "" or NOW.fullmatch(rest) is not None


def may_give_up(reading: Reading, predicates: tuple[str, ...], new: Phrase, former: Phrase) -> bool:
    """Whether who "uses the new value now instead of" the former one gave that up, and not for once."""
    return _done_for_once().isdisjoint(predicates) or can_replace(reading, new, former)


@cache
def _done_for_once() -> frozenset[str]:
    """Return what somebody may do with another thing for once: of those with a name, all of it."""
    return _FOR_ONCE | {verb.predicate for verb in vocabulary().verbs if verb.object == "named"}


def is_part_or_moment(phrase: Phrase) -> bool:
    """Whether it is a part of what somebody uses, a place or a moment, as "visual mode", "page 2" and "lunch" are."""
    if phrase.heads[1] in word_list("changes.programs"):
        return False
    words = list(phrase.words)
    while len(words) > 1 and (words[-1].isdigit() or words[-1] in word_list("phrase.numbers")):
        words.pop()
    return words[-1] in word_list("changes.parts_places_and_moments")


def can_replace(reading: Reading, new: Phrase, former: Phrase) -> bool:
    """Whether who turned to the new value gave up the former one: both are of one kind, by the way they are written.

    "The calculator", "my inbox" and "some jazz" are turned to for a moment, and so may be "a book"; what has a name is
    replaced by what has one, and nothing but an activity by an activity.
    """
    if _are_medicines(reading, new, former):
        return True
    if is_part_or_moment(new) or means_people(new.words[-1]) or new.opener not in {"", *_ARTICLES}:
        return False
    if _is_doing(new) and not _is_doing(former):
        return False
    is_name = _is_name(reading, new)
    if new.opener in _ARTICLES and former.opener not in _ARTICLES and not is_name:
        return False
    return is_name or not _is_name(reading, former)


def _are_medicines(reading: Reading, *phrases: Phrase) -> bool:
    return all(accept_medicine(reading, phrase) for phrase in phrases)


def _is_doing(phrase: Phrase) -> bool:
    """Whether it is an activity, and none that is a habit beside others, as vaping is."""
    is_habit = phrase.key in vocabulary().habit_nouns
    return _GERUND.fullmatch(phrase.words[-1]) is not None and not phrase.capital and not is_habit


def _is_name(reading: Reading, phrase: Phrase) -> bool:
    """Whether it is written with a capital or a digit inside."""
    written = reading.text[phrase.start : phrase.end]
    return any(character.isupper() or character.isdigit() for character in written)


def read_ends(reading: Reading, start: int, end: int) -> Objects | None:
    """Read "from A to B", "to B from A" or "to B", whatever they are."""
    if (found := _FROM.match(reading.low, start, end)) is not None:
        former = read_phrase(reading, found.end(), end)
        joint = None if former is None else _TO.match(reading.low, former.end, end)
        new = None if joint is None else read_phrase(reading, joint.end(), end)
        return None if new is None else Objects((new,), former, new.end)
    if (found := _TO.match(reading.low, start, end)) is None:
        return None
    new = read_phrase(reading, found.end(), end)
    if new is None:
        return None
    joint = _FROM.match(reading.low, new.end, end)
    if joint is None:
        return Objects((new,), None, new.end)
    former = read_phrase(reading, joint.end(), end)
    return None if former is None else Objects((new,), former, former.end)


def read_medicine_change(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "from metformin to Ozempic": both are known for medicines."""
    change = read_change(reading, pattern, start, end)
    return change if change is not None and change.predicates == ("takes",) else None


def read_job_change(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "from Acme to Globex": both are firms."""
    change = read_ends(reading, start, end)
    if change is None:
        return None
    return change if all(accept_workplace(reading, phrase) for phrase in change.ends) else None


def read_move(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    change = read_ends(reading, start, end)
    if change is None:
        return None
    if not all(accept_dwelling(reading, phrase) for phrase in change.ends):
        return None
    # Who moves from Boston moves to a place; Joplin, where Evernest is none, may be a program.
    return change if is_known_place(change.ends[-1]) else None

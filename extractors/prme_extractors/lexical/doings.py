"""What the speaker does: habits without an object, plans, exchanges, and what is told before its verb."""

from __future__ import annotations

import re
from functools import cache

from prme_extractors.lexical.changes import as_given_up
from prme_extractors.lexical.holders import means_people
from prme_extractors.lexical.objects import (
    Objects,
    Place,
    accept_tool,
    possessions,
    read_for_verb,
)
from prme_extractors.lexical.phrases import Phrase, is_number, is_proper, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern
from prme_extractors.lexical.tails import read_tail
from prme_extractors.lexical.vocabulary import vocabulary, word_list
from prme_extractors.lexical.wordings import alternatives, spaced

_AGE = re.compile(r"\s*(?P<age>[1-9]\d)(?!\w)")
_WITH = re.compile(r"\s+(?:with|by|for)(?=\s)")
# Stops before "now", "anymore" and their like, which are the clause's own.
_REST = re.compile(r"\s*(?P<rest>\S.*?)(?=\s+(?:now|anymore|any more|any longer|too|again|these days)\s*\Z|\s*\Z)")
_LOST = re.compile(r"(?:\s+(?:has|just|recently|finally))*\s+(?:died|passed\s+away)(?!\w)")
_BUT = re.compile(r"\s+but\s+(?:only\s+)?(?=\S)")
_LOSING = frozenset({"died", "passed"})
_MOST_SETTINGS = 2
_SETTINGS = frozenset({"frequency", "circumstance"})


def read_front(reading: Reading, place: Place) -> Objects | None:
    start, end = place.front
    verb = place.verb
    found = None if verb is None else read_for_verb(reading, verb, place.is_negative, start, end)
    is_whole = found is not None and reading.low[found.end : end].strip() == ""
    return found._replace(end=place.start) if found is not None and is_whole else None


def read_lost(reading: Reading, place: Place) -> Objects | None:
    """Read "dog died" after "my": what somebody had, and how it was lost."""
    is_told = not _LOSING.isdisjoint(reading.words)
    lost = _LOST.search(reading.low, place.start, place.end) if is_told else None
    phrase = None if lost is None else read_phrase(reading, place.start, lost.start())
    if phrase is None or lost is None or phrase.end != lost.start():
        return None
    is_pet = not word_list("sets.pets").isdisjoint(phrase.heads)
    return Objects((phrase,), None, lost.end()) if is_pet and not phrase.opener and not phrase.names_owner else None


def read_age(reading: Reading, place: Place) -> Objects | None:
    """Read "34"; what is left out in "I'm 34" is only "years old"."""
    found = _AGE.match(reading.low, place.start, place.end)
    if found is None:
        return None
    return Objects((Phrase(*found.span("age"), (found["age"],), ""),), None, found.end())


def read_plan(reading: Reading, place: Place) -> Objects | None:
    """Read what somebody plans to visit, buy or learn; the predicate keeps that it is a plan."""
    phrase = read_phrase(reading, place.start, place.end)
    if phrase is None or phrase.opener not in {"", "a", "an", "the"} or is_number(phrase):
        return None
    return Objects((phrase,), None, phrase.end)


def read_exchange(reading: Reading, place: Place) -> Objects | None:
    """Read "my old Corolla with a Leaf" after "replaced": what went, and what came."""
    former = read_phrase(reading, place.start, place.end)
    joint = None if former is None else _WITH.match(reading.low, former.end, place.end)
    new = None if joint is None else read_phrase(reading, joint.end(), place.end)
    if former is None or new is None or is_number(former) or is_number(new):
        return None
    return Objects((new,), former, new.end)


def read_replacement(reading: Reading, place: Place) -> Objects | None:
    """Read "Trello with Plane" after "replaced", where the one was given up for the other."""
    exchange = read_exchange(reading, place)
    return None if exchange is None else as_given_up(reading, exchange)


def read_owned_swap(reading: Reading, place: Place) -> Objects | None:
    """Read "Corolla for a Leaf" after "swapped my"; who swapped a laptop "for a phone" may have both."""
    exchange = read_owned_exchange(reading, place)
    return None if exchange is None else as_given_up(reading, exchange)


def read_owned_exchange(reading: Reading, place: Place) -> Objects | None:
    """Read an exchange of things that are owned for long; a lunch is not, and a shift is none."""
    exchange = read_exchange(reading, place)
    if exchange is None or exchange.former is None or means_people(exchange.former.words[-1]):
        return None
    new = exchange.phrases[0]
    if new.opener in {"the", "my", "our"} or new.names_owner:
        return None
    return exchange if is_proper(reading, new) or new.words[-1] in possessions() else None


def read_tool_exchange(reading: Reading, place: Place) -> Objects | None:
    """Read "Notion for Obsidian": both are named, or they may be a seat, a shift, a subject."""
    exchange = read_exchange(reading, place)
    if exchange is None or exchange.former is None:
        return None
    ends = (exchange.phrases[0], exchange.former)
    return as_given_up(reading, exchange) if all(accept_tool(reading, phrase) for phrase in ends) else None


def read_verb_not_but(reading: Reading, place: Place) -> Objects | None:
    """Read "thrillers but biographies" after "I no longer read": what came after, and what was before."""
    verb = place.verb
    former = None if verb is None else read_for_verb(reading, verb, True, place.start, place.end)
    joint = None if former is None else _BUT.match(reading.low, former.end, place.end)
    if verb is None or former is None or joint is None or len(former.phrases) != 1:
        return None
    new = read_for_verb(reading, verb, False, joint.end(), place.end)
    return None if new is None or len(new.phrases) != 1 else new._replace(former=former.phrases[0])


def read_left_for(reading: Reading, place: Place) -> Objects | None:
    """Read "Hexa for Borealis" after "left": a firm, a bank or a program, so that nothing but the change is told."""
    exchange = read_tool_exchange(reading, place)
    if exchange is None or exchange.former is None:
        return None
    # "I left Vim open for Emacs."
    written = reading.text[exchange.former.start : exchange.former.end].split()
    return None if any(word[0].islower() for word in written) else exchange._replace(predicates=None)


def read_ride_exchange(reading: Reading, place: Place) -> Objects | None:
    """Read "the tram for the bus": what somebody rides from day to day, in place of what they rode before."""
    exchange = read_exchange(reading, place)
    if exchange is None or exchange.former is None:
        return None
    rides = word_list("changes.rides")
    is_ride = all(phrase.key in rides for phrase in (exchange.phrases[0], exchange.former))
    return exchange if is_ride else None


def read_activity(reading: Reading, place: Place) -> Objects | None:
    """Read "on weekends", "with the Otter club", "twice a week" after a habit, to the end of the clause."""
    found = _REST.match(reading.low, place.start, place.end)
    if found is None or word_list("habits.not_settings") & set(words := tuple(found["rest"].split())):
        return None
    start, end = found.span("rest")
    tail = read_tail(reading.low, start, end, _SETTINGS)
    if tail is None or not 0 < len(tail.pieces) <= _MOST_SETTINGS:
        return None
    if words[0] == "with" and place.verb is not None:
        partner = read_phrase(reading, start + len("with"), end)
        if partner is not None and partner.end == end:
            return Objects((partner,), None, partner.end, (f"{place.verb.predicate}_with",))
    return Objects((Phrase(start, end, words, ""),), None, end)


def read_habit_noun(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    phrase = read_phrase(reading, start, end)
    if phrase is None or phrase.opener != "":
        return None
    predicate = vocabulary().habit_nouns.get(phrase.key)
    return None if predicate is None else Objects((phrase,), None, phrase.end, (predicate,))


def read_work_mode(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "part-time", "from home on Fridays", "on Fridays"; who works from home on Fridays does not on Mondays."""
    found = _work_modes().match(reading.low, start, end)
    if found is None:
        return None
    words = tuple(found["mode"].split())
    return Objects((Phrase(*found.span("mode"), words, ""),), None, found.end())


@cache
def _work_modes() -> re.Pattern[str]:
    modes = alternatives(word_list("sets.work_modes"))
    days = r"on (?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends)"
    days = spaced(rf"{days}(?: and (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days)?")
    return re.compile(rf"\s*(?P<mode>{modes}(?:\s+{days})?|{days})(?!\w)")

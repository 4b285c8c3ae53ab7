"""What is told of a thing: the objects of the patterns whose subject is one."""

from __future__ import annotations

import re
from collections.abc import Callable

from prme_extractors.lexical.changes import is_part_or_moment, read_ends
from prme_extractors.lexical.doings import read_exchange
from prme_extractors.lexical.holders import Holder, read_holder
from prme_extractors.lexical.objects import CONJUNCTION, Objects, Place
from prme_extractors.lexical.phrases import Phrase, is_known_place, is_proper, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.values import (
    are_alike,
    is_clock,
    is_date,
    read_contrasted_value,
    read_detail,
    read_labelled,
    read_made_holder,
    read_setting,
    read_taken_part,
    read_value,
    told_by,
)
from prme_extractors.lexical.vocabulary import Verb, word_list

_MOVED = re.compile(r"(?<!\w)(?:moved|relocated|migrated|shifted|transferred)(?!\w)")
_AT = re.compile(r"\s*(?:on|in|at)\s")
_BUT = re.compile(r"\s+but\s+(?:rather\s+)?(?=\S)")
_THE = re.compile(r"\s*the\s")
_IN_THING = re.compile(r"\s+(?:in|on|for|of)\s+")
_AUXILIARY = re.compile(r"(?<!\w)(?:used to|doesn't|does not|doesnt)(?!\w)")
_OUT = re.compile(r"\s+(?:from|out\s+of|off)\s")
_ON_DAY = re.compile(r"\s+(?P<word>on|in)\s+")
_DEED = re.compile(r"(?:(?:'ve|'s|ve|have|has|[a-z]+ly|just|now|also|since|already|then|later)\s+)*")
_FOR_ONCE = re.compile(r"(?<!\w)(?:left|cut)(?!\w)")
_LEFT_OUT = re.compile(r"\s+out\s+of\s")
_WHOLE = frozenset({"", "a", "an", "the", "our"})
_WENT = re.compile(r"(?:\s+(?:has|have|just|also|then))*\s+(?:went|gone)\s")


def read_value_of(reading: Reading, place: Place) -> Objects | None:
    """Read "teal", "a fox", "4822", and "pasta and rice" as one value."""
    if place.holder is None or (phrase := read_value(reading, place.holder, place.start, place.end)) is None:
        return None
    joint = CONJUNCTION.match(reading.low, phrase.end, place.end)
    if joint is not None:
        second = read_phrase(reading, joint.end(), place.end)
        if joint.group(1) not in {"and", "&"} or second is None or second.opener or place.is_negative:
            return None
        phrase = Phrase(phrase.start, second.end, (*phrase.words, "and", *second.words), phrase.opener)
    return Objects((phrase,), None, phrase.end)


def read_contrasted_of(reading: Reading, place: Place) -> Objects | None:
    holder = place.holder
    phrase = None if holder is None else read_contrasted_value(reading, holder, place.start, place.end)
    return None if phrase is None else Objects((phrase,), None, phrase.end)


def read_setting_of(reading: Reading, place: Place) -> Objects | None:
    setting = None if place.holder is None or place.holder.is_person else read_setting(reading, place.start, place.end)
    return None if setting is None else Objects((setting[0],), None, setting[0].end, (setting[1],))


def read_detail_of(reading: Reading, place: Place) -> Objects | None:
    if place.holder is None or place.holder.is_person or not _may_do(place.holder, place.verb):
        return None
    if place.verb is not None and _is_misread(reading, place, place.verb, place.holder):
        return None
    predicate = "" if place.verb is None else place.verb.predicate
    if predicate == "has" and place.holder.has_identifier and _THE.match(reading.low, place.start, place.end):
        # "Room 4 has the sofa": what there is one of.
        predicate = ""
    detail = read_detail(reading, predicate, place.start, place.end)
    if detail is None:
        return None
    phrase, label = detail
    return Objects((phrase,), None, phrase.end, None if label is None else (label,))


def _is_misread(reading: Reading, place: Place, verb: Verb, holder: Holder) -> bool:
    """Whether a form without -s follows one thing: "my real love interest" has no verb."""
    head = reading.low[place.front[1] : place.start]
    is_singular = not (holder.attribute or holder.words)[-1].endswith("s")
    return is_singular and head.rstrip().endswith(f" {verb.base}") and not _AUXILIARY.search(head)


def _may_do(holder: Holder, verb: Verb | None) -> bool:
    """Whether the thing is named clearly enough: "Logs go to Loki" is a fact, "Dogs need food" a truism."""
    return not holder.is_bare or len(holder.words) > 1 or holder.has_identifier or verb is None or " " in verb.base


def read_name_after_called(reading: Reading, place: Place) -> Objects | None:
    """Read a name after "called": it may be written small."""
    phrase = read_phrase(reading, place.start, place.end)
    if phrase is None or phrase.opener not in {"", "the"} or phrase.words[0] in word_list("attributes.not_values"):
        return None
    return Objects((phrase,), None, phrase.end)


def read_day(reading: Reading, place: Place) -> Objects | None:
    phrase = read_phrase(reading, place.start, place.end)
    fits = phrase is not None and (is_date(phrase) or is_clock(phrase))
    return Objects((phrase,), None, phrase.end) if phrase is not None and fits else None


def read_past_day(reading: Reading, place: Place) -> Objects | None:
    """Read the date of what happened once, in so many words: "on Saturday" is another day for every reader."""
    found = None if place.holder is None or not place.holder.is_occasion else read_day(reading, place)
    return found if found is not None and any(map(str.isdigit, found.phrases[0].key)) else None


def read_dated_with(reading: Reading, place: Place) -> Objects | None:
    """Read "Trellis on 2026-02-16" after "joined": the day, and with whom as part of what happened on it."""
    whom = read_phrase(reading, place.start, place.end)
    joint = None if whom is None or whom.opener not in {"", "the"} else _ON_DAY.match(reading.low, whom.end, place.end)
    if whom is None or joint is None or not is_proper(reading, whom):
        return None
    day = read_phrase(reading, joint.end(), place.end)
    if day is None or not is_date(day):
        return None
    head = reading.low[place.front[1] : place.start].strip()
    head = _DEED.sub("", head.removeprefix("i").strip() if head.startswith(("i ", "i'")) else head, count=1)
    told = "_".join((*head.split(), *whom.words, joint["word"]))
    return Objects((day,), None, day.end, (told,))


def read_trace(reading: Reading, place: Place) -> Objects | None:
    """Read what a thing fixed or added; what a person did once is an anecdote."""
    holder = place.holder
    if holder is None or holder.is_person or holder.is_mine or (holder.is_bare and not holder.has_identifier):
        return None
    phrase = read_phrase(reading, place.start, place.end)
    if phrase is None or phrase.opener not in {"", "a", "an", "the"}:
        return None
    return Objects((phrase,), None, phrase.end)


def read_trace_of_numbered(reading: Reading, place: Place) -> Objects | None:
    """Read what a version or a ticket did; what has no number may do anything."""
    return read_trace(reading, place) if place.holder is not None and place.holder.has_identifier else None


def read_became(reading: Reading, place: Place) -> Objects | None:
    """Read "from Basic to Pro" after a thing and a verb of change."""
    change = None if place.holder is None else read_ends(reading, place.start, place.end)
    if change is None or place.holder is None or _is_somebody(place.holder) or not _are_values(reading, change):
        return None
    if place.holder.is_bare and is_part_or_moment(change.phrases[0]):
        # "Ann switched from Chrome to lunch".
        return None
    if change.former is None and (place.holder.is_bare or _WENT.match(reading.low, place.front[1]) is not None):
        # "Ann went to my school".
        return None
    return _changed(reading, change, place)


def read_made(reading: Reading, place: Place) -> Objects | None:
    """Read "the plan tier from Basic to Pro" after who changed it."""
    made = read_made_holder(reading, place.start, place.end)
    change = None if made is None else read_ends(reading, made[1], place.end)
    if change is None or made is None or _is_somebody(made[0]) or not _are_values(reading, change):
        return None
    return _changed(reading, change, place)._replace(holder=made[0])


def _is_somebody(holder: Holder) -> bool:
    """Whether the holder moves from one thing to another and is neither: "my team moved from Slack to Teams"."""
    return holder.is_person or holder.words[-1] in word_list("attributes.groups")


def _are_values(reading: Reading, change: Objects) -> bool:
    """Whether the ends of a change are values: "from the wall to the window" tells where somebody pushed it."""
    return all(phrase.opener != "the" or is_proper(reading, phrase) for phrase in change.ends)


def _changed(reading: Reading, change: Objects, place: Place) -> Objects:
    """Return the change with the predicate that its verb and its values tell."""
    new, former = change.phrases[0], change.former
    labelled = read_labelled(reading, new.start, new.end)
    if labelled is not None:
        before = None if former is None else read_labelled(reading, former.start, former.end)
        is_same = before is not None and before[1] == labelled[1]
        return change._replace(
            phrases=labelled[:1], former=before[0] if before and is_same else None, predicates=labelled[1:]
        )
    verb = reading.low[place.front[1] : place.start]
    is_place = is_known_place(new) or (former is not None and is_known_place(former))
    if "renamed" in verb:
        return change._replace(predicates=("name",))
    if is_place and _MOVED.search(verb) is not None:
        return change._replace(predicates=("located_in",))
    return change._replace(predicates=(told_by(new, former, "is"),))


def read_not_but(reading: Reading, place: Place) -> Objects | None:
    """Read "not a fox but an owl", "not on floor 2 but on floor 5"."""
    if _AT.match(reading.low, place.start, place.end):
        return _read_not_but(reading, place, read_setting_of)
    found = _read_not_but(reading, place, read_value_of)
    if found is None and (found := _read_not_but(reading, place, read_contrasted_of)) is not None:
        new, former = found.phrases[0], found.former
        return found if former is not None and are_alike(reading, new, former) else None
    return found


def _read_not_but(reading: Reading, place: Place, read: Callable[[Reading, Place], Objects | None]) -> Objects | None:
    former = read(reading, place)
    joint = None if former is None else _BUT.match(reading.low, former.end, place.end)
    new = None if joint is None else read(reading, place._replace(start=joint.end()))
    if former is None or new is None:
        return None
    told = new.predicates or (told_by(new.phrases[0], former.phrases[0], "is"),)
    return Objects(new.phrases, former.phrases[0], new.end, told)


def read_taken(reading: Reading, place: Place) -> Objects | None:
    taken = read_taken_part(reading, place.start, place.end)
    return None if taken is None else Objects((taken.part,), None, taken.end, None, taken.holder)


def read_part_taken(reading: Reading, place: Place) -> Objects | None:
    """Read "Quillset from the crawler"; what is removed and has no name may be dust."""
    taken = read_taken_part(reading, place.start, place.end)
    if taken is None or taken.is_switch or _is_somebody(taken.holder):
        return None
    if _OUT.match(reading.low, taken.part.end, place.end) is None:
        return None
    told = reading.low[place.front[1] : place.start]
    is_described = taken.holder.words[-1] in word_list("things.described")
    is_named = any(map(str.isupper, reading.text[taken.part.start : taken.part.end]))
    is_part = is_named or is_proper(reading, taken.part) or is_described
    # What is left out of a soup, or cut from a shirt, may be so for once.
    for_once = _FOR_ONCE.search(told) is not None
    if for_once and reading.low[taken.end : place.end].strip():
        return None
    if (for_once and not is_described) or not (is_part or "dropped" in told or "ripped" in told):
        return None
    if ("left" in told and not _LEFT_OUT.match(reading.low, taken.part.end)) or taken.part.opener not in _WHOLE:
        return None
    predicates = ("contains", "includes", "has", "uses", "has_enabled") if is_described and not is_named else None
    return Objects((taken.part,), None, taken.end, predicates, taken.holder)


def read_switched_off(reading: Reading, place: Place) -> Objects | None:
    """Read "autosave in the notes repo"; only a setting, a feature or a flag is removed to switch it off."""
    taken = read_taken_part(reading, place.start, place.end)
    if taken is None or ("removed" in reading.low[place.front[1] : place.start] and not taken.is_switch):
        return None
    return Objects((taken.part,), None, taken.end, None, taken.holder)


def read_part_replaced(reading: Reading, place: Place) -> Objects | None:
    """Read "Redis with Valkey in the importer" after who replaced it."""
    exchange = read_exchange(reading, place)
    joint = None if exchange is None else _IN_THING.match(reading.low, exchange.end, place.end)
    holder = None if joint is None else read_holder(reading, joint.end(), place.end)
    if exchange is None or holder is None or holder.is_person or holder.is_bare:
        return None
    return exchange._replace(end=place.end, holder=holder)

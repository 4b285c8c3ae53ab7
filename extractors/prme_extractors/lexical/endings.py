"""Endings: what somebody has left, cancelled, deleted or called off, and whom they parted from."""

from __future__ import annotations

import re
from functools import cache

from prme_extractors.lexical.holders import means_people
from prme_extractors.lexical.names import may_name_somebody
from prme_extractors.lexical.objects import (
    Objects,
    Place,
    accept_tool,
    accept_workplace,
)
from prme_extractors.lexical.phrases import Phrase, is_known_place, is_proper, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern
from prme_extractors.lexical.vocabulary import places, word_list

_SUBSCRIPTIONS = frozenset({"subscription", "membership", "plan"})
_ACCOUNTS = frozenset({"account", "app", "profile"})
_PARTNERSHIPS = ("dating", "engaged_to", "married_to")
_PARTNER = re.compile(r"(?:i|me)\s+and\s+(?P<other>.+)|(?P<first>.+)\s+and\s+(?:i|me)")
_JOURNEY = r"(?:trip|journey|holiday|vacation)"
_CALLED_OFF = re.compile(
    rf"\s+(?:(?P<before>[\w' -]+?)\s+{_JOURNEY}|{_JOURNEY}\s+to\s+(?P<after>[\w' -]+?))"
    r"\s+(?:is|was|got|has\s+been)\s+(?:off|cancelled|canceled|called\s+off)(?!\w)"
)


def read_left_firm(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read the one firm that somebody has left: who "left Nike or Adidas" was shopping."""
    phrase = read_phrase(reading, start, end)
    return Objects((phrase,), None, phrase.end) if phrase is not None and _is_left(reading, phrase) else None


def _is_left(reading: Reading, phrase: Phrase) -> bool:
    """Whether it is a firm that somebody may have left for good: neither "Tom" nor "Friday", "Slack" or "Mom's"."""
    if phrase.key in word_list("sets.firms"):
        return True
    is_known = _no_firms().isdisjoint(phrase.words) and not phrase.words[0].endswith("day") and not phrase.names_owner
    return is_known and accept_workplace(reading, phrase)


def accept_school(reading: Reading, phrase: Phrase) -> bool:
    """Accept a school by its name, which may be that of its town; nobody studies at a call or at "Leiden's race"."""
    written = reading.text[phrase.start : phrase.end].split()
    none = word_list("sets.apps") | word_list("sets.no_firms")
    is_name = all(word[0].isupper() or word in {"of", "the"} for word in written)
    return is_name and phrase.opener == "" and not phrase.names_owner and none.isdisjoint(phrase.words)


def accept_uninstalled(reading: Reading, phrase: Phrase) -> bool:
    """Accept a program, in small letters as well: it was told of before, in the same words."""
    if accept_tool(reading, phrase) or phrase.key in word_list("sets.apps"):
        return True
    word = phrase.words[0]
    is_word = phrase.opener == "" and len(phrase.words) == 1 and word.isalpha()
    return is_word and word not in word_list("changes.parts_places_and_moments")


def accept_app(reading: Reading, phrase: Phrase) -> bool:
    """Accept an app by its name; a file, a contact and everything of one maker may be deleted, too."""
    if phrase.opener or phrase.key in word_list("sets.apps"):
        return phrase.opener == ""
    written = reading.text[phrase.start : phrase.end].split()
    is_name = accept_tool(reading, phrase) and all(word[0].isupper() for word in written)
    return is_name and _no_apps().isdisjoint(phrase.words)


def read_account(reading: Reading, place: Place) -> Objects | None:
    """Read "Facebook account" after "my", which ends the use of Facebook; of "old accounts" there may be others."""
    phrase = read_phrase(reading, place.start, place.end)
    name = None if phrase is None else _named_before(reading, phrase, _ACCOUNTS)
    if phrase is None or name is None or not accept_app(reading, name):
        return None
    return Objects((name,), None, phrase.end)


def read_cancelled(reading: Reading, place: Place) -> Objects | None:
    """Read "Netflix" and "my Netflix subscription"; who had told of either one has told of the other."""
    phrase = read_phrase(reading, place.start, place.end)
    if phrase is None or phrase.opener not in {"", "my"} or phrase.names_owner:
        return None
    if phrase.key in word_list("sets.services"):
        return Objects((phrase,), None, phrase.end)
    name = _named_before(reading, phrase, _SUBSCRIPTIONS) if phrase.opener == "my" else None
    if name is None:
        return None
    is_known = name.key in word_list("sets.services")
    return Objects((phrase, name) if is_known else (phrase,), None, phrase.end, None if is_known else ("has",))


def _named_before(reading: Reading, phrase: Phrase, heads: frozenset[str]) -> Phrase | None:
    """Return what stands before the last word of the phrase, where that is one of the heads."""
    if len(phrase.words) < 2 or phrase.words[-1] not in heads:
        return None
    end = phrase.start + len(reading.low[phrase.start : phrase.end - len(phrase.words[-1])].rstrip())
    return phrase._replace(end=end, words=phrase.words[:-1])


def accept_destination(reading: Reading, phrase: Phrase) -> bool:
    """Accept a place that is written as one, or a country: "I'm not going to cook anymore" names none."""
    if phrase.opener not in {"", "the"} or not is_known_place(phrase):
        return False
    return is_proper(reading, phrase) or phrase.key in places().regions


def read_called_off(reading: Reading, place: Place) -> Objects | None:
    """Read "Peru trip is off" and "trip to Peru was cancelled" after "my"."""
    found = _CALLED_OFF.match(reading.low, place.start, place.end)
    if found is None:
        return None
    start, end = found.span("before" if found["before"] else "after")
    phrase = read_phrase(reading, start, end)
    is_whole = phrase is not None and phrase.end == end and accept_destination(reading, phrase)
    return Objects((phrase,), None, found.end()) if phrase is not None and is_whole else None


def read_pair(reading: Reading, place: Place) -> Objects | None:
    """Read "Tom and I" before "broke up": whom somebody is with no more."""
    start, end = place.front
    found = _PARTNER.fullmatch(reading.low, start, end)
    if found is None:
        return None
    start, end = found.span("other" if found["other"] else "first")
    phrase = read_phrase(reading, start, end)
    if phrase is None or phrase.end != end:
        return None
    if phrase.opener == "my":
        return Objects((phrase,), None, place.start, ("has",)) if phrase.key in word_list("holders.partners") else None
    is_name = may_name_somebody(phrase) or (phrase.opener == "" and is_proper(reading, phrase))
    is_name = is_name and not means_people(phrase.words[-1])
    return Objects((phrase,), None, place.start, _PARTNERSHIPS) if is_name else None


@cache
def _no_firms() -> frozenset[str]:
    return _listed("names.given", "sets.months", "sets.apps", "sets.no_firms")


@cache
def _no_apps() -> frozenset[str]:
    return _listed("names.given", "sets.makes", "sets.makers", "changes.parts_places_and_moments", "things.labels")


def _listed(*keys: str) -> frozenset[str]:
    return frozenset().union(*map(word_list, keys))

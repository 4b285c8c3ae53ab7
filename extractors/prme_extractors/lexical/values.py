"""Values: what is told of a thing, typed so that a fact is kept and an opinion or a passing state is not."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.holders import Holder, read_holder
from prme_extractors.lexical.phrases import Phrase, is_adjective, is_known_place, is_number, is_proper, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.tails import end_of_activity
from prme_extractors.lexical.vocabulary import verbs_of_things, vocabulary, word_list
from prme_extractors.lexical.wordings import alternatives

Span = tuple[int, int]

_PREPOSITION = re.compile(r"\s*(?:on|in|at)\s+")
_LINK = re.compile(r"\s*(?:on|in|at|with|from|by|to|for)\s+")
_CLOCK = re.compile(r"(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?\s?(?:am|pm|a\.m|p\.m|o'clock|utc|cet|gmt|h)?|noon|midnight")
_CLOCK_WORDS = frozenset({"noon", "midnight"})
_AFFIX = re.compile(r"\s*(?:the\s+)?(?P<affix>[\w./#@+:-]*[\w/#@+_-])(?=[\s.,;)!]|\Z)")
_NUMBER = re.compile(r"[$\u00a3\u20ac#]?\d")
_LONGEST_INITIALS = 3
_LONGEST_ACTIVITY = 2
# An adjective whose ending tells a kind, and no opinion or state: "shatterproof", "wall-mounted".
_LASTING_KIND = re.compile(
    r"[a-z]{3,}proof|[a-z]+-(?:proof|resistant|based|powered|shaped|operated|sided|mounted|driven|bound|backed)"
)
# "10/10" is praise.
_MARK_OUT_OF = re.compile(r"\d+/10+\Z")
_SPACE = re.compile(r"\s*")
_AFFIX_PREDICATES = frozenset({"starts_with", "ends_with", "ends_in", "begins_with", "prefixed_with", "suffixed_with"})
_MOST_CONTRASTED = 3
# How words end that say how something is.
_ADJECTIVE = re.compile(r"(?:\w{2}(?:y|ing|ed|en|er|est|ful|less|ous|able|ible|ish|ive|ant|ent|ly))\Z")
_PLAIN_OPENERS = frozenset({"", "a", "an", "the"})


def read_value(reading: Reading, holder: Holder, start: int, end: int) -> Phrase | None:
    """Read a value of the thing; None when it is an opinion, a state of the moment, or not clear."""
    phrase = read_phrase(reading, start, end)
    if phrase is None or phrase.opener not in _PLAIN_OPENERS or not is_value(reading, holder, phrase):
        return None
    return phrase


def is_value(reading: Reading, holder: Holder, phrase: Phrase) -> bool:
    """Whether the phrase is a value that may be kept for that thing."""
    first, last = phrase.words[0], phrase.words[-1]
    is_name = _is_name(reading, phrase) and first not in word_list("sets.nationalities")
    is_opinion = last in word_list("things.opinions") and not holder.is_well_known
    if first in word_list("attributes.not_values") or is_opinion:
        return False
    if phrase.opener == "the" and not is_proper(reading, phrase):
        return False
    if holder.is_person:
        is_known = is_name or phrase.key in word_list("names.given")
        return is_known and not first[0].isdigit() and phrase.opener in {"", "the"}
    if last.endswith("ing") and phrase.opener == "" and not (is_name or _is_activity(holder, phrase)):
        return False
    if holder.is_event:
        return _is_counted(phrase)
    is_favourite = holder.words[0] in word_list("attributes.favourite")
    if holder.is_routine and not is_favourite and _is_judged(phrase):
        return False
    if phrase.key in word_list("things.tiers") and holder.words[-1] in word_list("things.tiered"):
        return True
    if _is_numbered(phrase):
        return True
    if holder.is_open or is_colour(phrase) or _is_counted(phrase):
        return True
    if holder.is_bare and not holder.has_identifier:
        return False
    if is_name:
        return True
    if phrase.opener in {"a", "an"}:
        judged = word_list("things.judgements") & {first, last} or word_list("sets.occupation_not") & set(phrase.words)
        return not judged
    return phrase.key in word_list("things.qualities") or _LASTING_KIND.fullmatch(phrase.key) is not None


def read_contrasted_value(reading: Reading, holder: Holder, start: int, end: int) -> Phrase | None:
    """Read what a thing is where another value is excluded; how it is at the moment stays out."""
    phrase = read_phrase(reading, start, end)
    if phrase is None or holder.is_person or holder.is_event or (holder.is_bare and not holder.has_identifier):
        return None
    if phrase.opener not in _PLAIN_OPENERS or len(phrase.words) > _MOST_CONTRASTED:
        return None
    return None if _is_state(phrase) else phrase


def are_alike(reading: Reading, value: Phrase, former: Phrase) -> bool:
    """Whether two phrases may be values of one thing: both with one article, both a number or none."""
    if _is_state(former) or len(former.words) > _MOST_CONTRASTED or value.words == former.words:
        return False
    is_article = {value.opener, former.opener} <= {"a", "an"} or value.opener == former.opener
    return is_article and _is_measured(value) == _is_measured(former)


def _is_state(phrase: Phrase) -> bool:
    """Whether it says how something is at the moment or what somebody thinks of it: "messy", "closed", "fun"."""
    first, last = phrase.words[0], phrase.words[-1]
    told = word_list("attributes.not_values") - {"the"}
    judged = word_list("things.opinions") | word_list("things.judgements") | word_list("things.states")
    if phrase.words[0] in told or not judged.isdisjoint((first, last)):
        return True
    return not phrase.opener and not phrase.capital and _ADJECTIVE.search(last) is not None


def _is_name(reading: Reading, phrase: Phrase) -> bool:
    """Whether the phrase is written as a name; a word that is shouted is none."""
    if not is_proper(reading, phrase):
        return False
    first = reading.text[phrase.start : phrase.end].split()[0]
    return not (len(first) > _LONGEST_INITIALS and first.isalpha() and first.isupper())


def _is_activity(holder: Holder, phrase: Phrase) -> bool:
    """Whether a word in -ing is a value: an activity of somebody who has a hobby, a pudding for who has a dessert."""
    if len(phrase.words) > _LONGEST_ACTIVITY or phrase.words[-1] in word_list("values.never_done"):
        return False
    is_noun = phrase.words[-1] in word_list("values.in_ing")
    return holder.is_pastime or (is_noun and (holder.is_well_known or holder.is_routine))


def _is_judged(phrase: Phrase) -> bool:
    """Whether an opinion or a passing state is told, as of every "usual route": "scenic", "blocked"."""
    refuse, last = word_list("values.refuse"), phrase.words[-1]
    if phrase.opener in {"", "a", "an"} and word_list("things.judgements") & {phrase.words[0], last}:
        return True
    return phrase.words[0] in refuse or last in refuse or (phrase.opener == "" and is_adjective(last))


def _is_numbered(phrase: Phrase) -> bool:
    """Whether it is named by a label and its number: "room 212"."""
    first, *rest = phrase.words
    is_label = len(rest) == 1 and first in word_list("things.labels")
    return is_label and phrase.opener == "" and rest[0][0].isdigit()


def _is_measured(phrase: Phrase) -> bool:
    first = phrase.words[0]
    return (_NUMBER.match(first) is not None and _MARK_OUT_OF.match(first) is None) or first in vocabulary()[
        "phrase.numbers"
    ]


def _is_counted(phrase: Phrase) -> bool:
    return _is_measured(phrase) or is_date(phrase) or is_clock(phrase)


def is_colour(phrase: Phrase) -> bool:
    """Whether the phrase is a colour, with or without its shade; "Violet" is a name."""
    colours = word_list("things.colours")
    if phrase.capital or phrase.words[-1] not in colours:
        return False
    return all([word in colours or word in word_list("things.shades") for word in phrase.words[:-1]])


def is_date(phrase: Phrase) -> bool:
    """Whether the phrase names a day, a month or a year."""
    first = phrase.words[0]
    return (first[0].isdigit() or first in _date_words()) and _date().fullmatch(phrase.key) is not None


def is_clock(phrase: Phrase) -> bool:
    """Whether the phrase is a time of day."""
    first = phrase.words[0]
    if not (first[0].isdigit() or first in _CLOCK_WORDS) or _CLOCK.fullmatch(phrase.key) is None:
        return False
    return len(phrase.words) > 1 or not first.isdigit()


def told_by(phrase: Phrase, former: Phrase | None, predicate: str) -> str:
    """Return the predicate that "is" stands for, by the kind of its value: a colour, a day, a time or what it is."""
    if predicate != "is":
        return predicate
    ends = (phrase,) if former is None else (phrase, former)
    if any(map(is_colour, ends)):
        return "color"
    if any(map(is_date, ends)):
        return "on"
    return "at" if any(map(is_clock, ends)) else "is"


def read_labelled(reading: Reading, start: int, end: int) -> tuple[Phrase, str] | None:
    """Read "on floor 2" from its preposition, or "floor 2" itself: the number, and the label as its predicate."""
    found = _labelled().match(reading.low, start, end)
    if found is None:
        return None
    # "In hall B", but not "in hall a ...".
    if found["value"].isalpha() and not reading.text[found.start("value")].isupper():
        return None
    value = found["value"].rstrip(".")
    return Phrase(found.start("value"), found.start("value") + len(value), (value,), ""), found["label"]


def read_setting(reading: Reading, start: int, end: int) -> tuple[Phrase, str] | None:
    """Read where or when something is, after "on", "in" or "at": the value and its predicate."""
    labelled = read_labelled(reading, start, end)
    if labelled is not None:
        return labelled
    preposition = _PREPOSITION.match(reading.low, start, end)
    phrase = None if preposition is None else read_phrase(reading, preposition.end(), end)
    if preposition is None or phrase is None or phrase.opener not in {"", "the"} or phrase.key.endswith("%"):
        return None
    if is_date(phrase):
        return phrase, "on"
    if is_clock(phrase) or (preposition.group().strip() == "at" and is_number(phrase)):
        return phrase, "at"
    if phrase.words[-1].removesuffix("s") in _UNITS:  # "in 15 minutes"
        return None
    if phrase.opener == "" and (is_known_place(phrase) or is_proper(reading, phrase)):
        word = preposition.group().strip()
        return None if word == "on" else (phrase, f"located_{word}")
    return None


def read_detail(reading: Reading, predicate: str, start: int, end: int) -> tuple[Phrase, str | None] | None:
    """Read what a thing uses, runs on, starts with: a noun phrase, a labelled number, or a piece of a name."""
    if predicate in _AFFIX_PREDICATES:
        affix = _AFFIX.match(reading.low, start, end)
        if affix is not None and not affix["affix"].isalpha():
            return Phrase(*affix.span("affix"), (affix["affix"],), ""), None
    labelled = read_labelled(reading, start, end)
    if labelled is not None:
        return labelled
    phrase = read_phrase(reading, start, end)
    if phrase is None or phrase.opener not in _PLAIN_OPENERS:
        return None
    if predicate == "has" and phrase.opener not in {"a", "an"} and not _is_measured(phrase):
        return None
    if predicate.endswith(("_in", "_on", "_at")) and phrase.words[-1].removesuffix("s") in _UNITS:
        # "Starts in two weeks" is another day for every reader.
        return None
    first, last = phrase.words[0], phrase.words[-1]
    if phrase.opener == "" and first in verbs_of_things():
        # "The unit tests run on ..." is about tests.
        return None
    if first in word_list("attributes.not_values") or {first, last} & word_list("things.judgements"):
        return None
    return phrase, None


def read_former(reading: Reading, predicate: str, start: int, end: int) -> Phrase | None:
    """Read all of `[start, end)` as the value that a thing or a verb had before: "floor 2", "on floor 2", "feat-"."""
    preposition = _LINK.match(reading.low, start, end)
    first = start if preposition is None else preposition.end()
    detail = read_detail(reading, predicate, first, end)
    phrase = read_phrase(reading, first, end) if detail is None else detail[0]
    return phrase if phrase is not None and phrase.end == end else None


def read_made_holder(reading: Reading, start: int, end: int) -> tuple[Holder, int] | None:
    """Read "the alert threshold" of "I changed the alert threshold from 5 to 8", and where its change begins."""
    joint = _CHANGE.search(reading.low, start, end)
    first = _SPACE.match(reading.low, start, end)
    holder = None if joint is None or first is None else read_holder(reading, first.end(), joint.start())
    return None if holder is None or joint is None or holder.is_person else (holder, joint.start())


class Taken(NamedTuple):
    """A part of a thing that is taken away, or one of its switches."""

    part: Phrase
    holder: Holder
    is_switch: bool
    end: int


def read_taken_part(reading: Reading, start: int, end: int) -> Taken | None:
    """Read "Quillset from the crawler": what is taken away or switched on, and of which thing."""
    phrase = read_phrase(reading, start, end)
    joint = None if phrase is None else _FROM_THING.match(reading.low, phrase.end, end)
    stop = end if joint is None else end_of_activity(reading.low, joint.end(), end)
    holder = None if joint is None else read_holder(reading, joint.end(), stop)
    if phrase is None or holder is None or holder.is_person or holder.is_bare:
        return None
    if holder.attribute and not holder.is_mine:
        return None
    is_switch = len(phrase.words) > 1 and phrase.words[-1] in _SWITCHES
    if is_switch:
        # "The autosave setting" is autosave.
        words = phrase.words[:-1]
        cut = reading.low.rindex(phrase.words[-1], phrase.start, phrase.end)
        phrase = phrase._replace(words=words, end=len(reading.low[:cut].rstrip()))
    return Taken(phrase, holder, is_switch, stop)


_CHANGE = re.compile(r"\s+(?:from|to)\s")
_FROM_THING = re.compile(r"\s+(?:from|in|on|for|of|out\s+of|off)\s+")
_DAYS = ("mon", "tues", "wednes", "thurs", "fri", "satur", "sun")
_SHORT_MONTHS = ("jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec")
_UNITS = frozenset({"second", "minute", "min", "hour", "day", "week", "month", "year"})
_SWITCHES = frozenset({"setting", "settings", "feature", "flag", "option", "toggle", "switch"})


@cache
def _labelled() -> re.Pattern[str]:
    labels = alternatives(word_list("things.labels"))
    return re.compile(
        rf"\s*(?:(?:on|in|at)\s+)?(?:the\s+)?(?P<label>{labels})\s+(?:number\s+|no\.?\s+|#)?(?P<value>[a-z]?\d[\w.:-]*|[a-z])(?!\w)"
    )


@cache
def _date_words() -> frozenset[str]:
    """Return the words, apart from numbers, that a date may begin with."""
    days = {f"{day}day{plural}" for day in _DAYS for plural in ("", "s")}
    return frozenset({"the", *days, *_SHORT_MONTHS, *(month.split()[0] for month in word_list("sets.months"))})


@cache
def _date() -> re.Pattern[str]:
    month = rf"(?:{alternatives(word_list('sets.months'))}|{'|'.join(_SHORT_MONTHS)})"
    weekday = f"(?:{'|'.join(_DAYS)})days?"
    day = r"(?:the )?\d{1,2}(?:st|nd|rd|th)?"
    ordinal = r"(?:the )?\d{1,2}(?:st|nd|rd|th)"
    year = r"(?:19|20)\d\d"
    return re.compile(
        rf"\d{{4}}-\d\d(?:-\d\d)?|{year}|\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{2,4}}|{weekday}"
        rf"|(?:{weekday},? )?(?:{day} (?:of )?{month}|{month} {day}|{month})(?:,? {year})?|{ordinal}"
    )

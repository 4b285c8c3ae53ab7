"""Objects: which noun phrases a pattern accepts, by the kind of object it takes."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.everyday import (
    accept_duty,
    accept_goods,
    accept_kept,
    accept_named,
    accept_pursuit,
    accept_street,
    accept_wish,
    is_kept_for_long,
)
from prme_extractors.lexical.holders import Holder, means_people
from prme_extractors.lexical.phrases import (
    Phrase,
    is_capitalized,
    is_known_place,
    is_number,
    is_plural,
    is_proper,
    is_written_as_name,
    read_one,
    read_phrase,
)
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern
from prme_extractors.lexical.tails import opens_tail
from prme_extractors.lexical.vocabulary import Verb, vocabulary, word_list
from prme_extractors.lexical.wordings import telling_words

CONJUNCTION = re.compile(r"\s+(and|or|nor|&)\s+")
_GERUND = re.compile(r"\s*[a-z]{2,}ing(?![\w-])")
_TOKEN = re.compile(r"\S+")
_PARTICIPLE = re.compile(r"[a-z]{3,}ed")
_ARTICLE_FIRST = frozenset({"a", "an"})
_MOST_WORDS_OF_A_FIRM = 2

Accept = Callable[[Reading, Phrase], bool]


class Objects(NamedTuple):
    """What a clause is about: its objects, a named former value, and where the tail begins.

    `predicates` stand where the object tells them ("on floor 2"), `holder` where the thing is named after the verb ("I
    changed the alert threshold ...").
    """

    phrases: tuple[Phrase, ...]
    former: Phrase | None
    end: int
    predicates: tuple[str, ...] | None = None
    holder: Holder | None = None

    @property
    def ends(self) -> tuple[Phrase, ...]:
        """What a change leads to, and what it comes from where that is named."""
        return self.phrases[:1] if self.former is None else (self.phrases[0], self.former)


class Place(NamedTuple):
    """Where an object is read: after which verb or words of the head, and of which thing.

    `front` is what stands before the head ("Window seats" in "Window seats are what I prefer").
    """

    pattern: Pattern
    verb: Verb | None
    holder: Holder | None
    start: int
    end: int
    front: tuple[int, int]

    @property
    def is_negative(self) -> bool:
        """Whether what is read is denied."""
        return self.pattern.polarity == "negative"


def read_for_verb(reading: Reading, verb: Verb, negative: bool, start: int, end: int) -> Objects | None:
    if verb.object == "liking":
        return _read_liking(reading, negative, start, end, may_be_known=verb.predicate == "prefers")
    may_be_past = verb.same_past and not negative and not reading.low[:start].endswith((verb.s, verb.ing))

    fits = accept_former_employer if negative and verb.object == "employer" else _ACCEPT[verb.object]

    def accept(reading: Reading, phrase: Phrase) -> bool:
        # "I read thrillers" is a habit, "I read Emma" may be over.
        if may_be_past and (phrase.opener or phrase.capital or not is_plural(phrase)):
            return False
        if verb.indefinite and not negative and phrase.opener in {"my", "the", "our"}:
            return verb.predicate == "owns" and phrase.opener == "the" and len(phrase.words) > 1
        # "I have watched films" tells what was done.
        if verb.indefinite and not phrase.opener and _PARTICIPLE.fullmatch(phrase.words[0]):
            return False
        return _fits_verb(reading, verb, phrase) and fits(reading, phrase)

    return _read_list(reading, accept, negative, start, end, may_be_one=verb.indefinite)


def _fits_verb(reading: Reading, verb: Verb, phrase: Phrase) -> bool:
    heads = phrase.heads
    if verb.only and verb.only.isdisjoint(heads) and not _is_named_so(reading, verb, phrase):
        return False
    return phrase.words[0] not in verb.refuse and verb.refuse.isdisjoint(heads)


def _is_named_so(reading: Reading, verb: Verb, phrase: Phrase) -> bool:
    """Whether the verb takes it although its last word is not among what it takes: "a Seat", "a season ticket"."""
    if verb.predicate == "goes_to":
        is_going = reading.low[: phrase.start].rstrip().endswith("going to")
        return not is_going and accept_named(reading, phrase) and not is_known_place(phrase)
    if not verb.brands:
        return False
    if verb.predicate == "drives":
        return phrase.opener in _ARTICLE_FIRST and is_written_as_name(reading, phrase)
    return _is_brand(reading, phrase) or (verb.predicate == "has" and is_kept_for_long(phrase))


def _is_brand(reading: Reading, phrase: Phrase) -> bool:
    """Whether the phrase names a thing by its make or model: every word of "a Skoda Fabia" is written as a name."""
    if phrase.opener not in {"a", "an", "my", "the"} or phrase.words[0] not in word_list("sets.makes"):
        return False
    return is_written_as_name(reading, phrase)


def _read_list(
    reading: Reading, accept: Accept, negative: bool, start: int, end: int, *, may_be_one: bool = False
) -> Objects | None:
    phrases: list[Phrase] = []
    while True:
        phrase = read_phrase(reading, start, end) or (read_one(reading, start, end) if may_be_one else None)
        if phrase is None or not accept(reading, phrase) or not _quantity_fits(phrase, negative):
            return None
        if phrases and phrase.words[0] in word_list("phrase.conjunct_verbs") and not phrase.opener:
            return None
        phrases.append(phrase)
        joint = CONJUNCTION.match(reading.low, phrase.end, end)
        if joint is None:
            break
        # "I use Vim or Emacs" says neither; "I don't use Vim and Emacs" does not say which.
        if (joint.group(1) in {"or", "nor"}) != negative:
            return None
        start = joint.end()
    if len(phrases) > 1 and not negative and _is_compound(phrases):
        return Objects((_joined(phrases),), None, phrase.end)
    if len(phrases) > 1 and _shares_its_head(reading, phrases):
        return None
    return Objects(tuple(phrases), None, phrase.end)


def _shares_its_head(reading: Reading, phrases: list[Phrase]) -> bool:
    """Whether "spring and summer classes" may be meant: no first member of such a list can stand alone."""
    first = phrases[0]
    is_bare = len(first.words) == 1 and not first.opener and not is_proper(reading, first)
    return is_bare and len(phrases[-1].words) > 1 and not phrases[-1].opener


def _is_compound(phrases: list[Phrase]) -> bool:
    """Whether the members are one thing together: "fish and chips"."""
    return " and ".join(phrase.key for phrase in phrases) in word_list("phrase.compounds")


def _joined(phrases: list[Phrase]) -> Phrase:
    words = tuple(word for phrase in phrases for word in ("and", *phrase.words))[1:]
    return Phrase(phrases[0].start, phrases[-1].end, words, phrases[0].opener)


def _quantity_fits(phrase: Phrase, negative: bool) -> bool:
    if phrase.opener == "any":
        return negative
    return not negative or phrase.opener in {"", "a", "an", "the", "my"}


# ---- one object ---------------------------------------------------------------------------------------------------


def accept_thing(reading: Reading, phrase: Phrase) -> bool:
    return not is_number(phrase)


def accept_dwelling(reading: Reading, phrase: Phrase) -> bool:
    if phrase.opener not in {"", "the"} or phrase.words[0] in word_list("sets.months"):
        return False
    return reading.text[phrase.start].isupper() or is_known_place(phrase)


def accept_town(reading: Reading, phrase: Phrase) -> bool:
    return phrase.opener in {"", "the"} and is_known_place(phrase)


def accept_town_or_month(reading: Reading, phrase: Phrase) -> bool:
    is_date = phrase.words[0] in word_list("sets.months") or (len(phrase.key) == 4 and phrase.key.isdigit())
    return is_date or accept_dwelling(reading, phrase)


def accept_employer(reading: Reading, phrase: Phrase) -> bool:
    if phrase.words[-1] in word_list("sets.employer_not") or phrase.opener not in {"", "a", "an", "the"}:
        return False
    return phrase.opener != "" or accept_firm(reading, phrase)


def accept_former_employer(reading: Reading, phrase: Phrase) -> bool:
    """Accept a firm in small letters, too: who works there no more has told of it before, in the same words."""
    if accept_employer(reading, phrase):
        return True
    words = phrase.words
    is_short = phrase.opener == "" and len(words) <= _MOST_WORDS_OF_A_FIRM and phrase.key.replace(" ", "").isalpha()
    no_firm = word_list("sets.employer_not") | word_list("changes.parts_places_and_moments")
    return is_short and words[-1] not in no_firm and not is_number(phrase)


def accept_firm(reading: Reading, phrase: Phrase) -> bool:
    if phrase.opener not in {"", "the"}:
        return False
    return reading.text[phrase.start].isupper() or phrase.key in word_list("sets.firms")


def accept_service(reading: Reading, phrase: Phrase) -> bool:
    return _accept_proper(reading, phrase) or phrase.key in word_list("sets.services")


def accept_occupation(reading: Reading, phrase: Phrase) -> bool:
    if phrase.opener not in _ARTICLE_FIRST or word_list("sets.occupation_not") & set(phrase.words):
        return False
    return not word_list("sets.occupations").isdisjoint(phrase.heads)


def accept_workplace(reading: Reading, phrase: Phrase) -> bool:
    """Accept a firm by its name; who is no longer at a town may have been on a visit."""
    written = reading.text[phrase.start : phrase.end].split()
    is_name = all(word[0].isupper() or word[0].isdigit() or word in {"of", "and", "the"} for word in written)
    is_firm = is_name or phrase.key in word_list("sets.firms")
    return accept_firm(reading, phrase) and is_firm and not is_known_place(phrase)


def accept_medicine(reading: Reading, phrase: Phrase) -> bool:
    return not word_list("sets.medicines").isdisjoint(phrase.heads)


def accept_tool(reading: Reading, phrase: Phrase) -> bool:
    """Accept what is written as a name and is no place and no day: a program, a device, a service."""
    if phrase.opener or not is_proper(reading, phrase) or is_number(phrase) or is_known_place(phrase):
        return False
    return not (phrase.words[0].endswith("day") or phrase.words[0] in word_list("sets.months"))


def accept_belonging(reading: Reading, phrase: Phrase) -> bool:
    """Accept "my guitar", and "the Toyota" or "the piano": the idea is not owned."""
    if means_people(phrase.words[-1]) or phrase.names_owner:
        return False
    if phrase.opener in {"my", "our"}:
        return accept_thing(reading, phrase)
    is_owned = phrase.words[-1] in possessions() or _is_brand(reading, phrase)
    return phrase.opener == "the" and is_owned


@cache
def possessions() -> frozenset[str]:
    """Return what somebody may own or drive for long."""
    return frozenset().union(*(verb.only for verb in vocabulary().verbs if verb.predicate in {"has", "drives"}))


def accept_post(reading: Reading, phrase: Phrase) -> bool:
    """Accept "the treasurer", "the support lead": what one is in a group."""
    heads = {phrase.words[-1], *(word for word, after in itertools.pairwise(phrase.words) if after == "of")}
    return phrase.opener == "the" and bool(heads & (word_list("attributes.posts") | word_list("sets.occupations")))


def accept_former_post(reading: Reading, phrase: Phrase) -> bool:
    """Accept "treasurer" as well as "the treasurer": who steps down was one."""
    return accept_post(reading, phrase._replace(opener="the")) and phrase.opener in {"", "the"}


def accept_language(reading: Reading, phrase: Phrase) -> bool:
    if phrase.opener:
        return False
    return phrase.key in word_list("sets.languages") or (len(phrase.words) == 1 and is_capitalized(reading, phrase))


def _accept_home(reading: Reading, phrase: Phrase) -> bool:
    """Accept a place, or what kind of home it is: "a houseboat"."""
    if phrase.opener in _ARTICLE_FIRST:
        return phrase.words[-1] in word_list("homes.kinds") and word_list("homes.refuse").isdisjoint(phrase.words)
    return accept_dwelling(reading, phrase)


def _accept_field(reading: Reading, phrase: Phrase) -> bool:
    return phrase.opener == "" and not word_list("sets.field_not") & set(phrase.words)


def _accept_proper(reading: Reading, phrase: Phrase) -> bool:
    return phrase.opener in {"", "the"} and is_proper(reading, phrase)


def _accept_somebody(reading: Reading, phrase: Phrase) -> bool:
    if phrase.opener == "my":
        return means_people(phrase.words[-1])
    return phrase.opener == "" and is_proper(reading, phrase)


def _accept_work_field(reading: Reading, phrase: Phrase) -> bool:
    return phrase.key in word_list("sets.work_fields") or accept_dwelling(reading, phrase)


_ACCEPT: dict[str, Accept] = {
    "thing": accept_thing,
    "place": _accept_home,
    "street": accept_street,
    "named": accept_named,
    "goods": accept_goods,
    "wish": accept_wish,
    "kept": accept_kept,
    "pursuit": accept_pursuit,
    "duty": accept_duty,
    "employer": accept_employer,
    "occupation": accept_occupation,
    "language": accept_language,
    "field": _accept_field,
    "proper": _accept_proper,
    "somebody": _accept_somebody,
    "workfield": _accept_work_field,
    "service": accept_service,
}


# ---- readers ------------------------------------------------------------------------------------------------------


def one_kind(accept: Accept) -> Callable[[Reading, Pattern, int, int], Objects | None]:
    def read(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
        return _read_list(reading, accept, pattern.polarity == "negative", start, end)

    return read


def _read_liking(
    reading: Reading, negative: bool, start: int, end: int, *, may_be_known: bool = False
) -> Objects | None:
    if _GERUND.match(reading.low, start, end) is not None:
        gerund = _read_gerund(reading, start, end)
        return None if gerund is None else Objects((gerund,), None, gerund.end)

    def accept(reading: Reading, phrase: Phrase) -> bool:
        # "the movie", "my coffee": what is liked is only clear to who was there.
        if phrase.words[0][0].isdigit() or is_number(phrase):
            return False
        if phrase.opener == "the":
            # Who prefers "the early shift" chooses among known ones.
            return is_proper(reading, phrase) or (may_be_known and len(phrase.words) > 1)
        return phrase.opener != "my"

    return _read_list(reading, accept, negative, start, end)


def _read_gerund(reading: Reading, start: int, end: int) -> Phrase | None:
    """Read "hiking in the mountains": an activity with what belongs to it, up to a word that belongs to the clause."""
    words: list[str] = []
    stop = start
    for found in _TOKEN.finditer(reading.low, start, end):
        word = found.group()
        if words and (word in word_list("activity.stops") or opens_tail(reading.low, found.start(), end)):
            break
        words.append(word)
        stop = found.end()
    if (
        not 0 < len(words) <= 5
        or words[0] in word_list("activity.not_activities")
        or words[-1] in word_list("activity.dangling")
    ):
        return None
    if any(word == "and" and not following.endswith("ing") for word, following in itertools.pairwise(words)):
        return None
    begin = start + len(reading.low[start:end]) - len(reading.low[start:end].lstrip())
    return Phrase(begin, stop, tuple(words), "")


def read_liking_of(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    return _read_liking(reading, pattern.polarity == "negative", start, end)


def read_had(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "a van" of "I've got a van", as after "have"."""
    return read_for_verb(reading, _have(), pattern.polarity == "negative", start, end)


@cache
def _have() -> Verb:
    return next(verb for verb in vocabulary().verbs if verb.base == "have")


def read_trait(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    # Nothing is said more often than "I'm ...": one look at the message tells that it is no trait.
    if _traits().isdisjoint(reading.words):
        return None
    phrase = read_phrase(reading, start, end)
    if phrase is None or phrase.key not in word_list("sets.diets"):
        return None
    return Objects((phrase,), None, phrase.end)


@cache
def _traits() -> frozenset[str]:
    return telling_words(word_list("sets.diets"))


def read_nothing(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    return Objects((), None, start)

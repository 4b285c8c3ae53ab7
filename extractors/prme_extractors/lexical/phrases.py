"""Noun phrases: the object of a clause, bounded cleanly or not read at all."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.vocabulary import places, vocabulary, word_list
from prme_extractors.lexical.wordings import alternatives

_WORD = re.compile(r"[$\u00a3\u20ac]?[^\W_](?:[\w'&+#@/%-]|[.,:](?=\w))*\+*")
_GAP = re.compile(r"(?P<blank>\s+)(?P<of>of\s+(?:the\s+)?)?")
# "Dr. Hale": the stop behind these belongs to the name.
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "rev", "capt", "sgt", "lt", "col"})
_MAY_DAY = re.compile(r"may\s+(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?(?![\w:])")
_MAY_LAST = re.compile(r"may(?:\s+(?:19|20)\d\d)?\s*(?:[.,!;)]|\Z)")
_DAY = re.compile(r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th)?")
_ADJECTIVE_ENDINGS = ("ous", "ful", "able", "ible", "less", "ive", "ish", "ed", "est", "ier")
_ONE = re.compile(r"\s*(?P<one>one)\s+(?!of\s|more\s|day\s|hell\s)(?=\w)")
_AGO = frozenset({"ago", "back"})
_TIME_AGO = re.compile(
    r"(?:\w+\s+(?:minute|hour|day|night|week|month|year|semester|decade)s?|ages|years|months|decades)\s+(?:ago|back)\b"
)
_LY = frozenset(
    {
        "early",
        "family",
        "jelly",
        "italy",
        "sicily",
        "july",
        "lily",
        "fly",
        "belly",
        "monopoly",
        "lilly",
        "molly",
        "emily",
        "billy",
        "kelly",
        "holly",
        "sally",
        "wally",
        "chantilly",
    }
)


class Phrase(NamedTuple):
    """A noun phrase without its determiner: where it stands, its words in lower case, and the determiner.

    `capital` tells that it is written with a capital, as a name is.
    """

    start: int
    end: int
    words: tuple[str, ...]
    opener: str
    capital: bool = False

    @property
    def key(self) -> str:
        """The phrase in lower case with single blanks."""
        return " ".join(self.words)

    @property
    def heads(self) -> tuple[str, str]:
        """What the phrase is of: its last word, and its last two."""
        return self.words[-1], " ".join(self.words[-2:])

    @property
    def names_owner(self) -> bool:
        """Whether it says whose it is: "dad's van"."""
        return any(word.endswith(("'s", "s'")) for word in self.words)


def read_phrase(reading: Reading, position: int, end: int) -> Phrase | None:
    """Read a noun phrase at the position, or None when what stands there is none, or none that can be bounded."""
    low = reading.low
    opener, start = _opener(low, position, end)
    stops = word_list("phrase.stops")
    may_be_ago = not _AGO.isdisjoint(reading.words)
    words: list[str] = []
    cursor = last_end = start
    while cursor < end and (found := _WORD.match(low, cursor, end)):
        word = found[0].rstrip("'/&@-")
        if word in _TITLES and low.startswith(". ", cursor + len(word), end):
            word += "."
        if (word in stops and not _is_month(reading, cursor, words)) or word.startswith("mid-"):
            break
        if word.endswith("ly") and _is_adverb(word) and (words or not reading.text[cursor : cursor + 2].istitle()):
            break
        if may_be_ago and _TIME_AGO.match(low, cursor, end):
            break
        words.append(word)
        last_end = cursor + len(word)
        if last_end == end:
            break
        cursor = _next_word(low, last_end, end, words)
    if not words or not _is_nameable(words):
        return None
    return Phrase(start, last_end, tuple(words), opener, reading.text[start].isupper())


def _is_month(reading: Reading, position: int, before: list[str]) -> bool:
    """Whether it is "May", "may 5th" or "5 may", and not the "may" at which a phrase ends."""
    if reading.text.startswith("May", position):
        return True
    if not reading.low.startswith("may", position):
        return False
    if _MAY_DAY.match(reading.low, position) is not None:
        return True
    is_day = len(before) == 1 and _DAY.fullmatch(before[0]) is not None
    return is_day and _MAY_LAST.match(reading.low, position) is not None


def read_one(reading: Reading, start: int, end: int) -> Phrase | None:
    """Read "one daughter" as "two daughters" are read; "one" alone and "one of them" point to something."""
    one = _ONE.match(reading.low, start, end)
    phrase = None if one is None else read_phrase(reading, one.end(), end)
    if one is None or phrase is None or phrase.opener:
        return None
    return phrase._replace(start=one.start("one"), words=("one", *phrase.words), capital=False)


def _next_word(low: str, last_end: int, end: int, words: list[str]) -> int:
    gap = _GAP.match(low, last_end, end)
    if gap is None:
        return end
    if gap["of"] and words[-1] not in word_list("phrase.vague_heads"):
        words.extend(gap["of"].split())
        return gap.end()
    return gap.end("blank")


def _opener(low: str, position: int, end: int) -> tuple[str, int]:
    while position < end and low[position].isspace():
        position += 1
    found = _openers().match(low, position, end)
    return ("", position) if found is None else (" ".join(found.group().split()), found.end())


@cache
def _openers() -> re.Pattern[str]:
    first = alternatives(word_list("phrase.quantities") | word_list("phrase.determiners"))
    return re.compile(rf"{first}\s+(?:own\s+)?")


def _is_adverb(word: str) -> bool:
    return len(word) > 4 and word.endswith("ly") and word not in _LY


def _is_nameable(words: list[str]) -> bool:
    return (
        len(words) <= vocabulary().max_words
        and words[0] not in word_list("phrase.refused_openers")
        and words[-1] not in word_list("phrase.vague_heads")
        and words[-1] not in {"of", "the"}
    )


def is_adjective(word: str) -> bool:
    """Whether the word ends as an adjective does: "delicious", "blocked"; "vegetable" and "bread" do not count."""
    return word.endswith(_ADJECTIVE_ENDINGS) and word not in word_list("had.nouns")


def is_number(phrase: Phrase) -> bool:
    """Whether the phrase is a bare number: "I'm taking two" does not say of what."""
    numbers = word_list("phrase.numbers")
    return all([word.isdigit() or word in numbers for word in phrase.words])


def is_proper(reading: Reading, phrase: Phrase) -> bool:
    """Whether the first word of the phrase is written as a name or number."""
    first = reading.text[phrase.start]
    return first.isupper() or first.isdigit()


def is_known_place(phrase: Phrase) -> bool:
    """Whether the whole phrase, or a town with its region after it, is a known place."""
    known = places()
    if phrase.key in known:
        return True
    return any(
        " ".join(phrase.words[:cut]) in known.towns and " ".join(phrase.words[cut:]) in known.regions
        for cut in range(1, len(phrase.words))
    )


def is_plural(phrase: Phrase) -> bool:
    """Whether the last word is a plural."""
    last = phrase.words[-1]
    return last.endswith("s") and not last.endswith(("ss", "us", "is"))


def is_capitalized(reading: Reading, phrase: Phrase) -> bool:
    """Whether it is one word written as a name, and none that is shouted: "Basque"."""
    written = reading.text[phrase.start : phrase.end]
    return written.isalpha() and written.istitle()


def is_written_as_name(reading: Reading, phrase: Phrase) -> bool:
    """Whether every word is written as a name, or with a digit."""
    written = reading.text[phrase.start : phrase.end].split()
    return written[0][0].isupper() and all(word[0].isupper() or word[0].isdigit() for word in written)

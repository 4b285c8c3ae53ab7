"""Names: of the speaker, and of whom they are with."""

from __future__ import annotations

from prme_extractors.lexical.holders import means_people
from prme_extractors.lexical.objects import Objects
from prme_extractors.lexical.phrases import Phrase, is_proper, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern
from prme_extractors.lexical.vocabulary import word_list


def read_name(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    phrase = read_phrase(reading, start, end)
    if (
        phrase is None
        or phrase.opener
        or not all(word.replace("-", "").replace("'", "").isalpha() for word in phrase.words)
    ):
        return None
    written = reading.text[phrase.start : phrase.end].split()
    is_name = all(word[0].isupper() for word in written) or (len(written) == 1 and phrase.end == end)
    if not is_name or phrase.words[0] in word_list("attributes.not_values") | word_list("sets.nationalities"):
        return None
    return Objects((phrase,), None, phrase.end)


def read_written_name(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read a name that is written as one: "I go by Robin", not "I go by bus"."""
    name = read_name(reading, pattern, start, end)
    return name if name is not None and is_proper(reading, name.phrases[0]) else None


def read_partner(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read the name of a partner; of a former one, who was told of before, also in small letters."""
    name = read_written_name(reading, pattern, start, end)
    if name is not None:
        return name
    phrase = read_phrase(reading, start, end)
    is_known = phrase is not None and may_name_somebody(phrase, only_given=pattern.polarity == "positive")
    return Objects((phrase,), None, phrase.end) if phrase is not None and is_known else None


def may_name_somebody(phrase: Phrase, *, only_given: bool = False) -> bool:
    """Whether a phrase in small letters may be somebody's name; with `only_given`, whether it surely is one."""
    if phrase.key in word_list("names.given"):
        return True
    word = phrase.words[0]
    is_word = phrase.opener == "" and len(phrase.words) == 1 and word.isalpha()
    return is_word and not only_given and not means_people(word) and word not in word_list("attributes.not_values")

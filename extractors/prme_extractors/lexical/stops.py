"""Stops: where the splitter surely cuts at one, and where it surely reads on, by the words on both sides.

The splitter looks at little: whether a small letter follows, whether the word before is an abbreviation, an initial or
a number, whether the word behind usually opens a sentence. Wherever that is plain it need not be asked. The tests hold
every answer against the splitter's.
"""

from __future__ import annotations

import re

from prme_extractors.lexical.vocabulary import word_list

# A line of anything else is the splitter's: it takes other marks for stops, and other brackets for sentences.
_ORDINARY = re.compile(r"[\w )\]},.!?:'\u2019\"\u201c\u201d$%&/+@#=~*\u2013\u2014-]*")
# Brackets behind the second word of a sentence or a later one are passed over, if they are short.
_BRACKETS = re.compile(
    r"(?<=\w)(,? [\w-]+ )(\((?=[A-Za-z0-9])[\w ,.!?'\u2019&/-]{0,48}[A-Za-z0-9][.!?]?\))(?=[ ,.!?:]|\Z)"
)
_MARKS = re.compile(r"[.!?]+(?![\"\u201d'\u2019]?\Z)")
_RUNS_ON = re.compile(r"[a-z,:]|(?:[\"\u201d'\u2019])? +[a-z]|(?<=\d\.)(?=\d)")
# What stands behind a stop: a whole word with a capital, a number that is too large to begin with, and what is neither.
_WHOLE = r"(?=[,:]? |[.!?]*(?: |\Z))"
_BEHIND = re.compile(
    rf"[\"\u201d'\u2019]? +(?:(?P<word>[A-Z][a-z]*)(?:{_WHOLE}|(?=['\u2019-][A-Za-z]))|(?P<large>\d{{3,}}){_WHOLE}"
    rf"|(?P<capital>[A-Z])|(?P<other>[\"\u201c][A-Za-z]|[$\u00a3\u20ac]\d|\d+[.,]\d|\d+[A-Za-z]|\d\d?{_WHOLE}))"
)
# What stands before it: a word (the splitter cuts "re-use" and "NeurIPS" in two), a number, "e.g" or "U.S".
_WORD = re.compile(
    r"[#@\"\u201c]?(?:(?:[A-Za-z/-]*(?:[/-]|[a-z](?=[A-Z])))?(?P<word>[A-Z]?[a-z]+|[A-Z]{2,})|[A-Za-z]+['\u2019][a-z]+"
    r"|[a-z]*\d+[a-z]+|(?=\d*[A-Z])[A-Z\d]*\d[A-Z\d]*)"
)
_NUMBER = re.compile(r"[$\u00a3\u20ac]?\d+(?:[.,:]\d+)+|\d+")
_DOTTED = re.compile(r"[A-Z]?[a-z]+(?:\.[a-z]+)+|[A-Z](?:\.[A-Z])+")
_ROMAN = re.compile(r"[IVX]+")


def cuts_at_stops(line: str) -> list[int] | None:
    """Return where the sentences of a line begin after the first, or None where only the splitter can tell."""
    plain = _BRACKETS.sub(lambda found: found[1] + "x" * len(found[2]), line) if "(" in line else line
    if _ORDINARY.fullmatch(plain) is None:
        return None
    cuts: list[int] = []
    for marks in _MARKS.finditer(plain):
        if _RUNS_ON.match(plain, marks.end()) is not None:
            continue
        behind = _BEHIND.match(plain, marks.end())
        first = plain.rfind(" ", 0, marks.start()) + 1
        is_cut = None if behind is None else _is_cut(plain, first, marks, behind)
        if behind is None or is_cut is None:
            return None
        if is_cut:
            cuts.append(behind.start(behind.lastgroup or 0))
    return cuts


def _is_cut(line: str, first: int, marks: re.Match[str], behind: re.Match[str]) -> bool | None:
    """Whether a sentence ends between the word that begins at `first` and what is behind its marks."""
    before, following = line[first : marks.start()], behind["word"]
    opens = following is not None and following.lower() in word_list("splitting.starters")
    if len(before) == 1:
        # "Gen Z", "limit: 3", where it is not the sentence's first word.
        is_number = before.isdigit()
        if first < 2 or not (line[first - 2].isalnum() or (is_number and line[first - 2] in ":,")):
            return None
        if not is_number:
            return opens if "A" <= before <= "Z" and behind["capital"] is None else None
    if before.istitle() and before.lower() in word_list("splitting.titles"):
        return None if following is None else opens
    if (word := _WORD.fullmatch(before)) is not None:
        return behind["large"] is None if _is_plain(word["word"] or before, behind) else None
    if following is None or len(marks.group()) > 1:
        return None
    if _DOTTED.fullmatch(before) is not None:
        return opens
    if _NUMBER.fullmatch(before) is None or following.lower() in word_list("splitting.also_unclear"):
        return None
    return opens or "." not in before


def _is_plain(word: str, behind: re.Match[str]) -> bool:
    """Whether the word is no abbreviation, no Roman numeral, and nothing that a number belongs to."""
    if word.isupper():
        return _ROMAN.fullmatch(word) is None and not (word == "NO" and behind["word"] is None)
    low = word.lower()
    is_unclear = low in word_list("splitting.unclear") or low in word_list("splitting.also_unclear")
    return len(word) > 1 and not is_unclear and not (low == "no" and behind["word"] is None)

"""Sentences: cut where everybody would cut, and by the splitter wherever there is a doubt."""

from __future__ import annotations

import re
from collections.abc import Sequence

from prme.grounding.sentences import split_sentences
from prme_extractors.lexical.stops import cuts_at_stops
from prme_extractors.lexical.vocabulary import word_list

Span = tuple[int, int]

# A stop with words behind it: where the next word begins with a capital, or whether it surely reads on.
_MARK = re.compile(
    r"[.!?\u2026\u3002]+(?:(?=\s+(?P<next>[A-Z][A-Za-z']*(?![\w.])))|(?=\s+[a-z]|(?<=\d\.)\d)(?P<runs_on>)"
    r"|(?=[^.!?\u2026\u3002]*\w))"
)
# What the splitter reads across, or takes for more than a stop.
_DOUBTFUL = re.compile(r"[()\[\]{}\"\u201c\u201d\u201e\u00ab\u00bb\u2026\u3002;\u2018'](?:(?<!')|(?<!\w.)|(?!\w))")
# A plain word before a stop and a word with a capital behind it: a sentence ends.
_BEFORE = re.compile(r"[A-Za-z][A-Za-z']*[A-Za-z]|\d+(?:st|nd|rd|th|am|pm)|[A-Z]\d+")
# A stop behind "3.8" or "30 s", and a word with a capital behind it: a sentence ends, where the splitter reads on.
_NUMBER_END = re.compile(
    r"(?:(?<=\s)v?\d+(?:\.\d+)+|(?<![\w.])\d+(?:\.\d+)? ?"
    r"(?:[mnu]?s|min|h|[kmc]m|m|[kKMGT]?B|k?g|ml|l|[kM]?Hz|[kMG]W|[kMG]bps|px|pt))"
    r"(?P<stop>\.)\s+(?=[A-Z][a-z]+(?![\w.]))"
)
_LONGEST_WORD = 30
# A stop, and a word in small letters behind it.
_SMALL = re.compile(r"(?<![.!?])[.!?]+['\"\u2019\u201d)]?\s+(?P<first>[a-z]+)(?!\w)")
_BRACKETS = "()[]'\"\u2018\u2019\u201c\u201d"


def cut_sentences(text: str) -> list[Span]:
    """Return the spans of the sentences as the splitter finds them, which costs more than everything else here.

    A line break ends a sentence. Inside a line every stop has to be clear, or the line goes to the splitter. A line
    without a stop between words is one sentence, whatever brackets and smileys it holds. Where a sentence begins with a
    small letter, as people type in a chat, it is cut as if that were a capital.
    """
    text = _with_capitals(text)
    spans: list[Span] = []
    start = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            first = start + line.index(stripped)
            spans += [(first + a, first + b) for span in _cut(stripped) for a, b in _cut_at_numbers(stripped, *span)]
        start += len(line)
    return spans


def _with_capitals(text: str) -> str:
    """Return the text with a capital wherever a word that opens a statement stands small behind a stop."""
    if _SMALL.search(text) is None:
        return text
    openings = word_list("splitting.openings")

    def raised(found: re.Match[str]) -> str:
        if found["first"] not in openings or _is_abbreviated(text, found.start()):
            return found.group()
        cut = found.start("first") - found.start()
        return found.group()[:cut] + found.group()[cut:].capitalize()

    return _SMALL.sub(raised, text)


def _is_abbreviated(text: str, stop: int) -> bool:
    word = text[max(0, stop - _LONGEST_WORD) : stop].rpartition(" ")[2].strip(_BRACKETS).lower()
    return (len(word) == 1 and word.isalpha()) or word in word_list("splitting.abbreviations")


def _cut(line: str) -> Sequence[Span]:
    cuts = _clear_cuts(line)
    if cuts is None:
        cuts = cuts_at_stops(line)
    if cuts is None:
        return split_sentences(line)
    if not cuts:
        return ((0, len(line)),)
    return [(a, len(line[:b].rstrip())) for a, b in zip((0, *cuts), (*cuts, len(line)), strict=True)]


def _cut_at_numbers(line: str, start: int, end: int) -> Sequence[Span]:
    """Cut a sentence of the splitter's behind a decimal number or a unit: "It needs Python 3.8. Tests use tox"."""
    if _NUMBER_END.search(line, start, end) is None:
        return ((start, end),)
    cuts = [(found.start("stop") + 1, found.end()) for found in _NUMBER_END.finditer(line, start, end)]
    ends, begins = [cut for cut, _ in cuts], [begin for _, begin in cuts]
    return tuple(zip((start, *begins), (*ends, end), strict=True))


def _clear_cuts(line: str) -> list[int] | None:
    """Return where the sentences of a line begin after the first, or None where only the splitter can tell."""
    cuts: list[int] = []
    marks = list(_MARK.finditer(line))
    if marks and _DOUBTFUL.search(line) is not None:
        return None
    for mark in marks:
        if mark["next"] is not None and _is_plain(_word_before(line, mark.start())):
            cuts.append(mark.start("next"))
        elif mark["runs_on"] is None:
            return None
    return cuts


def _is_plain(word: str) -> bool:
    is_written_so = (len(word) > 1 and word.isascii() and word.isalpha()) or _BEFORE.fullmatch(word) is not None
    return is_written_so and word.lower() not in word_list("splitting.unclear")


def _word_before(line: str, stop: int) -> str:
    """Return what stands right before the stop, from a blank, a slash or a hyphen on."""
    before = line[max(0, stop - _LONGEST_WORD) : stop].rsplit(None, 1)
    return before[-1].replace("/", "-").rpartition("-")[2] if before and not line[stop - 1].isspace() else ""

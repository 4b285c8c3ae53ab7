"""Sentences: cut where everybody would cut, and by the splitter wherever there is a doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from prme.grounding.sentences import split_sentences
from prme_extractors.lexical.stops import cuts_at_stops
from prme_extractors.lexical.vocabulary import vocabulary

Span = tuple[int, int]

_MARK = re.compile(r"[.!?\u2026\u3002]+(?=[^.!?\u2026\u3002]*\w)")
# What the splitter reads across, or takes for more than a stop.
_DOUBTFUL = re.compile(r"[()\[\]{}\"\u201c\u201d\u201e\u00ab\u00bb\u2026\u3002;\u2018'](?:(?<!')|(?<!\w.)|(?!\w))")
# A plain word before a stop and a word with a capital behind it: a sentence ends. A small letter behind it: none does.
_BEFORE = re.compile(r"[A-Za-z][A-Za-z']*[A-Za-z]|\d+(?:st|nd|rd|th|am|pm)|[A-Z]\d+")
_BEHIND = re.compile(r"\s+(?P<next>[A-Z][A-Za-z']*(?![\w.]))")
_RUNS_ON = re.compile(r"\s+[a-z]|(?<=\d\.)(?=\d)")
_LONGEST_WORD = 30


def cut_sentences(text: str) -> Iterator[Span]:
    """Yield the spans of the sentences as the splitter finds them, which costs more than everything else here.

    A line break ends a sentence. Inside a line every stop has to be clear, or the line goes to the splitter. A line
    without a stop between words is one sentence, whatever brackets and smileys it holds.
    """
    start = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped:
            first = start + line.index(stripped)
            yield from ((first + a, first + b) for a, b in _cut(stripped))
        start += len(line)


def _cut(line: str) -> Sequence[Span]:
    cuts = _clear_cuts(line)
    if cuts is None:
        cuts = cuts_at_stops(line)
    if cuts is None:
        return split_sentences(line)
    if not cuts:
        return ((0, len(line)),)
    return [(a, len(line[:b].rstrip())) for a, b in zip((0, *cuts), (*cuts, len(line)), strict=True)]


def _clear_cuts(line: str) -> list[int] | None:
    """Return where the sentences of a line begin after the first, or None where only the splitter can tell."""
    cuts: list[int] = []
    marks = list(_MARK.finditer(line))
    if marks and _DOUBTFUL.search(line) is not None:
        return None
    for mark in marks:
        before = _word_before(line, mark.start())
        behind = _BEHIND.match(line, mark.end())
        if (
            behind is not None
            and _BEFORE.fullmatch(before) is not None
            and before.lower() not in vocabulary()["splitting.unclear"]
        ):
            cuts.append(behind.start("next"))
        elif _RUNS_ON.match(line, mark.end()) is None:
            return None
    return cuts


def _word_before(line: str, stop: int) -> str:
    """Return what stands right before the stop, from a blank, a slash or a hyphen on."""
    before = line[max(0, stop - _LONGEST_WORD) : stop].replace("/", " ").replace("-", " ")
    return before.split()[-1] if before and not before[-1].isspace() else ""

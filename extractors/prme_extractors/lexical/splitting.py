"""Sentences: cut where everybody would cut, and by the splitter wherever there is a doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prme.grounding.sentences import split_sentences
from prme_extractors.lexical.vocabulary import vocabulary

Span = tuple[int, int]

_MARK = re.compile(r"[.!?\u2026\u3002]+(?=[^.!?\u2026\u3002]*\w)")
# What the splitter reads across, or takes for more than a stop.
_DOUBTFUL = re.compile(r"[()\[\]{}\"\u201c\u201d\u201e\u00ab\u00bb\u2026\u3002;\u2018]|(?<!\w)'|'(?!\w)")
# A plain word before a stop and a word with a capital behind it: a sentence ends. A small letter behind it: none does.
_BEFORE = re.compile(r"(?:\A|[\s/-])(?P<word>[A-Za-z][A-Za-z']*[A-Za-z]|\d+(?:st|nd|rd|th|am|pm)|[A-Z]\d+)\Z")
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
            cuts = _clear_cuts(stripped)
            spans = split_sentences(stripped) if cuts is None else zip((0, *cuts), (*cuts, len(stripped)), strict=True)
            yield from ((first + a, first + len(stripped[:b].rstrip())) for a, b in spans)
        start += len(line)


def _clear_cuts(line: str) -> list[int] | None:
    """Return where the sentences of a line begin after the first, or None where only the splitter can tell."""
    cuts: list[int] = []
    if _MARK.search(line) is None:
        return cuts
    if _DOUBTFUL.search(line) is not None:
        return None
    for mark in _MARK.finditer(line):
        before = _BEFORE.search(line[max(0, mark.start() - _LONGEST_WORD) : mark.start()])
        behind = _BEHIND.match(line, mark.end())
        if (
            before is not None
            and behind is not None
            and before["word"].lower() not in vocabulary()["splitting.unclear"]
        ):
            cuts.append(behind.start("next"))
        elif _RUNS_ON.match(line, mark.end()) is None:
            return None
    return cuts

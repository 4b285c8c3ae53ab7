"""Where sentences and paragraphs begin and end in a text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from syntok.tokenizer import Tokenizer

Span = tuple[int, int]
"""Characters `[start, end)` of a stored text."""

_INK = re.compile(r"\S")
# Every mark after or before which syntok may begin a new sentence: stops and opening brackets.
_STOPS = ".!?;\u2026\u203c\u203d\u2047\u2048\u2049\u3002\ufe52\ufe57\uff01\uff0e\uff1f\uff61"
_BRACKETS = "([{\uff5f\uff5b\uff3b\uff08\ufe5d\ufe5b\ufe59\ufd3e\u301a\u3018\u2985\u2983\u2329"
_MAY_END_A_SENTENCE = re.compile(f"[{re.escape(_STOPS + _BRACKETS)}]")
_BRACKET = re.compile(f"[{re.escape(_BRACKETS)}]")
# After a word that is no initial, number or numeral, and before a capital, only an abbreviation or a bracket around it
# keeps syntok from splitting. To ask syntok for every line would take a quarter of all the time for a message.
_LIKELY_BREAK = re.compile(r"(?<![^ ])([A-Za-z][a-z]{1,30})[.!?]( +)(?=[A-Z])")


def split_sentences(text: str) -> tuple[Span, ...]:
    """Return the character span of every sentence, without outer white space, in linear time.

    A line break ends a sentence; inside a line syntok decides. Nothing but white space lies between two sentences.
    """
    return tuple(sentence for line in _lines(text) for sentence in _sentences_of_line(text, line))


def split_paragraphs(text: str) -> tuple[Span, ...]:
    """Return the character span of every paragraph, without outer white space; blank lines separate."""
    paragraphs: list[Span] = []
    inside = False
    for line in _lines(text):
        trimmed = _trim(text, line)
        if trimmed is None:
            inside = False
            continue
        if inside:
            paragraphs[-1] = (paragraphs[-1][0], trimmed[1])
        else:
            paragraphs.append(trimmed)
        inside = True
    return tuple(paragraphs)


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield start, start + len(line)
        start += len(line)


def _trim(text: str, span: Span) -> Span | None:
    start, end = span
    piece = text[start:end]
    first = _INK.search(piece)
    return None if first is None else (start + first.start(), start + len(piece.rstrip()))


def _sentences_of_line(text: str, line: Span) -> Iterator[Span]:
    trimmed = _trim(text, line)
    if trimmed is None:
        return
    if not _may_be_several(text, trimmed):
        yield trimmed  # most lines of a chat
        return
    start = trimmed[0]
    for end, following in (*_sure_breaks(text, trimmed), (trimmed[1], trimmed[1])):
        if _may_be_several(text, (start, end)):
            yield from _split_by_syntok(text, (start, end))
        else:
            yield start, end
        start = following


def _may_be_several(text: str, piece: Span) -> bool:
    mark = _MAY_END_A_SENTENCE.search(text, *piece)
    return mark is not None and (mark.end() < piece[1] or mark.group() not in _STOPS)


def _sure_breaks(text: str, line: Span) -> Iterator[Span]:
    """Yield the blanks between sentences where syntok surely splits, and reads on as if the rest stood alone."""
    if _BRACKET.search(text, *line) is None:
        for match in _LIKELY_BREAK.finditer(text, *line):
            if _may_end_a_sentence(match.group(1)):
                yield match.span(2)


@lru_cache(maxsize=4096)
def _may_end_a_sentence(word: str) -> bool:
    """Return whether syntok splits after a word and a stop, so that the word is no abbreviation."""
    sample = f"{word}. X1"  # of all capitals the one before which syntok splits least: a number follows "no."
    return len(list(_split_by_syntok(sample, (0, len(sample))))) > 1


def _split_by_syntok(text: str, piece: Span) -> Iterator[Span]:
    # Imported on first use: syntok brings `regex`, which is slow to load.
    from syntok import segmenter

    start, end = piece
    tokens = _tokenizer().tokenize(text[start:end])
    # A sentence runs to the first token of the next one, so that no character is lost to the tokenizer. The offset is
    # added here: the tokenizer would copy that many blanks for every line.
    heads = [start + sentence[0].offset for sentence in segmenter.segment(tokens)]
    bounds = [start, *heads[1:], end]
    yield from filter(None, (_trim(text, span) for span in pairwise(bounds)))


@cache
def _tokenizer() -> Tokenizer:
    from syntok.tokenizer import Tokenizer

    return Tokenizer(replace_not_contraction=False)

"""Folding of a whole content with the way back: every folded character knows which stored characters it came from."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from prme.text_folding import fold_characters

Extent = tuple[int, int]
"""A run `[first, last)` of characters of a folded text."""

_VISIBLE = re.compile(r"\S+")
# The letter before a mark belongs to it.
_PIECE = re.compile("[\x00-\x7f]+(?![^\x00-\x7f])|[\x00-\x7f]?[^\x00-\x7f]+")
# No marks, yet they compose with the letter before them: Hangul vowels and finals, Kirat Rai vowels.
_COMPOSING_LETTERS = re.compile("[\u1160-\u11ff\ud7b0-\ud7ff\U00016d60-\U00016d6f]")
_LONG_CLUSTER = 64


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A folded text; the folded character at `i` stands for the stored characters `[starts[i], ends[i])`."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]

    def stored(self, extent: Extent) -> tuple[int, int]:
        """Return the span of stored characters, combining marks included, behind a non-empty run."""
        first, last = extent
        return self.starts[first], self.ends[last - 1]

    def extent(self, start: int, end: int) -> Extent:
        """Return the folded characters that begin inside the stored span `[start, end)`, without outer blanks."""
        if isinstance(self.starts, range):  # each character stands for itself
            first, last = min(start, len(self.text)), min(end, len(self.text))
        else:
            first, last = bisect_left(self.starts, start), bisect_left(self.starts, end)
        while first < last and self.text[first] == " ":
            first += 1
        while last > first and self.text[last - 1] == " ":
            last -= 1
        return first, last


def fold_content(content: str) -> FoldedText:
    """Return `fold_text(content)` with the origin of every character, in time linear in the length."""
    characters, starts, ends = _fold_with_origins(content)
    if " ".join(characters.split()) == characters:
        return FoldedText(characters, starts, ends)
    pieces: list[str] = []
    new_starts: list[int] = []
    new_ends: list[int] = []
    previous = 0
    for match in _VISIBLE.finditer(characters):
        first, last = match.span()
        if pieces:
            pieces.append(" ")
            new_starts.append(starts[previous])
            new_ends.append(ends[first - 1])
        pieces.append(match.group())
        new_starts.extend(starts[first:last])
        new_ends.extend(ends[first:last])
        previous = last
    return FoldedText("".join(pieces), new_starts, new_ends)


def _fold_with_origins(content: str) -> tuple[str, Sequence[int], Sequence[int]]:
    if content.isascii():
        return fold_characters(content), range(len(content)), range(1, len(content) + 1)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for piece in _PIECE.finditer(content):
        if piece.group().isascii():  # no character acts on the one before it, and each folds to one
            pieces.append(fold_characters(piece.group()))
            starts.extend(range(*piece.span()))
            ends.extend(range(piece.start() + 1, piece.end() + 1))
            continue
        for start, end in _clusters(content, *piece.span()):
            folded = _fold_cluster(content[start:end])
            pieces.append(folded)
            starts.extend([start] * len(folded))
            ends.extend([end] * len(folded))
    return "".join(pieces), starts, ends


def _clusters(content: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Cut where normalisation can never look across: before every character that does not act on the one before it."""
    start = first
    for offset in range(first + 1, last):
        if not _acts_on_previous(content[offset]):
            yield start, offset
            start = offset
    yield start, last


@lru_cache(maxsize=8192)
def _acts_on_previous(character: str) -> bool:
    return any(
        unicodedata.category(first) in ("Mn", "Mc", "Me") or _COMPOSING_LETTERS.match(first)
        for form in (character, character.casefold())
        for first in unicodedata.normalize("NFKD", form)[:1]
    )


def _fold_cluster(cluster: str) -> str:
    return _fold_short_cluster(cluster) if len(cluster) <= _LONG_CLUSTER else fold_characters(_in_order(cluster))


@lru_cache(maxsize=8192)
def _fold_short_cluster(cluster: str) -> str:
    return fold_characters(cluster)


def _in_order(cluster: str) -> str:
    """Return the same text with its marks in canonical order: to sort a long run costs NFKC quadratic time."""
    parts: list[str] = []
    marks: list[str] = []
    for character in "".join(unicodedata.normalize("NFKD", one) for one in cluster):
        if unicodedata.combining(character):
            marks.append(character)
        else:
            parts.extend(sorted(marks, key=unicodedata.combining))
            parts.append(character)
            marks = []
    return "".join(parts + sorted(marks, key=unicodedata.combining))

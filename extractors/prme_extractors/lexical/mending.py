"""Function words as they were meant: "anymroe" is read as "anymore", and what claims copy stays as it was written."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.vocabulary import vocabulary
from prme_extractors.lexical.wordings import alternatives

_SECTION = "typos."
WORD = re.compile(r"\w+")


class Written(NamedTuple):
    """A message as it was written, addressed by the places of its mended text.

    `mended` are the mended words in order: where each begins and ends, in the mended text and in the message.
    """

    message: str
    mended: tuple[tuple[int, int, int, int], ...] = ()

    def between(self, start: int, end: int) -> str:
        """Return what was written where a stretch of the mended text stands."""
        return self.message[self.at(start) : self.at(end)] if self.mended else self.message[start:end]

    def at(self, place: int) -> int:
        """Return the place in the message; inside a mended word it is the word's end."""
        index = bisect_right(self.mended, place, key=lambda word: word[0]) - 1
        if index < 0:
            return place
        start, end, written_start, written_end = self.mended[index]
        return written_start if place == start else max(0, place - end) + written_end


def may_be_misspelt(words: Iterable[str]) -> bool:
    """Whether a text with these words, in lower case, may hold a misspelt function word."""
    return not _tell_tales().isdisjoint(words)


def mend(text: str) -> tuple[str, Written]:
    """Return the text with misspelt function words mended, and the way back to what was written."""
    pieces: list[str] = []
    mended: list[tuple[int, int, int, int]] = []
    done = length = 0
    for found in _misspelt().finditer(text):
        meant = _meant()[" ".join(found.group().lower().split())]
        meant = meant.capitalize() if found.group()[0].isupper() else meant
        pieces += [text[done : found.start()], meant]
        start = length + found.start() - done
        length = start + len(meant)
        done = found.end()
        mended.append((start, length, found.start(), done))
    if not mended:
        return text, Written(text)
    return "".join([*pieces, text[done:]]), Written(text, tuple(mended))


@cache
def _meant() -> dict[str, str]:
    """Return what each misspelt word stands for."""
    lists = vocabulary().lists
    return {
        word: key.removeprefix(_SECTION) for key, words in lists.items() if key.startswith(_SECTION) for word in words
    }


@cache
def _tell_tales() -> frozenset[str]:
    """Return words of which every misspelt one holds one, and few other texts do: comparing them costs little."""
    return frozenset(
        next(word for word in reversed(WORD.findall(misspelt)) if word not in WORD.findall(meant))
        for misspelt, meant in _meant().items()
    )


@cache
def _misspelt() -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'-]){alternatives(_meant())}(?![\w'-])", re.IGNORECASE)

"""Wordings: lists of words and phrases as expressions, told by their words before they are looked for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from prme_extractors.lexical.vocabulary import word_list

_WORD = re.compile(r"\w+")


def alternatives(words: Iterable[str]) -> str:
    """Return an expression for any of the words, as `listed` does, and many times faster where none of them stands."""
    by_letter: dict[str, list[str]] = {}
    for word in _longest_first(words):
        by_letter.setdefault(word[0], []).append(spaced(re.escape(word[1:])))
    return "(?:" + "|".join(f"{re.escape(letter)}(?:{'|'.join(rests)})" for letter, rests in by_letter.items()) + ")"


def listed(words: Iterable[str]) -> str:
    """Return an expression for any of the words, longest first, blanks in them as white space."""
    return "(?:" + "|".join(spaced(re.escape(word)) for word in _longest_first(words)) + ")"


def _longest_first(words: Iterable[str]) -> list[str]:
    return sorted(words, key=lambda word: (-len(word), word))


@dataclass(frozen=True, slots=True)
class Opening:
    """Phrases that may stand at the beginning of a clause, told by their first word before they are compared whole."""

    firsts: frozenset[str]
    expression: re.Pattern[str]

    def match(self, low: str, start: int, end: int) -> re.Match[str] | None:
        """Return the match at the start of `[start, end)`."""
        first = _WORD.match(low, start, end)
        return self.expression.match(low, start, end) if first is not None and first.group() in self.firsts else None


@cache
def opening(key: str) -> Opening:
    """Return the phrases of one list of `words.toml`, as a clause may open with them."""
    phrases = word_list(key)
    firsts = frozenset(found.group() for phrase in phrases if (found := _WORD.match(phrase)))
    return Opening(firsts, re.compile(rf"{alternatives(phrases)}(?!\w)"))


@dataclass(frozen=True, slots=True)
class Phrases:
    """Phrases that may stand anywhere in a text, told by a word of each before they are looked for.

    `by_word` has the phrases, cut into their words, by the one that tells them.
    """

    telling: frozenset[str]
    by_word: dict[str, tuple[str, ...]]
    expression: re.Pattern[str]

    @classmethod
    def of(cls, phrases: Iterable[str], expression: re.Pattern[str]) -> Phrases:
        """Return the phrases, of which one stands in every text where the expression matches."""
        by_word: dict[str, list[str]] = {}
        for phrase in phrases:
            by_word.setdefault(_telling_word(phrase), []).append(_in_blanks(_WORD.findall(phrase)))
        return cls(frozenset(by_word), {word: tuple(told) for word, told in by_word.items()}, expression)

    @classmethod
    def listed(cls, phrases: frozenset[str], *, behind: str = r"(?<!\w)") -> Phrases:
        """Return the phrases as they may stand where `behind` holds; it looks back to the character before."""
        return cls.of(phrases, re.compile(rf"{behind}{alternatives(phrases)}(?!\w)"))

    def may_stand_among(self, words: Iterable[str]) -> bool:
        """Whether a text with these words, in any order, may hold one of the phrases; comparing words costs little."""
        return not self.telling.isdisjoint(words)

    def search(self, words: Sequence[str], low: str, start: int, end: int) -> re.Match[str] | None:
        """Return the first one in `[start, end)`, of which these are the words, in order."""
        told = self.telling.intersection(words)
        if not told:
            return None
        stretch = _in_blanks(words)
        if not any(phrase in stretch for word in told for phrase in self.by_word[word]):
            return None
        return self.expression.search(low, start, end)


def _in_blanks(words: Iterable[str]) -> str:
    return f" {' '.join(words)} "


def telling_words(phrases: Iterable[str]) -> frozenset[str]:
    """Return one word of each phrase, a rare one where it has one: where none of them stands, no phrase does."""
    return frozenset(map(_telling_word, phrases))


def _telling_word(phrase: str) -> str:
    common = word_list("phrase.stops")

    def rarity(word: str) -> tuple[bool, int]:
        return len(word) > 1 and word not in common, len(word)

    words: list[str] = _WORD.findall(phrase)
    return max(words, key=rarity)


@cache
def phrases(key: str) -> Phrases:
    """Return the phrases of one list of `words.toml`."""
    return Phrases.listed(word_list(key))


def spaced(expression: str) -> str:
    """Return the expression with every blank standing for any white space; " ?" stands for an optional one."""
    return expression.replace("\\ ", " ").replace(" ?", r"\s*").replace(" ", r"\s+")

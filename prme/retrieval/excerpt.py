"""Excerpts: a bounded piece of a node's content around the words that were sought (001-32)."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from prme.retrieval.query_terms import Term
from prme.retrieval.words import folded, is_unspaced, tokens

LONGEST_EXCERPT = 240
ELLIPSIS = "…"
# How far a cut may move to find the border of a word.
_REACH = 30
_WORD = re.compile(r"\S+")
_JOINERS = frozenset("\u200c\u200d")
_SKIN_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))


def excerpt(content: str, terms: Sequence[Term]) -> str:
    """Return the content, or the piece of it with most of the terms, with "…" where it was cut."""
    if len(content) <= LONGEST_EXCERPT:
        return content
    room = LONGEST_EXCERPT - 2
    start, end = _best_window(content, _places(content, terms), room)
    start, end = _at_border(content, start, forward=True), _at_border(content, end, forward=False)
    before = ELLIPSIS if content[:start].strip() else ""
    after = ELLIPSIS if content[end:].strip() else ""
    return f"{before}{content[start:end].strip()}{after}"


def _places(content: str, terms: Sequence[Term]) -> list[int]:
    """Return where words begin that look like sought ones, in order."""
    sought = {token for term in terms for token in term.tokens}
    return [place for word in _WORD.finditer(content) for place in _places_in(word, sought)]


def _places_in(word: re.Match[str], sought: set[str]) -> list[int]:
    found = tokens(folded(word[0]))
    if any(is_unspaced(token) for token in found):
        # A line of a script without blanks is one long "word": each sought character counts by itself.
        return [word.start() + at for at, character in enumerate(word[0]) if folded(character) in sought]
    return [word.start()] if any(_alike(token, other) for token in found for other in sought) else []


def _alike(token: str, sought: str) -> bool:
    """Whether two words are equal or differ in their endings only: an excerpt needs no exact stem."""
    if token == sought:
        return True
    stem = max(4, min(len(token), len(sought)) - 3)
    return token[:stem] == sought[:stem] and abs(len(token) - len(sought)) <= 4


def _best_window(content: str, places: Sequence[int], room: int) -> tuple[int, int]:
    """Return the bounds of the first window with the most places, with the places in its middle."""
    if not places:
        return 0, room
    first, last, most, left = 0, 0, 0, 0
    for right, place in enumerate(places):
        while place - places[left] > room * 3 // 4:
            left += 1
        if right - left + 1 > most:
            most, first, last = right - left + 1, left, right
    middle = (places[first] + places[last]) // 2
    start = max(0, min(middle - room // 2, len(content) - room))
    return start, start + room


def _at_border(content: str, place: int, *, forward: bool) -> int:
    """Return the nearest border of a word at or inside a cut; without one near, the border of a character."""
    if place in (0, len(content)):
        return place
    step = 1 if forward else -1
    for moved in range(_REACH):
        at = place + step * moved
        if content[at - 1].isspace() or content[at].isspace():
            return at
    while 0 < place < len(content) and _continues(content, place):
        place += step
    return place


def _continues(content: str, place: int) -> bool:
    """Whether a cut before a place would part a character from its marks, or an emoji from its parts."""
    here, before = content[place], content[place - 1]
    is_part = unicodedata.category(here)[0] == "M" or here in _JOINERS or here in _SKIN_TONES
    return is_part or before in _JOINERS

"""How a message is read: a lower-case copy with the same offsets, and the stretches that nobody asserts."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import NamedTuple

from prme.grounding.quotations import find_quotations
from prme.grounding.sentences import split_paragraphs
from prme_extractors.lexical.mending import Written, may_be_misspelt, mend
from prme_extractors.lexical.vocabulary import vocabulary
from prme_extractors.lexical.wordings import Phrases, phrases, telling_words

_FLAT = dict.fromkeys("\u2018\u2019\u201b\u02bc\u0060\u00b4", "'") | dict.fromkeys("\u00a0\t\r", " ")
_TO_FLATTEN = re.compile(f"[{''.join(_FLAT)}]")
# Pasted replies, and comments of code.
_QUOTED_LINES = re.compile(r"^[ \t]*(?:>|--).*$", re.MULTILINE)
_FENCED = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`|~~[^~\n]+~~", re.DOTALL)
# One set of characters comes first, so that the search goes from mark to mark; the lookbehinds see the mark itself.
_QUOTATION_MARK = re.compile(
    "[\"\u201c\u201d\u201e\u00ab\u00bb'\u2018\u2019]"
    "(?:(?<=[\"\u201c\u201d\u201e\u00ab\u00bb])|(?<!\\w.)|(?<=['\u2019])(?!\\w))"
)
# Every byte that stands for a sign of ASCII becomes a blank, which is several times faster than a search for words.
_BLANKED = bytes(byte if chr(byte).isalnum() or chr(byte) == "_" else ord(" ") for byte in range(256))
_SIGN = re.compile(r"[^\w ]")
_WORD_BEGIN = re.compile(r"(?<!\w)")
_WORD_END = re.compile(r"(?!\w)")
_DOUBLE_MARK = re.compile(r"(?<!\d)[\"\u201c\u201d\u201e]")


class Reading(NamedTuple):
    """A message as the patterns see it.

    `text` is the message with misspelt function words mended, `written` the way back to what was written; `low[i]` is
    `text[i]` in lower case, and `plain[i]` the same with a blank for all that stands in no word; `unasserted` are the
    spans to leave out, in order and apart. Its `words` tell at once what it cannot hold. `is_bare` says that it is one
    sentence without a sign inside: words, blanks and apostrophes.
    """

    text: str
    written: Written
    low: str
    plain: str
    unasserted: tuple[tuple[int, int], ...]
    words: frozenset[str]
    is_bare: bool

    def words_in(self, start: int, end: int) -> list[str]:
        """Return the words of `[start, end)` in lower case, in order."""
        return self.plain[start:end].split()

    def find(self, phrases: Phrases, start: int, end: int) -> re.Match[str] | None:
        """Return the first of the phrases in `[start, end)`."""
        if not phrases.may_stand_among(self.words):
            return None
        return phrases.search(self.words_in(start, end), self.low, start, end)

    def writes(self, word: str) -> bool:
        """Whether the message holds the word as it is written here."""
        place = self.text.find(word)
        while place >= 0:
            if _WORD_BEGIN.match(self.text, place) and _WORD_END.match(self.text, place + len(word)):
                return True
            place = self.text.find(word, place + 1)
        return False

    def is_asserted(self, start: int, end: int) -> bool:
        """Whether nothing of `[start, end)` is quoted, code, struck out or a pasted reply."""
        if not self.unasserted:
            return True
        after = bisect_left(self.unasserted, (end,))
        return after == 0 or self.unasserted[after - 1][1] <= start


def read_message(message: str) -> Reading | None:
    """Return the reading, or None when the whole message is taken back ("just kidding")."""
    text, written, low = message, Written(message), _lower(message)
    plain = without_signs(low)
    words = frozenset(plain.split())
    if may_be_misspelt(words):
        text, written = mend(message)
        low = _lower(text)
        plain = without_signs(low)
        words = frozenset(plain.split())
    if _may_be_vetoed(low, words) and phrases("vetoes.message").expression.search(low):
        return None
    is_bare = _is_bare(text, low, plain)
    unasserted = () if is_bare and "'" not in low else _merged(_unasserted(text))
    return Reading(text, written, low, plain, unasserted, words, is_bare)


def _is_bare(text: str, low: str, plain: str) -> bool:
    # A line break that is read as a blank ends a sentence all the same.
    if low[:-1].replace("'", " ") != plain[:-1] or not text or "\r" in text:
        return False
    return not text[0].isspace() and (text[-1].isalnum() or text[-1] in ".!?")


def without_signs(low: str) -> str:
    """Return the text with a blank for every character of no word: cut at blanks, it is cut into its words."""
    if low.isascii():
        return low.encode().translate(_BLANKED).decode()
    return _SIGN.sub(" ", low)


def _may_be_vetoed(low: str, words: frozenset[str]) -> bool:
    # "/s" and "j/k" hold no word that would tell them from "it's".
    return "/" in low or not _vetoing().isdisjoint(words)


@cache
def _vetoing() -> frozenset[str]:
    return telling_words(phrase for phrase in vocabulary()["vetoes.message"] if "/" not in phrase)


def _lower(text: str) -> str:
    if text.isascii() and not ("`" in text or "\t" in text or "\r" in text):
        return text.lower()
    flat = _TO_FLATTEN.sub(lambda found: _FLAT[found.group()], text)
    low = flat.lower()
    if len(low) == len(flat):
        return low
    # Some capitals lower to two characters (U+0130); they stay, so that every offset stays.
    return "".join(one if len(one) == 1 else character for character, one in ((c, c.lower()) for c in flat))


def _unasserted(text: str) -> list[tuple[int, int]]:
    spans = [match.span() for match in _QUOTED_LINES.finditer(text)] if ">" in text or "--" in text else []
    if "`" in text or "~~" in text:
        spans += [match.span() for match in _FENCED.finditer(text)]
    if (text.isascii() and "'" not in text and '"' not in text) or _QUOTATION_MARK.search(text) is None:
        return spans
    paragraphs = split_paragraphs(text)
    spans += find_quotations(text, paragraphs)
    for start, end in paragraphs:
        marks = [match.start() for match in _DOUBLE_MARK.finditer(text, start, end)]
        if len(marks) % 2:
            # A mark without a partner: nobody can say where the quotation ends.
            spans.append((marks[0], end))
    return spans


def _merged(spans: list[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    if not spans:
        return ()
    merged: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return tuple(merged)

"""Words of a text as the index keeps and seeks them: folded tokens, the same for texts and for queries.

The tokens are made here rather than by SQLite, so they do not depend on the Unicode tables of its version. SQLite only
splits them at blanks and stems English ones.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Literal

from prme.text_folding import fold_characters

LONGEST_TOKEN = 128

_ASCII_TOKEN = re.compile(r"[a-z0-9_]+")
_SNAKE = re.compile(r"[^\W_]+(?:_[^\W_]+)+")
# Accents, Hebrew points, Arabic vowel signs and the elongation stroke: writing leaves them out at will.
_LEFT_OUT = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]")
_SKIN_TONES = range(0x1F3FB, 0x1F400)
# Scripts that write words without blanks between them, and Hangul, which glues particles to words.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x1000, 0x109F),  # Myanmar
    (0x1100, 0x11FF),  # Hangul letters
    (0x1780, 0x17FF),  # Khmer
    (0x1950, 0x19DF),  # Tai Le, New Tai Lue
    (0x1A20, 0x1AAF),  # Tai Tham
    (0x2E80, 0x2FDF),  # CJK and Kangxi radicals
    (0x3005, 0x3007),
    (0x3040, 0x318F),  # Hiragana, Katakana, Bopomofo, Hangul letters
    (0x31A0, 0x31FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0xA4CF),  # CJK, Yi
    (0xA960, 0xA97F),
    (0xAC00, 0xD7FF),  # Hangul
    (0xF900, 0xFAFF),
    (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)

CharacterKind = Literal["letter", "alone", "mark", "nothing", "break"]


def folded(text: str) -> str:
    """Return a text as words are compared: case, width, accents and vowel points do not count."""
    if text.isascii():
        return text.lower()
    bare = _LEFT_OUT.sub("", unicodedata.normalize("NFD", fold_characters(text)))
    return unicodedata.normalize("NFC", bare)


def tokens(folded_text: str) -> list[str]:
    """Return the tokens of a folded text in order.

    A token is a run of letters, digits and `_`; characters of scripts without blanks, and emoji, stand alone.
    """
    if folded_text.isascii():
        return [token[:LONGEST_TOKEN] for token in _ASCII_TOKEN.findall(folded_text)]
    found: list[str] = []
    current, stands_alone = "", False
    for character in folded_text:
        kind = _kind(character)
        if kind == "mark" or (kind == "letter" and not stands_alone):
            current += character
        elif kind != "nothing":
            if current:
                found.append(current[:LONGEST_TOKEN])
            # Marks join what they follow, so the character stays open until the next one.
            current, stands_alone = ("" if kind == "break" else character), kind == "alone"
    return [*found, current[:LONGEST_TOKEN]] if current else found


def indexed(text: str) -> str:
    """Return the tokens of a text with blanks between them; the parts of snake_case names follow at the end."""
    plain = folded(text)
    parts = [part for name in _SNAKE.findall(plain) for part in name.split("_")] if "_" in plain else []
    return " ".join([*tokens(plain), *parts])


def is_unspaced(token: str) -> bool:
    """Whether a token is a character of a script without blanks, or an emoji."""
    return _kind(token[0]) == "alone"


@lru_cache(maxsize=65536)
def _kind(character: str) -> CharacterKind:
    code = ord(character)
    category = unicodedata.category(character)
    if character == "_":
        return "letter"
    if category[0] == "M":
        return "nothing" if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF else "mark"
    if category == "Cf":
        return "break" if character == "\u200b" else "nothing"
    if code in _SKIN_TONES:
        return "nothing"
    if category == "So" or (category[0] in "LN" and any(first <= code <= last for first, last in _UNSPACED)):
        return "alone"
    return "letter" if category[0] in "LN" or category == "Co" else "break"

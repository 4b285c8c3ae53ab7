"""Beginnings: the first words of the texts that an expression matches, told from the expression itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

# A part that is no word, no group and no blank may begin with anything.
_ANYTHING = ""
_PART = re.compile(
    r"(?P<group>\(\?(?::|P<\w+>|=))|(?P<look>\(\?<?[=!])|(?P<close>\)(?P<optional>[?*]|\{0,\d\})?)|(?P<bar>\|)"
    r"|(?P<blank>(?:\\s[+*]|')+)|(?P<word>\w++(?![?*+{]))|(?P<other>\\?.)"
)


def first_words(expression: str, passed: frozenset[str]) -> frozenset[str] | None:
    """Return the words of which one stands first in every text that matches, or None where any may.

    The words to be `passed` over are not counted, nor are blanks and apostrophes: "I'm really into" begins with "into"
    after its subject as "I am into" does.
    """
    words, is_passed = _first_words(_PART.finditer(expression), passed)
    return None if is_passed or _ANYTHING in words else frozenset(words)


def _first_words(parts: Iterator[re.Match[str]], passed: frozenset[str]) -> tuple[set[str], bool]:
    """Read a group to its end, and tell whether it may be passed without a word that counts."""
    words: set[str] = set()
    is_passed = is_begun = False
    for part in parts:
        if part.lastgroup == "bar":
            is_passed, is_begun = is_passed or not is_begun, False
            continue
        if part.lastgroup == "close" or part["close"]:
            return words, is_passed or not is_begun or part["optional"] is not None
        inner, is_optional = _told(part, parts, passed)
        if not is_begun:
            words |= inner
            is_begun = not is_optional
    return words, is_passed or not is_begun


def _told(part: re.Match[str], parts: Iterator[re.Match[str]], passed: frozenset[str]) -> tuple[set[str], bool]:
    kind, written = part.lastgroup, part.group()
    if kind == "group":
        return _first_words(parts, passed)
    if kind == "look":
        _first_words(parts, passed)
    if kind in {"look", "blank"} or written in passed:
        return set(), True
    return {written if kind == "word" else _ANYTHING}, False

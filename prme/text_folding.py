"""Folding: the one notion of "the same text" for mentions, objects, names and predicates (SPEC 5)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Apostrophes and quotation marks become one character: a quote that copies “Maus” as 'Maus' is still verbatim.
_MARKS = {
    **dict.fromkeys("'\u2018\u2019\u201a\u201b\u2032\u02bc\uff07`\u00b4", "'"),
    **dict.fromkeys('"\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\uff02', "'"),
    **dict.fromkeys("\u2010\u2011\u2012\u2013", "-"),
}
_TRANSLATION = str.maketrans(_MARKS)
_ASCII_MARKS = [(mark, folded) for mark, folded in _MARKS.items() if mark.isascii() and mark != folded]
_SEPARATORS = re.compile(r"[\s\-_./\u2010-\u2015]+")


def fold_characters(text: str) -> str:
    """Fold case, compatibility forms, quotation marks and dashes, leaving white space as it is."""
    if text.isascii():
        return _fold_ascii(text)
    # Marks first: NFKC would turn the acute accent U+00B4 into a blank and a combining accent.
    folded = unicodedata.normalize("NFKC", text.translate(_TRANSLATION)).casefold()
    return unicodedata.normalize("NFKC", folded).translate(_TRANSLATION)


def _fold_ascii(text: str) -> str:
    folded = text.lower()
    for mark, one in _ASCII_MARKS:
        folded = folded.replace(mark, one)
    return folded


@lru_cache(maxsize=65536)
def fold_text(text: str) -> str:
    """Return the folded text: NFKC, case-folded, one blank for white space, one kind of quote and dash, trimmed."""
    return " ".join(fold_characters(text).split())


@lru_cache(maxsize=4096)
def fold_predicate(predicate: str) -> str:
    """Return a predicate in snake_case: separators and case folded."""
    return _SEPARATORS.sub("_", fold_text(predicate)).strip("_")

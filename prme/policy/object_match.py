"""When a correction's target names an earlier object: equal, or a bounded shorthand of it (003-34 to 003-37)."""

from __future__ import annotations

from prme.model.decision import Match

LONGEST_SHORTENED_OBJECT = 4
LONGEST_SHORTHAND = 3
SHORTEST_SHORTHAND_WORD = 3


def match_exact(target: str, object_key: str) -> Match | None:
    """Return `exact` when the two folded texts are equal."""
    return "exact" if target == object_key else None


def match_exact_or_short(target: str, object_key: str) -> Match | None:
    """Return `exact` for equal folded texts, `short` when the target is a shorthand of the object, else None.

    A shorthand is a contiguous run of 1 to 3 whole words inside a longer object of at most 4 words, all words of both
    alphabetic and every word of the shorthand at least three characters long. So "pump" names "insulin pump", while
    numbers, partial words and anything longer than the object never match short.
    """
    if target == object_key:
        return "exact"
    target_words, object_words = target.split(), object_key.split()
    if not 1 <= len(target_words) <= LONGEST_SHORTHAND:
        return None
    if not len(target_words) < len(object_words) <= LONGEST_SHORTENED_OBJECT:
        return None
    if any(len(word) < SHORTEST_SHORTHAND_WORD for word in target_words):
        return None
    if not all(word.isalpha() for word in (*target_words, *object_words)):
        return None
    width = len(target_words)
    starts = range(len(object_words) - width + 1)
    return "short" if any(object_words[start : start + width] == target_words for start in starts) else None

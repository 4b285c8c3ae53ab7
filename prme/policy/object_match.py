"""When a correction's target names an earlier object: equal, or a bounded shorthand of it (003-34 to 003-37)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prme.model.decision import Match

LONGEST_SHORTENED_OBJECT = 4
LONGEST_SHORTHAND = 3
SHORTEST_SHORTHAND_WORD = 3


@dataclass(frozen=True, slots=True)
class Bound:
    """A number that limits a match, and what it counts."""

    says: str
    value: int


@dataclass(frozen=True, slots=True)
class ObjectMatching:
    """How a policy compares a target with an earlier object, both folded.

    `match` decides, `says` puts it into words, and `bounds` are its numbers. `object_cues` and `target_cue` only say
    where to look: an object is kept under each of its cues and sought under the target's, so whatever `match` accepts
    must have the target's cue among its own.
    """

    match: Callable[[str, str], Match | None]
    object_cues: Callable[[str], tuple[str, ...]]
    target_cue: Callable[[str], str]
    says: str
    bounds: tuple[Bound, ...] = ()


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


def first_word(folded: str) -> str:
    """Return the first word of a folded text."""
    return folded.split()[0]


def shortened_words(object_key: str) -> tuple[str, ...]:
    """Return the words that may begin a name of an object: all of a short object, the first of a longer one."""
    words = object_key.split()
    return tuple(dict.fromkeys(words)) if len(words) <= LONGEST_SHORTENED_OBJECT else (words[0],)


EXACT = ObjectMatching(
    match_exact,
    object_cues=lambda object_key: (first_word(object_key),),
    target_cue=first_word,
    says="a target names an object when the two are equal after folding",
)
EXACT_OR_SHORT = ObjectMatching(
    match_exact_or_short,
    object_cues=shortened_words,
    target_cue=first_word,
    says="a target names an object when the two are equal after folding, or when it is a run of whole words inside a "
    "longer object, all words of both alphabetic",
    bounds=(
        Bound("most words of a shorthand", LONGEST_SHORTHAND),
        Bound("most words of the object that it shortens", LONGEST_SHORTENED_OBJECT),
        Bound("fewest characters of each word of a shorthand", SHORTEST_SHORTHAND_WORD),
    ),
)

"""Cues that hang on the form of the verb beside them: a contracted "would", an "almost", a deed in -ing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from prme.grounding.folded_text import Extent
from prme.policy.speech_act_words import SpeechActWords

# Shorter words in -ed and -ing have no verb before the ending: "red", "bed", "ring".
_SHORTEST_INFLECTED = 5


@lru_cache(maxsize=8)
def _pasts(words: SpeechActWords) -> frozenset[str]:
    return frozenset(words.irregular_pasts)


def is_past(word: str, words: SpeechActWords) -> bool:
    """Return whether a word can only be a past form or a participle, as far as its spelling tells.

    Forms that are the base too ("put", "quit") are none: who reads them as a plan does less harm than who does not.
    """
    if word in _pasts(words):
        return True
    return len(word) >= _SHORTEST_INFLECTED - 1 and word.endswith("ed") and word not in words.base_forms_in_ed


def contracted_woulds(tokens: Sequence[str], extents: Sequence[Extent], words: SpeechActWords) -> Iterator[Extent]:
    """Yield the "'d" that stand for "would": all but those before a participle, an article or the like."""
    for index, token in enumerate(tokens):
        base, mark, suffix = token.partition("'")
        if not mark or suffix.split("'")[0] != "d" or base in words.contracted_pasts:
            continue
        if suffix != "d" or not _is_had(tokens, index + 1, words):
            first, last = extents[index]
            yield first + len(base), min(first + len(base) + len("'d"), last)


def _is_had(tokens: Sequence[str], index: int, words: SpeechActWords) -> bool:
    while index < len(tokens):
        word = tokens[index]
        if is_past(word, words) or word in words.had_objects:
            return True
        is_adverb = word in words.verb_companions and word not in words.auxiliaries and word not in words.be_forms
        if not is_adverb and not word.endswith("ly"):
            return False
        index += 1
    # "I know I'd": nothing follows that would happen.
    return True


def near_misses(tokens: Sequence[str], extents: Sequence[Extent], words: SpeechActWords) -> Iterator[Extent]:
    """Yield the "almost" and "nearly" before a past form: what follows did not happen."""
    for index, token in enumerate(tokens[:-1]):
        following = tokens[index + 1]
        if token in words.near_misses and (is_past(following, words) or following in words.unchanged_pasts):
            yield extents[index]


def is_gerund(word: str, words: SpeechActWords) -> bool:
    """Return whether a word in -ing may name a deed."""
    return len(word) >= _SHORTEST_INFLECTED and word.endswith("ing") and word not in words.no_gerunds

"""Where the words that a decision rests on stand: what a correction names, or the condition that blocks it."""

from __future__ import annotations

from functools import lru_cache

from prme.grounding.folded_text import Extent, FoldedText, fold_content
from prme.grounding.mentions import find_mentions
from prme.grounding.passage import find_passage, prepare
from prme.model.claim import Span
from prme.policy.speech_act_words import SpeechActWords
from prme.text_folding import fold_text


def find_named(
    content: str, own: Span, text: str, *, quote: str | None, words: SpeechActWords, whole_words: bool = True
) -> Span | None:
    """Return where a text stands in an admitted claim's message: in its own sentences, else in the rest of its passage.

    `own` spans the claim's own sentences and `quote` is its evidence quote as extracted. With `whole_words` the text
    is sought as a mention, else as any run of characters. None when it is not there. Compared folded; the span slices
    the stored content.
    """
    key = fold_text(text)
    if not key:
        return None
    folded = _folded(content)
    extents = find_mentions(folded, key) if whole_words else _occurrences(folded, key)
    within = _first_inside(extents, folded.extent(own.start, own.end))
    if within is None and extents:
        passage = find_passage(_prepared(content, words), quote)
        within = None if isinstance(passage, str) else _first_inside(extents, passage.extent)
    if within is None:
        return None
    start, end = folded.stored(within)
    return Span(start=start, end=end)


# The claims of one message are looked up one after the other, and it may be long.
_folded = lru_cache(maxsize=1)(fold_content)
_prepared = lru_cache(maxsize=1)(prepare)


def _occurrences(folded: FoldedText, key: str) -> tuple[Extent, ...]:
    found: list[Extent] = []
    first = folded.text.find(key)
    while first != -1:
        found.append((first, first + len(key)))
        first = folded.text.find(key, first + 1)
    return tuple(found)


def _first_inside(extents: tuple[Extent, ...], place: Extent) -> Extent | None:
    return next((extent for extent in extents if place[0] <= extent[0] and extent[1] <= place[1]), None)

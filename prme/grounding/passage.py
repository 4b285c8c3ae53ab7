"""Where in a content a claim stands: the passage its quote points to and the sentences that are its own."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prme.grounding.cues import begins_with_condition
from prme.grounding.folded_text import Extent, FoldedText, fold_content
from prme.grounding.markup import find_quoted_lines, find_struck
from prme.grounding.mentions import FIRST_PERSON, find_mentions, is_shouted
from prme.grounding.phrases import CuePatterns, compile_patterns
from prme.grounding.quotations import find_quotations
from prme.grounding.sentences import Span, split_paragraphs, split_sentences
from prme.grounding.unit import Unit, read_unit
from prme.policy.speech_act_words import SpeechActWords
from prme.text_folding import fold_text

_UNFINISHED = (",", ":", "\u2014", "\u2013", "-")
_FINISHED = (".", "!", "?", "\u2026")


class Passage(NamedTuple):
    """The part of the content that a claim is checked in, and where its quote stands if it was found once."""

    extent: Extent
    quote: Extent | None


class OwnSentences(NamedTuple):
    """A claim's own sentences: their numbers `[first, last)`, and the units that are judged with them.

    Judged are also the words that lead in to them without being finished ("If it rains," and a line break).
    """

    first: int
    last: int
    units: tuple[Extent, ...]


@dataclass(frozen=True)
class Source:
    """A content prepared once for all claims of its extraction; what is found on the way is kept."""

    content: str
    words: SpeechActWords
    folded: FoldedText
    paragraphs: tuple[Span, ...]
    sentences: tuple[Span, ...]
    sentence_starts: tuple[int, ...]
    quotations: tuple[Extent, ...]
    struck: tuple[Extent, ...]
    _mentions: dict[str, tuple[Extent, ...]] = field(default_factory=dict)
    _sentences: dict[Extent, tuple[int, int]] = field(default_factory=dict)
    _units: dict[Extent, Unit | None] = field(default_factory=dict)

    @property
    def whole(self) -> Extent:
        """The extent of the whole content."""
        return 0, len(self.folded.text)

    @property
    def patterns(self) -> CuePatterns:
        """The word lists as patterns."""
        return compile_patterns(self.words)

    def mentions(self, term: str, extent: Extent) -> Sequence[Extent]:
        """Return the mentions of a term that lie inside an extent of the folded content."""
        key = fold_text(term)
        if key not in self._mentions:
            self._mentions[key] = self._find_mentions(key)
        found = self._mentions[key]
        first = bisect_left(found, (extent[0], 0))
        last = bisect_left(found, (extent[1], 0))
        # A mention that runs over the end of the passage is not in it.
        if last > first and found[last - 1][1] > extent[1]:
            last -= 1
        return found[first:last]

    def _find_mentions(self, key: str) -> tuple[Extent, ...]:
        found = find_mentions(self.folded, key)
        if key not in FIRST_PERSON:
            return found
        return tuple([extent for extent in found if not is_shouted(self.content, self.folded, extent)])

    def unit(self, extent: Extent) -> Unit | None:
        """Return a unit with its cues, or None when it is nothing but a plain statement."""
        if extent not in self._units:
            self._units[extent] = read_unit(self.content, self.folded, extent, self.words)
        return self._units[extent]

    def extent_of(self, sentence: int) -> Extent:
        """Return the place of a sentence in the folded content."""
        return self.folded.extent(*self.sentences[sentence])

    def sentences_of(self, extent: Extent) -> tuple[int, int]:
        """Return the numbers `[first, last)` of the sentences that an extent touches."""
        if extent not in self._sentences:
            start, end = self.folded.stored(extent)
            first = max(bisect_right(self.sentence_starts, start) - 1, 0)
            self._sentences[extent] = first, max(bisect_left(self.sentence_starts, end), first + 1)
        return self._sentences[extent]

    def quotations_around(self, extent: Extent) -> Sequence[Extent]:
        """Return the quotations of an extent's paragraphs that begin before its end."""
        if not self.quotations:
            return ()
        start, _ = self.paragraphs[max(self.paragraph_of(self.sentences_of(extent)[0]) - 1, 0)]
        first, _ = self.folded.extent(start, len(self.content))
        return self.quotations[bisect_left(self.quotations, (first, 0)) : bisect_left(self.quotations, (extent[1], 0))]

    def struck_around(self, extent: Extent) -> Sequence[Extent]:
        """Return the struck-out text that touches an extent."""
        if not self.struck:
            return ()
        first = max(bisect_left(self.struck, (extent[0], 0)) - 1, 0)
        return self.struck[first : bisect_left(self.struck, (extent[1], 0))]

    def paragraph_of(self, sentence: int) -> int:
        """Return the number of the paragraph that a sentence stands in."""
        return bisect_right(self.paragraphs, (self.sentences[sentence][0], len(self.content)))


def prepare(content: str, words: SpeechActWords) -> Source:
    """Return the content folded and split, ready for any number of claims."""
    folded = fold_content(content)
    paragraphs = split_paragraphs(content)
    sentences = split_sentences(content)
    quoted = (*find_quotations(content, paragraphs), *find_quoted_lines(content, paragraphs))
    return Source(
        content=content,
        words=words,
        folded=folded,
        paragraphs=paragraphs,
        sentences=sentences,
        sentence_starts=tuple([start for start, _ in sentences]),
        quotations=tuple(sorted(folded.extent(*span) for span in quoted)),
        struck=tuple(folded.extent(*span) for span in find_struck(content, paragraphs)),
    )


def find_passage(source: Source, evidence_quote: str | None) -> Passage | str:
    """Return the passage that a quote points to, or the reason why the quote supports nothing.

    No quote, or one found twice, leaves the whole content; one found once its paragraph. Quotes compare folded.
    """
    if evidence_quote is None:
        return Passage(source.whole, None)
    quote = fold_text(evidence_quote)
    if not quote:
        return "quote_blank"
    first = source.folded.text.find(quote)
    if first == -1:
        return "quote_not_found"
    if source.folded.text.find(quote, first + 1) != -1:
        return Passage(source.whole, None)
    extent = (first, first + len(quote))
    start, end = source.folded.stored(extent)
    heads = bisect_right(source.paragraphs, (start, len(source.content))) - 1
    tails = max(bisect_left(source.paragraphs, (end, 0)) - 1, 0)
    paragraph = source.folded.extent(source.paragraphs[max(heads, 0)][0], source.paragraphs[tails][1])
    return Passage(paragraph, extent)


def find_own_sentences(
    source: Source, passage: Passage, subjects: Sequence[Extent], objects: Sequence[Extent]
) -> OwnSentences:
    """Return the shortest run of sentences that mentions subject and object, and a condition that follows it.

    Of several shortest runs the first that overlaps the quote is taken, else the first. Mentions are in order.
    """
    if len(source.sentences) == 1:
        return OwnSentences(0, 1, (source.extent_of(0),))
    quoted = None if passage.quote is None else source.sentences_of(passage.quote)
    best: tuple[int, bool, int, int] | None = None
    for first, last in _runs(source, subjects, objects):
        overlaps = quoted is not None and first < quoted[1] and quoted[0] < last
        # Shorter first, then on the quote, then the earlier one.
        rank = (last - first, not overlaps, first, last)
        if best is None or rank < best:
            best = rank
        if rank[0] == 1 and overlaps is (quoted is not None):
            # Runs come in order, so no later one is shorter, better placed or earlier.
            break
    assert best is not None, "a passage without both mentions has no own sentences"
    return _with_surroundings(source, passage, best[2], best[3])


def _runs(source: Source, subjects: Sequence[Extent], objects: Sequence[Extent]) -> Iterator[tuple[int, int]]:
    """Yield, for every object, the sentences up to the nearest subject on either side."""
    following = 0
    for mention in objects:
        while following < len(subjects) and subjects[following] < mention:
            following += 1
        for subject in subjects[max(following - 1, 0) : following + 1]:
            first, last = source.sentences_of(mention)
            other_first, other_last = source.sentences_of(subject)
            yield min(first, other_first), max(last, other_last)


def _with_surroundings(source: Source, passage: Passage, first: int, last: int) -> OwnSentences:
    units = [source.extent_of(sentence) for sentence in range(first, last)]
    if first and _leads_in(source, first - 1) and source.extent_of(first - 1)[0] >= passage.extent[0]:
        units[0] = (source.extent_of(first - 1)[0], units[0][1])
    if last < len(source.sentences) and source.paragraph_of(last) == source.paragraph_of(last - 1):
        following = source.extent_of(last)
        if begins_with_condition(source.folded, following, source.patterns):
            units.append(following)
            last += 1
    return OwnSentences(first, last, tuple(units))


def _leads_in(source: Source, sentence: int) -> bool:
    """Return whether a sentence is not finished and its paragraph goes on, so that the next one is read with it."""
    start, end = source.sentences[sentence]
    mark = source.content[end - 1]
    if mark in _FINISHED or source.paragraph_of(sentence) != source.paragraph_of(sentence + 1):
        return False
    return mark in _UNFINISHED or begins_with_condition(
        source.folded, source.folded.extent(start, end), source.patterns
    )

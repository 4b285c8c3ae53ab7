"""Holders: the thing that a clause is about ("the staging bucket", "my desk extension", "Palora's CEO")."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.vocabulary import first_words, verbs_of_things, word_list

Span = tuple[int, int]

# A longer noun phrase is a clause that was not understood; a longer bare one ("backup jobs of ...") even sooner.
_MOST_WORDS = 5
_MOST_BARE_WORDS = 3
_SHORTEST_ADVERB = 4
_ORDINAL_AND_NOUN = 2
_ORDINALS = frozenset({"first", "second", "third"})
# Verbs that are tried in one clause: "The start page runs on port 80" begins with a noun that is a verb elsewhere.
_MOST_VERBS = 4
_OPENER = re.compile(r"(?:(?P<my>my)|the|our)\s+(?=\w)")
_WORD = re.compile(r"[\w']+")
_PIECE = re.compile(r"[^\W_](?:[\w&+#@/.-]*[\w+#])?(?P<owns>'s|s')?(?=\s|\Z)")
# "Ticket 12", "Device A", "PR #88", "v2.3": an identifier makes a bare noun a name.
_JOINTS = frozenset({"of", "the"})
_NATIVE_FIRSTS = frozenset({"first language"})
_MAY_IDENTIFY = re.compile(r"\d|[A-HJ-Z](?!\w)")
_IDENTIFIER = re.compile(r"#?\w*\d[\w.-]*\Z|[A-HJ-Z]\Z")


class Holder(NamedTuple):
    """A thing: the span that names it, what of it is told ("name", "desk extension"), and how it is written.

    The span of what is the speaker's is the word "my". `is_bare` says that no "the", "our" or "my" opens it,
    `has_identifier` that it is written like a name with a number, `is_label` that it stands before a colon.
    """

    span: Span
    attribute: tuple[str, ...]
    is_mine: bool
    is_bare: bool
    has_identifier: bool
    words: tuple[str, ...]
    is_label: bool = False

    @property
    def is_person(self) -> bool:
        """Whether it is somebody, of whom only the name is told."""
        return means_people(self.words[-1])

    @property
    def is_event(self) -> bool:
        """Whether it takes place at a time and somewhere, and everything else told of it is an opinion."""
        return self.words[-1] in word_list("holders.events")

    @property
    def is_occasion(self) -> bool:
        """Whether it takes place once, on a day that may be told afterwards."""
        return self.words[-1] in word_list("holders.occasions")

    @property
    def is_open(self) -> bool:
        """Whether its value may be any short phrase: "my desk extension", "the plan tier", "my favourite food"."""
        if self.is_label and self.words[-1] in word_list("things.label_heads"):
            return True
        # "The branch is small", but "the default branch is trunk".
        heads = word_list("things.open") if len(self.words) > 1 else word_list("things.open_alone")
        return not heads.isdisjoint(self._heads) or self.is_well_known or self.is_routine

    @property
    def is_well_known(self) -> bool:
        """Whether it is an attribute of persons, which no opinion is given of: "my blood type", "my favourite food"."""
        if not self.is_mine:
            return False
        is_favourite = self.words[0] in word_list("attributes.favourite")
        return is_favourite or not word_list("attributes.open").isdisjoint(self._heads)

    @property
    def is_routine(self) -> bool:
        """Whether it is what the speaker has by habit: "my usual breakfast"."""
        is_told = self.is_mine and len(self.words) > 1 and self.words[0] in word_list("values.routine")
        return is_told and word_list("values.no_routine").isdisjoint(self._heads)

    @property
    def is_pastime(self) -> bool:
        """Whether its value says what somebody does: "my weekend hobby", "my favourite sport"."""
        return self.words[-1] in word_list("values.pastimes")

    @property
    def _heads(self) -> tuple[str, str]:
        return self.words[-1], " ".join(self.words[-2:])


def means_people(word: str) -> bool:
    """Whether a word is one for somebody, such as "sister", or for several."""
    people = word_list("holders.people")
    return word in people or word.removesuffix("s") in people


def find_holders(reading: Reading, start: int, end: int) -> Iterator[tuple[Holder, int]]:
    """Yield what may be the subject of the clause, with where its verb begins (at the blank before it)."""
    if not _may_open(reading, start, end):
        return
    finite, before_verbs = _finite(), _before_verbs()
    words: list[re.Match[str]] = []
    tried = 0
    for found in _WORD.finditer(reading.low, start, end):
        words.append(found)
        word = found.group()
        if word not in finite or len(words) == 1:
            continue
        first = len(words) - 1
        while first > 1 and words[first - 1].group() in before_verbs:
            first -= 1
        stop = words[first - 1].end()
        # A verb stands after a blank, not after a hyphen or an apostrophe.
        holder = read_holder(reading, start, stop) if reading.low[words[first].start() - 1].isspace() else None
        if holder is not None:
            yield holder, stop
        tried += 1
        if word in _surely_finite() or tried == _MOST_VERBS:
            return


def _may_open(reading: Reading, start: int, end: int) -> bool:
    """Whether a thing may be named at the start, by its first word alone: "it", "that" or "you" opens none."""
    opener = _OPENER.match(reading.low, start, end)
    if opener is None and not (reading.text[start].isupper() or _MAY_IDENTIFY.search(reading.text, start, end)):
        return False
    first = _PIECE.match(reading.low, opener.end() if opener else start, end)
    if first is None:
        return False
    word = _plain(first.group(), first["owns"] is not None)
    return word not in _never_first(opener is None) or (opener is not None and word in _ORDINALS)


def read_holder(reading: Reading, start: int, end: int, *, is_label: bool = False) -> Holder | None:
    """Read all of `[start, end)` as a thing, or as what stands before a colon; return None when it is none."""
    opener = _OPENER.match(reading.low, start, end)
    first = opener.end() if opener else start
    words = _words(reading, first, end)
    if words is None:
        return None
    low = tuple([_plain(reading.low[a:b], owns) if owns else reading.low[a:b] for a, b, owns in words])
    is_mine = opener is not None and opener["my"] is not None
    identified = [_is_identifier(reading.text[a:b]) for a, b, _ in words]
    if not _is_thing(low, identified, is_mine=is_mine, is_bare=opener is None and not is_label):
        return None
    has_identifier = True in identified
    if opener is None and not reading.text[start].isupper() and not has_identifier:
        return None
    if is_mine:
        kept = _kept_mine(low)
        return Holder((start, start + 2), kept, True, False, False, kept) if kept else None
    span, told = _told(words, low)
    # "Palora's CEO" names a thing as clearly as "the CEO" does.
    is_bare = opener is None and not (
        told and any(owns or word == "of" for word, (_, _, owns) in zip(low, words, strict=True))
    )
    return None if span is None else Holder(span, told, False, is_bare, has_identifier, low)


def _words(reading: Reading, start: int, end: int) -> list[tuple[int, int, bool]] | None:
    """Return the words of a noun phrase with their spans; None when anything else stands between them."""
    words: list[tuple[int, int, bool]] = []
    low = reading.low
    pieces = low[start:end].split()
    if not pieces or len(pieces) > _MOST_WORDS + 2 or low[start].isspace():
        return None
    for piece in pieces:
        start = low.index(piece, start)
        stop = start + len(piece)
        if piece.isalnum():
            words.append((start, stop, False))
        elif found := _PIECE.fullmatch(piece):
            words.append((start, stop, found["owns"] is not None))
        else:
            return None
        start = stop
    return words


def _is_identifier(written: str) -> bool:
    # A digit or a single letter; most words are neither.
    return not (len(written) > 1 and written.isalpha()) and _IDENTIFIER.match(written) is not None


def _plain(word: str, owns: bool) -> str:
    return word.removesuffix("'s").removesuffix("'") if owns else word


def _is_thing(words: tuple[str, ...], identified: Sequence[bool], *, is_mine: bool, is_bare: bool) -> bool:
    if words[0] in _refused_first(is_mine, is_bare) and not (_is_in_a_row(words) and not (is_mine or is_bare)):
        return False
    if words[-1] in _JOINTS:
        return False
    stops = _stops()
    if any([word in stops and not is_name for word, is_name in zip(words, identified, strict=True)]):
        return False
    inner = [word for word in words if word not in _JOINTS]
    if len(inner) > (_MOST_BARE_WORDS if is_bare else _MOST_WORDS):
        return False
    if inner[0][0].isdigit() and all([word[0].isdigit() or word in word_list("phrase.numbers") for word in inner]):
        return False
    # "backup window backup window is ...": said twice is not meant as a name.
    if len(set(inner)) < len(inner) or any(map(_is_adverb, inner)):
        return False
    if not word_list("holders.never").isdisjoint(inner):
        return False
    if inner[-1] not in word_list("holders.vague"):
        return True
    # "The worst day is Monday."
    return inner[-1] in _known_though_vague(is_mine, len(inner) > 1) and not words[0].endswith("st")


def _is_in_a_row(words: tuple[str, ...]) -> bool:
    return len(words) == _ORDINAL_AND_NOUN and words[0] in _ORDINALS and words[1] in word_list("holders.in_a_row")


@cache
def _refused_first(is_mine: bool, is_bare: bool) -> frozenset[str]:
    """Return words that stand first in no thing, after its "my", "the" or "our"."""
    refused = word_list("phrase.refused_openers") | word_list("phrase.numbers") | _JOINTS
    if is_bare:
        refused |= word_list("holders.never_first")
    return refused if is_mine else refused | word_list("attributes.refused_modifiers")


@cache
def _known_though_vague(is_mine: bool, is_told: bool) -> frozenset[str]:
    if is_mine:
        return word_list("attributes.open")
    return word_list("things.told") | word_list("holders.counted") if is_told else frozenset()


def _is_adverb(word: str) -> bool:
    return word.endswith("ly") and len(word) > _SHORTEST_ADVERB and word not in word_list("holders.in_ly")


def _kept_mine(words: tuple[str, ...]) -> tuple[str, ...]:
    """Return what is told of "my ...", or nothing where another one is meant ("my old editor", "my favourite part")."""
    is_favourite = words[0] in word_list("attributes.favourite")
    if is_favourite and (len(words) == 1 or not word_list("attributes.favourite_not").isdisjoint(words)):
        return ()
    dropped = word_list("attributes.dropped_modifiers")
    kept = words if dropped.isdisjoint(words) else tuple([word for word in words if word not in dropped])
    if not word_list("attributes.refused_modifiers").isdisjoint(kept) and " ".join(kept) not in _NATIVE_FIRSTS:
        return ()
    # "My name is ..." takes names alone, and has a row of its own.
    return () if kept == ("name",) else kept


def _told(words: list[tuple[int, int, bool]], low: tuple[str, ...]) -> tuple[Span | None, tuple[str, ...]]:
    """Split "Palora's CEO", "name of the staging bucket", "queue name" into the thing and what is told of it."""
    possessor = next((index for index, (_, _, owns) in enumerate(words) if owns), None)
    if possessor is not None:
        told = low[possessor + 1 :]
        return ((words[0][0], words[0][0] + _length(words, low, possessor)), told) if told else (None, ())
    if "of" in low:
        cut = low.index("of")
        after = cut + 1 + (low[cut + 1 : cut + 2] == ("the",))
        if cut > 2 or after >= len(words) or _JOINTS & set(low[after:]) or "the" in low[:cut]:
            return None, ()
        return (words[after][0], words[-1][1]), low[:cut]
    if "the" in low:
        return None, ()
    if len(low) > 1 and low[-1] in word_list("things.told"):
        # "The queue name is otter" says the same as "The queue is named otter".
        return (words[0][0], words[-2][1]), low[-1:]
    return (words[0][0], words[-1][1]), ()


def _length(words: list[tuple[int, int, bool]], low: tuple[str, ...], possessor: int) -> int:
    start, _, _ = words[possessor]
    return start - words[0][0] + len(low[possessor])


@cache
def _stops() -> frozenset[str]:
    return word_list("phrase.stops") - _JOINTS


@cache
def _never_first(is_bare: bool) -> frozenset[str]:
    """Return words with which no thing begins; one letter may be an identifier after all."""
    refused = word_list("phrase.refused_openers") | {word for word in _stops() if len(word) > 1}
    return (
        refused | word_list("holders.never_first") | word_list("attributes.refused_modifiers") | _JOINTS
        if is_bare
        else refused
    )


@cache
def _finite() -> frozenset[str]:
    """Return the words that a thing's verb may begin with."""
    return (verbs_of_things() | _verbs_told() | first_words("holders.finite")) - {"no"}


@cache
def _verbs_told() -> frozenset[str]:
    """Return the verbs that tell what a thing did, or what became of it."""
    return first_words("things.changed", "things.did", "things.did_too", "things.happened")


@cache
def _before_verbs() -> frozenset[str]:
    return word_list("clause.adverbs") | word_list("clause.past_adverbs") | {"no", "longer", "never"}


@cache
def _surely_finite() -> frozenset[str]:
    """Return the verbs behind which no noun can go on: "is", "ended", but not "start" or "needs"."""
    return frozenset(
        {"is", "are", "was", "were", "has", "have", *(word for word in _verbs_told() if word.endswith("ed"))}
    )

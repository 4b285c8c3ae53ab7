"""Mentions: where a folded text names a subject, an object or another verbatim piece as whole words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from prme.grounding.folded_text import Extent, FoldedText
from prme.text_folding import fold_text

FIRST_PERSON: frozenset[str] = frozenset({"i", "me", "my", "mine", "myself"})

# More than mentions: another script may stand beside a form, and letters of another script are not tested here.
_FIRST_PERSON_FORM = re.compile(rf"\b(?:{'|'.join(sorted(FIRST_PERSON))})\b", re.ASCII)
# As typed in a chat: the "i" of "im" and "ive". The "i" of "id" and "ill" is left, for these are words.
_BARE_CONTRACTION = re.compile(r"\bi(?:m|ve)\b", re.ASCII)
# Beside one of these nothing runs on, and no name goes on.
_APART_BEFORE = frozenset(" ,;:!?()")
_APART_AFTER = frozenset(" ,;:!?().")
_CLITIC = re.compile(r"'(?:s|d|m|ll|re|ve)(?!\w)")
# Zero-width joiners and skin tones hold one visible sign together, as combining marks do.
_JOINERS = frozenset("\u200c\u200d\u00ad\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
# Han and Hiragana are written without blanks: every character may begin and end a word (UAX 29).
_UNSPACED = re.compile(
    "[\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3041-\u309f\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")
# What a name may go on with after a letter: "C++", "C#", "X-ray"; a sign alone ("pump - it", "pump+") is none.
_CONTINUED = re.compile(r"\+\+|#|-\w")
_GLUE = frozenset(".-/@#&\\")


def find_mentions(folded: FoldedText, term: str) -> tuple[Extent, ...]:
    """Return the whole-word occurrences of a term, in order; any first-person form finds all five.

    Letters, digits, underscores and combining marks beside an occurrence make it no mention; an apostrophe joins too,
    save before a clitic ("I'm" mentions I, "Figma's" mentions Figma, "don't" does not mention don), and "im" and "ive"
    are read as "I'm" and "I've". Half of an original character ("½" for 1) is never a mention. Han and Hiragana have no
    blanks, so there any boundary between characters counts; a Katakana run is one word; scripts such as Thai need a
    blank or another script beside them.
    A part of a longer name ("C++", "C#", ".NET", "X-ray") is none, and a first-person form in a dotted, slashed or
    hyphenated compound ("i.e.", "I/O", "I-95", "me.com") neither.
    """
    wanted = fold_text(term)
    if not wanted:
        return ()
    if wanted not in FIRST_PERSON:
        return tuple(_occurrences(folded, wanted))
    found = list(_whole_words(folded, _FIRST_PERSON_FORM))
    bare = [(first, first + 1) for first, _ in _whole_words(folded, _BARE_CONTRACTION)]
    return tuple(sorted(found + bare) if bare else found)


def is_shouted(content: str, folded: FoldedText, mention: Extent) -> bool:
    """Return whether a mention is the "I" of IM or IVE, which in capitals are words of their own."""
    after = mention[1]
    return after < len(folded.text) and folded.text[after].isalpha() and content[folded.starts[after]].isupper()


def _whole_words(folded: FoldedText, pattern: re.Pattern[str]) -> Iterator[Extent]:
    for match in pattern.finditer(folded.text):
        extent = match.span()
        if _is_whole(folded, extent) and not _in_compound(folded.text, extent):
            yield extent


def _occurrences(folded: FoldedText, wanted: str) -> Iterator[Extent]:
    first = folded.text.find(wanted)
    while first != -1:
        extent = (first, first + len(wanted))
        whole = _is_whole(folded, extent)
        if whole:
            yield extent
        first = folded.text.find(wanted, extent[1] if whole else first + 1)


def _is_whole(folded: FoldedText, extent: Extent) -> bool:
    first, last = extent
    text, starts = folded.text, folded.starts
    if (first > 0 and starts[first - 1] == starts[first]) or (last < len(text) and starts[last] == starts[last - 1]):
        return False
    if (first == 0 or text[first - 1] in _APART_BEFORE) and (last == len(text) or text[last] in _APART_AFTER):
        return True
    if first > 0 and _runs_on(text[first], text[first - 1]):
        return False
    if last < len(text) and _runs_on(text[last - 1], text[last]):
        return False
    return not _joined_by_apostrophe(text, extent) and not _part_of_compound(text, extent)


def _part_of_compound(text: str, extent: Extent) -> bool:
    """Return whether an occurrence is part of a longer name: the C of "C++", the NET of ".NET", the X of "X-ray"."""
    first, last = extent
    if _is_word_character(text[last - 1]) and _CONTINUED.match(text, last):
        return True
    before = text[max(first - 2, 0) : first]
    if not before or not _is_word_character(text[first]):
        return False
    if before[-1] == "-":
        return len(before) == 2 and _is_word_character(before[0])
    return before[-1] == "." and (len(before) == 1 or before[0] == " ")


def _runs_on(edge: str, beside: str) -> bool:
    if not _is_word_character(beside):
        return False
    if _UNSPACED.match(edge) or _UNSPACED.match(beside):
        return False
    return not (_is_word_character(edge) and bool(_KATAKANA.match(edge)) != bool(_KATAKANA.match(beside)))


def _is_word_character(character: str) -> bool:
    return (
        character.isalnum()
        or character == "_"
        or character in _JOINERS
        or unicodedata.category(character) in ("Mn", "Mc", "Me")
    )


def _joined_by_apostrophe(text: str, extent: Extent) -> bool:
    first, last = extent
    before, after = text[max(first - 2, 0) : first], text[last : last + 2]
    if len(before) == 2 and before[1] == "'" and _runs_on(text[first], before[0]):
        return True
    if len(after) == 2 and after[0] == "'" and _runs_on(text[last - 1], after[1]):
        return _CLITIC.match(text, last) is None
    return False


def _in_compound(text: str, extent: Extent) -> bool:
    first, last = extent
    after = text[last : last + 2]
    if len(after) == 2 and after[0] in _GLUE and after[1].isalnum():
        return True
    before = text[max(first - 3, 0) : first]
    if not before or before[-1] not in _GLUE:
        return False
    if before[-1] in "@#":
        return True
    # "a.i." is an abbreviation, "Hi.I" a missing blank: only a single letter before the dot makes a compound.
    single = len(before) < 3 or not before[-3].isalnum()
    return len(before) > 1 and before[-2].isalnum() and (before[-1] != "." or single)

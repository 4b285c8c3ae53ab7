"""Quotations: the pairs of quotation marks in a text, told apart from apostrophes."""

from __future__ import annotations

import re

from prme.grounding.sentences import Span

# Opening mark to the marks that close it: English, German, Swedish, guillemets in both directions, CJK corners.
_CLOSERS = {
    "\u201c": "\u201d\u201f",
    "\u201e": "\u201c\u201d",
    "\u201d": "\u201d",
    "\u201f": "\u201d",
    "\u2018": "\u2019",
    "\u201a": "\u2018\u2019",
    "\u201b": "\u2019",
    "\u00ab": "\u00bb",
    "\u00bb": "\u00ab",
    "\u2039": "\u203a",
    "\u203a": "\u2039",
    "\u300c": "\u300d",
    "\u300e": "\u300f",
    '"': '"',
    "\uff02": "\uff02",
    "'": "'",
    "`": "'`",
}
_MARKS = re.compile("[" + re.escape("".join(sorted(set("".join(_CLOSERS) + "".join(_CLOSERS.values()))))) + "]")
_EDGE_SENSITIVE = frozenset("'\u2018\u2019\u201d\"\uff02`")


def find_quotations(text: str, paragraphs: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the inner span of every pair of quotation marks, by start; no pair crosses a paragraph.

    A mark that also serves as apostrophe or inch sign opens only before a word and closes only after one; between two
    word characters it is neither.
    """
    pairs: list[Span] = []
    for paragraph in paragraphs:
        pairs.extend(_pairs_of(text, paragraph))
    return tuple(sorted(pairs))


def _pairs_of(text: str, paragraph: Span) -> list[Span]:
    pairs: list[Span] = []
    # Where each closing mark would end a pair: the innermost open quotation that it fits.
    open_marks: list[tuple[str, int]] = []
    for match in _MARKS.finditer(text, *paragraph):
        mark, offset = match.group(), match.start()
        can_open, can_close = _roles(text, offset, paragraph)
        depth = _depth_closed_by(mark, open_marks) if can_close else None
        if depth is not None:
            pairs.append((open_marks[depth][1] + 1, offset))
            del open_marks[depth:]
        elif mark in _CLOSERS and can_open and all(mark != kept for kept, _ in open_marks):
            open_marks.append((mark, offset))
    return pairs


def _depth_closed_by(mark: str, open_marks: list[tuple[str, int]]) -> int | None:
    for depth in reversed(range(len(open_marks))):
        if mark in _CLOSERS[open_marks[depth][0]]:
            return depth
    return None


def _roles(text: str, offset: int, paragraph: Span) -> tuple[bool, bool]:
    """Return whether the mark at the offset can open and can close a quotation."""
    if text[offset] not in _EDGE_SENSITIVE:
        return True, True
    before = text[offset - 1] if offset > paragraph[0] else " "
    after = text[offset + 1] if offset + 1 < paragraph[1] else " "
    can_open = not before.isalnum() and not after.isspace()
    can_close = not before.isspace() and not after.isalnum()
    return can_open, can_close

"""Marks of Markdown and mail: quoted lines, fenced blocks, struck-out text and emphasis."""

from __future__ import annotations

import re
from collections.abc import Iterable

from prme.grounding.sentences import Span

# "> text", "> > text", ">text", but not the faces ">_<" and ">.<".
_QUOTED_LINE = re.compile(r"[ \t]*>(?:[ \t>]|(?=[^\W_]))")
_FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})")
_SIGNS_OF_BLOCKS = (">", "```", "~~~")
_STRIKE = re.compile(r"~~+|</?(?:s|del|strike)>", re.IGNORECASE)
# An underscore that has no letter or digit on one side is no part of a name.
_EMPHASIS = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")


def find_quoted_lines(text: str, paragraphs: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans of quoted lines and of fenced blocks, by start; none crosses a paragraph.

    Neighbouring quoted lines are one span. A fence that is never closed runs to the end, as Markdown has it.
    """
    if not any(sign in text for sign in _SIGNS_OF_BLOCKS):
        return ()  # as in most messages
    return tuple(_within(paragraphs, _blocks(text)))


def find_struck(text: str, paragraphs: tuple[Span, ...]) -> tuple[Span, ...]:
    """Return the spans between pairs of strike-out marks, by start; none crosses a paragraph."""
    struck: list[Span] = []
    if "~~" not in text and "<" not in text:
        return ()
    for start, end in paragraphs:
        opened: int | None = None
        for match in _STRIKE.finditer(text, start, end):
            if opened is None:
                opened = None if match.group().startswith("</") else match.end()
            else:
                struck.append((opened, match.start()))
                opened = None
    return tuple(struck)


def without_emphasis(text: str) -> str:
    """Return the text, of the same length, with stars for the underscores around words: `_might_`, not `my_var`."""
    return _EMPHASIS.sub(lambda match: "*" * len(match.group()), text)


def _blocks(text: str) -> list[Span]:
    """Return the quoted lines, joined where they touch, and the fenced blocks."""
    blocks: list[Span] = []
    fence = ""
    offset = 0
    for line in text.splitlines(keepends=True):
        start, offset = offset, offset + len(line)
        opening = _FENCE.match(line.rstrip())
        is_marked = bool(fence) or opening is not None or _QUOTED_LINE.match(line) is not None
        if fence:
            fence = "" if opening is not None and _closes(line, fence) else fence
        elif opening is not None:
            fence = opening.group(1)
        if is_marked and blocks and blocks[-1][1] == start:
            blocks[-1] = (blocks[-1][0], offset)
        elif is_marked:
            blocks.append((start, offset))
    return blocks


def _closes(line: str, fence: str) -> bool:
    mark = line.strip()
    return set(mark) == {fence[0]} and len(mark) >= len(fence)


def _within(paragraphs: tuple[Span, ...], blocks: Iterable[Span]) -> list[Span]:
    """Cut the blocks, which are in order, at the ends of the paragraphs, which are too."""
    cut: list[Span] = []
    at = 0
    for start, end in blocks:
        while at < len(paragraphs) and paragraphs[at][1] <= start:
            at += 1
        index = at
        while index < len(paragraphs) and paragraphs[index][0] < end:
            cut.append((max(start, paragraphs[index][0]), min(end, paragraphs[index][1])))
            index += 1
    return cut

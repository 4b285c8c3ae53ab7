"""Tails: what may follow the object of a clause, each piece by its kind, to the end of the clause or not at all."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from prme_extractors.lexical.vocabulary import table, vocabulary
from prme_extractors.lexical.wordings import alternatives, spaced

Span = tuple[int, int]

_BLANK = re.compile(r"\s(?=\S)")
# Kinds whose words also open other kinds: "to" compares after "prefer" and tells a purpose after "use".
_ONLY_WHERE_ALLOWED = frozenset({"by_now", "preferred_to", "settling", "purpose", "future", "years", "long_ago"})


class Tail(NamedTuple):
    """The pieces after an object, by kind; a kind that is not listed does not occur."""

    pieces: tuple[tuple[str, Span], ...]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that occur."""
        return frozenset([kind for kind, _ in self.pieces])

    def first(self, kind: str) -> Span | None:
        """Return the first piece of a kind."""
        for found, span in self.pieces:
            if found == kind:
                return span
        return None


NO_TAIL = Tail(())


def read_tail(low: str, position: int, end: int, allowed: frozenset[str]) -> Tail | None:
    """Read everything from the position to the end, or None when a piece is of no known or no allowed kind."""
    pieces: list[tuple[str, Span]] = []
    while (position := _skip_blank(low, position, end)) < end:
        piece = _read_piece(low, position, end, allowed)
        if piece is None or piece[0] not in allowed:
            return None
        pieces.append(piece)
        position = piece[1][1]
    return Tail(tuple(pieces)) if pieces else NO_TAIL


_ENDS_AN_ACTIVITY = frozenset(
    {
        "emphasis",
        "aside",
        "degree",
        "frequency",
        "now",
        "ended",
        "moment",
        "reason",
        "condition",
        "instead",
        "over",
        "ago",
        "occasion",
        "distant",
    }
)


def end_of_activity(low: str, start: int, end: int) -> int:
    """Return where a piece begins that says something about the whole clause, or its end."""
    blanks = (found.start() for found in _BLANK.finditer(low, start, end))
    return next((blank for blank in blanks if opens_tail(low, blank + 1, end)), end)


def opens_tail(low: str, position: int, end: int) -> bool:
    """Whether a piece begins here that says something about the clause, not about the activity named in it."""
    piece = _read_piece(low, position, end, _ENDS_AN_ACTIVITY)
    return piece is not None and piece[0] in _ENDS_AN_ACTIVITY


def dates_a_change(low: str, start: int, end: int) -> bool:
    """Whether the piece "since ..." names the day or the year of a change, and nothing that may pass."""
    return _since().fullmatch(low, start, end) is not None


def _read_piece(low: str, position: int, end: int, allowed: frozenset[str]) -> tuple[str, Span] | None:
    for kind, expression in _kinds():
        if kind in _ONLY_WHERE_ALLOWED and kind not in allowed:
            continue
        found = expression.match(low, position, end)
        if found is not None:
            return kind, found.span("piece")
    return None


def _skip_blank(low: str, position: int, end: int) -> int:
    while position < end and low[position] in " \t\n":
        position += 1
    return position


@cache
def _kinds() -> tuple[tuple[str, re.Pattern[str]], ...]:
    return tuple((row["kind"], _expression(row["forms"])) for row in table("tails.toml")["tail"])


@cache
def _since() -> re.Pattern[str]:
    times = _in_classes(table("tails.toml")["since"])
    return re.compile(spaced(rf"(?:ever )?since (?:about |around )?(?:{times})"))


def _expression(forms: list[str]) -> re.Pattern[str]:
    return re.compile(rf"(?P<piece>{spaced(_in_classes(forms))})(?!\w)", re.DOTALL)


def _in_classes(forms: list[str]) -> str:
    """Return an expression for any of the forms, the word classes in them written out."""
    return re.sub(r"<(\w+)>", lambda match: _classes()[match.group(1)], "|".join(forms))


@cache
def _classes() -> dict[str, str]:
    words = vocabulary()
    written: dict[str, str] = table("tails.toml")["classes"]
    return written | {
        "month": alternatives(words["sets.months"]),
        "counted": alternatives(words["phrase.numbers"]),
        "condition": alternatives(words["clause.conditions"]),
    }

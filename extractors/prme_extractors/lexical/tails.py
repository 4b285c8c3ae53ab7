"""Tails: what may follow the object of a clause, each piece by its kind, to the end of the clause or not at all."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from prme_extractors.lexical.table import alternatives
from prme_extractors.lexical.vocabulary import vocabulary

Span = tuple[int, int]

_NUMBER = r"(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a\s+couple(?:\s+of)?|a\s+few|several|many)"
_UNIT = r"(?:minute|hour|day|night|week|month|year|semester|decade)s?"
_WEEKDAY = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)s?"
_SEASON = r"(?:week|month|year|night|weekend|semester|spring|summer|fall|autumn|winter)"

# Kinds whose words also open other kinds: "to" compares after "prefer" and tells a purpose after "use".
_ONLY_WHERE_ALLOWED = frozenset({"preferred_to", "settling", "purpose"})


@dataclass(frozen=True, slots=True)
class Tail:
    """The pieces after an object, by kind; a kind that is not listed does not occur."""

    pieces: tuple[tuple[str, Span], ...]

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that occur."""
        return frozenset(kind for kind, _ in self.pieces)

    def first(self, kind: str) -> Span | None:
        """Return the first piece of a kind."""
        return next((span for found, span in self.pieces if found == kind), None)


def read_tail(low: str, position: int, end: int, allowed: frozenset[str]) -> Tail | None:
    """Read everything from the position to the end, or None when a piece is of no known or no allowed kind."""
    pieces: list[tuple[str, Span]] = []
    while (position := _skip_blank(low, position, end)) < end:
        piece = _read_piece(low, position, end, allowed)
        if piece is None or piece[0] not in allowed:
            return None
        pieces.append(piece)
        position = piece[1][1]
    return Tail(tuple(pieces))


_ENDS_AN_ACTIVITY = frozenset({"emphasis", "degree", "frequency", "now", "ended", "moment", "reason", "condition", "instead", "over", "ago"})


def opens_tail(low: str, position: int, end: int) -> bool:
    """Whether a piece begins here that says something about the clause, not about the activity named in it."""
    piece = _read_piece(low, position, end, _ENDS_AN_ACTIVITY)
    return piece is not None and piece[0] in _ENDS_AN_ACTIVITY


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
    words = vocabulary()
    month = alternatives(words["sets.months"])
    conditions = alternatives(words["clause.conditions"])
    # Inside a prepositional phrase no new statement may begin.
    plain = r"(?!(?:i|you|he|she|we|they|it|is|are|was|were|am|do|don't|did|not|never|would|could|might|which|who|that|what|but|or|and|if|when|unless|while|because|so|ago|yesterday|last|its|lol|haha|another|me|(?:19|20)\d\d)\b)[\w'&$%.+/-]+"
    circumstance = (
        rf"(?:for|with|at|in|on|from|by|as|around|without|via|to|into|near|about|against|before|after|during|per)"
        rf"(?:\s+{plain}){{1,6}}"
    )
    kinds = {
        "ended": r"any\s?more|any\s+longer",
        "moment": r"right\s+now|rn|at\s+the\s+moment|atm|for\s+now|for\s+the\s+moment|tonight|at\s+present",
        "now": r"now|these\s+days|nowadays|currently|from\s+now\s+on|at\s+this\s+point|as\s+of\s+now",
        "ago": (
            rf"(?:about\s+|around\s+|over\s+|like\s+)?{_NUMBER}\s+{_UNIT}\s+ago|yesterday|last\s+(?:{_SEASON}|{_WEEKDAY}|{month})"
            rf"|(?:back\s+)?in\s+(?:{month}(?:\s+(?:of\s+)?\d{{4}})?|(?:19|20)\d\d)|on\s+{_WEEKDAY}|(?:earlier\s+)?this\s+(?:morning|afternoon|{_SEASON})"
            rf"|today|recently|a\s+while\s+(?:ago|back)"
        ),
        "settling": r"for\s+(?:work|school|college|university|grad\s+school|my\s+(?:job|studies|degree|phd)|a\s+(?:new\s+)?job)"
        rf"|with\s+my\s+\w+",
        "frequency": (
            rf"(?:almost\s+|pretty\s+much\s+|nearly\s+)?every\s*(?:other\s+|single\s+)?(?:day|night|morning|evening|afternoon|{_SEASON}|{_WEEKDAY}|{_UNIT})|every\s+(?:now\s+and\s+then|once\s+in\s+a\s+while)"
            rf"|daily|weekly|sometimes|often|usually|regularly|occasionally|a\s+lot|alot|all\s+the\s+time|constantly|most\s+(?:days|nights|mornings|weekends)|all\s+day"
            rf"|(?:once|twice|{_NUMBER}\s+times)\s+(?:a|per|every|each)\s+{_UNIT}|once\s+in\s+a\s+while|on\s+(?:the\s+)?weekends?|on\s+{_WEEKDAY}|now\s+and\s+then|instead(?!\s+of)"
        ),
        "emphasis": r"too|as\s+well|also|at\s+all|either|in\s+general|haha\w*|lol|lmao|though|tho|honestly|myself|personally|btw|by\s+the\s+way",
        "degree": r"again|very\s+much|so\s+much|more\s+than\s+anything|the\s+most|a\s+ton|already|in\s+particular",
        "instead": rf"(?:instead\s+of|rather\s+than)(?:\s+{plain}){{1,4}}?(?=\s+(?:now|these\s+days)\b|\s*\Z)",
        "over": rf"(?:over|more\s+than|than)(?:\s+{plain}){{1,5}}",
        "preferred_to": rf"to(?:\s+{plain}){{1,5}}",
        "since": rf"(?:ever\s+)?since\s+.+|for\s+(?:about\s+|over\s+|almost\s+|nearly\s+)?{_NUMBER}\s+{_UNIT}(?:\s+now)?",
        "reason": r"(?:because|cause|cuz|bc|due\s+to|thanks\s+to|as\s+a\s+result\s+of|for\s+health\s+reasons|for\s+medical\s+reasons)(?:\s+.+)?",
        "condition": rf"(?:{conditions})\s+.+",
        "purpose": rf"to\s+{plain}(?:\s+{plain}){{0,6}}",
        "circumstance": circumstance,
    }
    return tuple((kind, re.compile(rf"(?P<piece>{body})(?!\w)", re.DOTALL)) for kind, body in kinds.items())

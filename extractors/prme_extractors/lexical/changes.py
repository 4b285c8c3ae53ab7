"""Changes: what somebody came from and went to."""

from __future__ import annotations

import re

from prme_extractors.lexical.objects import Objects, accept_dwelling, accept_medicine
from prme_extractors.lexical.phrases import is_known_place, read_phrase
from prme_extractors.lexical.reading import Reading
from prme_extractors.lexical.table import Pattern

_FROM = re.compile(r"\s+from(?=\s)")
_TO = re.compile(r"\s+to(?=\s)")


def read_change(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "from A to B", "to B from A" or "to B"."""
    change = _read_ends(reading, start, end)
    return None if change is None else change._replace(predicates=_of_medicines(reading, change))


def _of_medicines(reading: Reading, change: Objects) -> tuple[str, ...] | None:
    """Return that the new value is taken, where both are known for medicines."""
    if change.former is None:
        return None
    ends = (change.phrases[0], change.former)
    return ("takes",) if all(accept_medicine(reading, end) for end in ends) else None


def _read_ends(reading: Reading, start: int, end: int) -> Objects | None:
    if (found := _FROM.match(reading.low, start, end)) is not None:
        former = read_phrase(reading, found.end(), end)
        joint = None if former is None else _TO.match(reading.low, former.end, end)
        new = None if joint is None else read_phrase(reading, joint.end(), end)
        return None if new is None else Objects((new,), former, new.end)
    if (found := _TO.match(reading.low, start, end)) is None:
        return None
    new = read_phrase(reading, found.end(), end)
    if new is None:
        return None
    joint = _FROM.match(reading.low, new.end, end)
    if joint is None:
        return Objects((new,), None, new.end)
    former = read_phrase(reading, joint.end(), end)
    return None if former is None else Objects((new,), former, former.end)


def read_medicine_change(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    """Read "from metformin to Ozempic": both are known for medicines."""
    change = read_change(reading, pattern, start, end)
    return change if change is not None and change.predicates == ("takes",) else None


def read_move(reading: Reading, pattern: Pattern, start: int, end: int) -> Objects | None:
    change = _read_ends(reading, start, end)
    if change is None:
        return None
    ends = [change.phrases[0], *([] if change.former is None else [change.former])]
    # One end that is surely a place makes the other one a place: nobody moves from Boston to Emacs.
    if not all(accept_dwelling(reading, phrase) for phrase in ends):
        return None
    return change if any(is_known_place(phrase) for phrase in ends) else None

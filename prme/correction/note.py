"""The state of a note: it is current until a decision made by hand closes or contests it; rules never touch it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from prme.correction.rulings import contested_nodes
from prme.model.decision import ExplicitDecision
from prme.model.interval import Interval
from prme.model.node import Status


def note_interval(note_id: str, start: datetime, decisions: Collection[ExplicitDecision]) -> Interval:
    """Return the interval of a note that was said at `start`, under all decisions of its owner. Pure."""
    if not decisions:
        return Interval(note_id, start, None, "current", None, None)
    mine = sorted((d for d in decisions if note_id in (d.old, d.new)), key=lambda decision: decision.number)
    closing = next((d for d in mine if d.kind != "contradict" and d.old == note_id), None)
    if closing is None or closing.at is None:
        status: Status = "contested" if note_id in contested_nodes(mine) else "current"
        return Interval(note_id, start, None, status, None, None)
    end = max(closing.at, start)
    if closing.kind == "resolve":
        return Interval(note_id, start, end, "deprecated", None, None)
    return Interval(note_id, start, end, "superseded", closing.new, None)

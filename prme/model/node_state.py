"""The state of nodes: their own intervals, and what a claim and those that confirm it have of each other. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import TypeVar

from prme.model.interval import Interval
from prme.model.node import Node

State = TypeVar("State", bound=Interval | Node)


def ending(own: State, states: Mapping[str, State]) -> State:
    """Return what says how a node ends: the claim that it confirms, unless it confirms none or was closed by itself."""
    return own if own.status != "confirming" or own.confirms is None else states[own.confirms]


def in_state(node: Node, own: Interval | Node, end: Interval | Node) -> Node:
    """Return a node in its own state; it ends as `end` says, which is the same but for what confirms another claim."""
    return node.model_copy(
        update={
            "status": own.status,
            "valid_from": own.valid_from,
            "valid_to": end.valid_to,
            "superseded_by": end.superseded_by,
            "confirms": own.confirms,
        }
    )


def last_confirmed(states: Iterable[Interval | Node], known: Mapping[str, datetime]) -> dict[str, datetime]:
    """Return when claims were last confirmed: as was known, or later by one of the states."""
    latest = dict(known)
    for state in states:
        if state.confirms is not None and state.status == "confirming":
            latest[state.confirms] = max(state.valid_from, latest.get(state.confirms, state.valid_from))
    return latest

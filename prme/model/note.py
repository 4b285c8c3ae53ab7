"""Notes: the node that carries the message of an event."""

from __future__ import annotations

from prme.model.interval import Interval
from prme.model.message import Event
from prme.model.node import Node, NodeType


def note_node(event: Event, interval: Interval) -> Node:
    """Return the NOTE of an event, which holds as an interval says."""
    return Node(
        id=interval.node_id,
        node_type=NodeType.NOTE,
        user_id=event.user_id,
        scope=event.scope,
        content=event.content,
        source_type=event.source_type,
        status=interval.status,
        valid_from=interval.valid_from,
        valid_to=interval.valid_to,
        superseded_by=interval.superseded_by,
        confirms=interval.confirms,
        last_confirmed_at=None,
        event_id=event.id,
    )

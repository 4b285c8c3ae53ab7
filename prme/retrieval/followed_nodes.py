"""What becomes of the nodes of an index when some of them change: of those, and of what is bound to them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from prme.model.interval import Interval
from prme.model.node import Node
from prme.model.node_state import ending, in_state, last_confirmed
from prme.store.changed_nodes import NodeChanges


def left_claims(changed: Mapping[str, Node]) -> set[str]:
    """Return the claims that nodes confirmed before they changed."""
    return {node.confirms for node in changed.values() if node.confirms is not None}


def followed_nodes(known: Mapping[str, Node], changes: NodeChanges) -> dict[str, Node]:
    """Return the nodes that are new or not as they were, by id.

    `known` are the nodes as they were: those that changed, what they confirmed and confirm now, and everything that
    confirms a node which changed or was left.
    """
    left = left_claims({node_id: node for node_id, node in known.items() if node_id in changes.intervals})
    # What a claim confirms confirms no other one: so the end of a node that was read is its own where another needs it.
    states: dict[str, Node | Interval] = {**known, **changes.intervals}
    # For one that was left, all that confirms it is looked at again.
    before = {
        node.id: node.last_confirmed_at
        for node in known.values()
        if node.last_confirmed_at is not None and node.id not in left
    }
    confirmed = last_confirmed(states.values(), before)
    nodes = {node.id: node for node in changes.new} | dict(known)
    after = {node_id: _with(node, states, confirmed.get(node_id)) for node_id, node in nodes.items()}
    return {node_id: node for node_id, node in after.items() if node != known.get(node_id)}


def _with(node: Node, states: Mapping[str, Node | Interval], last_confirmed_at: datetime | None) -> Node:
    own = states[node.id]
    return in_state(node, own, ending(own, states)).model_copy(update={"last_confirmed_at": last_confirmed_at})

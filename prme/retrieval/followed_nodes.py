"""What becomes of the nodes of an index when some of them change: of those, and of what is bound to them. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from prme.model.interval import Interval
from prme.model.node import Node
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
    confirmed = _last_confirmed(known, left, states)
    nodes = {node.id: node for node in changes.new} | dict(known)
    after = {node_id: _with(node, states, confirmed.get(node_id)) for node_id, node in nodes.items()}
    return {node_id: node for node_id, node in after.items() if node != known.get(node_id)}


def _last_confirmed(
    known: Mapping[str, Node], left: set[str], states: Mapping[str, Node | Interval]
) -> dict[str, datetime]:
    """Return when each claim was last confirmed; for one that was left all that confirms it is looked at again."""
    latest = {
        node.id: node.last_confirmed_at
        for node in known.values()
        if node.last_confirmed_at is not None and node.id not in left
    }
    for state in states.values():
        if state.confirms is not None and state.status == "confirming":
            latest[state.confirms] = max(state.valid_from, latest.get(state.confirms, state.valid_from))
    return latest


def _with(node: Node, states: Mapping[str, Node | Interval], last_confirmed_at: datetime | None) -> Node:
    """Return a node in its state, with the end of the claim that it confirms, if it confirms one."""
    own = states[node.id]
    end = own if own.status != "confirming" or own.confirms is None else states[own.confirms]
    return node.model_copy(
        update={
            "status": own.status,
            "valid_from": own.valid_from,
            "valid_to": end.valid_to,
            "superseded_by": end.superseded_by,
            "confirms": own.confirms,
            "last_confirmed_at": last_confirmed_at,
        }
    )

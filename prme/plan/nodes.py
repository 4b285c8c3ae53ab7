"""A plan's claims as nodes, once it is known when they hold."""

from __future__ import annotations

from prme.model.interval import Interval
from prme.model.message import Event
from prme.model.node import Node, NodeType
from prme.model.plan import PlannedClaim


def planned_node(event: Event, claim: PlannedClaim, own: Interval, closed: Interval) -> Node:
    """Return the node of an admitted claim, but for when it was last confirmed.

    It ends as `closed` says: its own interval, or that of the claim which it confirms.
    """
    return Node(
        id=claim.id,
        node_type=NodeType.of_kind(claim.kind),
        user_id=event.user_id,
        scope=event.scope,
        content=claim.content,
        source_type=event.source_type,
        status=own.status,
        valid_from=own.valid_from,
        valid_to=closed.valid_to,
        superseded_by=closed.superseded_by,
        confirms=own.confirms,
        last_confirmed_at=None,
        event_id=event.id,
        subject_id=claim.subject_id,
        position=claim.position,
        subject=claim.subject,
        predicate=claim.predicate,
        object=claim.object,
        polarity=claim.polarity,
        epistemic_type=claim.epistemic_type,
        condition=claim.condition,
        evidence=claim.evidence,
    )

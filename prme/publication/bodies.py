"""Bodies: what the entries of the journal say, as JSON values. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from prme import ids
from prme.clock import utc_text, utc_text_or_none
from prme.correction.correct import Correction, IntervalChange
from prme.model.decision import MadeDecision
from prme.model.message import Event, EventKind
from prme.model.node import Node
from prme.model.plan import ExtractionPlan, PlanOptions
from prme.model.receipt import DecisionReceipt
from prme.publication.snapshots import interval_document, node_document

# What other claims make of a node is no part of its own snapshot.
DERIVED = ("last_confirmed_at",)


def note_body(event: Event, kind: EventKind) -> dict[str, Any]:
    """Return the body of NOTE_STORED."""
    return {
        "content_digest": event.content_digest,
        "event_id": event.id,
        "kind": kind,
        "note_id": ids.note_id(event.id),
        "received_at": utc_text(event.received_at),
    }


def work_body(event: Event, *, policy: str, options: PlanOptions, reason_code: str | None) -> dict[str, Any]:
    """Return the body of EXTRACTION_PENDING and EXTRACTION_FAILED."""
    return {"event_id": event.id, "options": options.model_dump(), "policy": policy, "reason_code": reason_code}


def plan_body(
    plan: ExtractionPlan,
    correction: Correction,
    decisions: list[dict[str, Any]],
    revised_decisions: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the body of PLAN_PUBLISHED: inputs, replacements and outputs with their snapshots, and all decisions."""
    changes = correction.changes
    known = [change for change in changes if change.before is not None]
    retired = [change for change in changes if change.retired]
    return {
        "actor": plan.event.user_id,
        "decisions": decisions,
        "event_id": plan.event.id,
        "inputs": _inputs(known),
        "outputs": _outputs(changes),
        "plan_checksum": plan.checksum,
        "plan_id": plan.plan_id,
        "policy": plan.policy,
        "reopened": [change.after.node_id for change in known if change.reopened],
        "replacements": [_replacement(change) for change in retired],
        "retired": [change.after.node_id for change in retired],
        "revised": [change.after.node_id for change in known if change.revised],
        "revised_decisions": revised_decisions,
    }


def decision_body(
    made: MadeDecision,
    correction: Correction,
    receipt: DecisionReceipt,
    snapshots: Sequence[tuple[Node, Node]],
    revised_decisions: list[dict[str, Any]],
) -> dict[str, Any]:
    """Return the body of a decision's entry: all that was decided, and the two nodes before and after."""
    decision = made.decision
    return {
        "actor": made.actor,
        "after": [node_document(after, without=DERIVED) for _, after in snapshots],
        "at": utc_text_or_none(decision.at),
        "before": [node_document(before, without=DERIVED) for before, _ in snapshots],
        "edge_id": receipt.edge_id,
        "evidence_id": made.evidence_id,
        "inputs": _inputs(correction.changes),
        "kind": decision.kind,
        "mark": utc_text(decision.mark),
        "new": decision.new,
        "number": decision.number,
        "old": decision.old,
        "operation_id": made.operation_id,
        "outputs": _outputs(correction.changes),
        "reopened": receipt.reopened,
        "retired": receipt.retired,
        "revised": receipt.revised,
        "revised_decisions": revised_decisions,
    }


def _inputs(changes: Iterable[IntervalChange]) -> list[dict[str, Any]]:
    return [interval_document(change.before) for change in changes if change.before is not None]


def _outputs(changes: Iterable[IntervalChange]) -> list[dict[str, Any]]:
    return [interval_document(change.after) for change in changes]


def _replacement(change: IntervalChange) -> dict[str, Any]:
    after = change.after
    return {"at": utc_text_or_none(after.valid_to), "new": after.superseded_by, "old": after.node_id}

"""Publication: what one message adds to the store, as rows and journal entries. Pure; nothing is written here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from immutables import Map

from prme import ids
from prme.canonical import digest_text
from prme.clock import MICROSECOND, to_microseconds, utc_text, utc_text_or_none
from prme.correction.correct import Correction, IntervalChange
from prme.correction.subject import SubjectState
from prme.journal.chain import JournalEntry, JournalHead, JournalKind, append_entry
from prme.model.claim import Claim
from prme.model.decision import DecisionKind, ExplicitDecision, MadeDecision
from prme.model.interval import Interval
from prme.model.message import Event, EventKind, Message
from prme.model.node import Node
from prme.model.plan import ExtractionPlan, PlanOptions
from prme.model.receipt import DecisionReceipt, IngestReceipt
from prme.plan.prepare import PreparedPlan
from prme.publication.rows import (
    claim_rows,
    decision_row,
    entity_rows,
    event_row,
    evidence_rows,
    explicit_decision_row,
    extraction_row,
    interval_row,
    plan_row,
    work_row,
)
from prme.publication.snapshots import interval_document, node_document
from prme.resolution import is_local
from prme.store.rows import Row, RowBatch

DECISION_KINDS: dict[DecisionKind, JournalKind] = {
    "supersede": "SUPERSEDENCE_APPLIED",
    "contradict": "CONTRADICTION_NOTED",
    "resolve": "CONTRADICTION_RESOLVED",
}
# What other claims make of a node is no part of its own snapshot.
DERIVED = ("last_confirmed_at",)
WORK_STATES = {"EXTRACTION_PENDING": "pending", "EXTRACTION_FAILED": "failed"}


@dataclass(frozen=True, slots=True)
class OwnerState:
    """What publication must know of an owner: the journal's head, the newest times, and the subjects seen so far.

    `decisions` are all its explicit decisions, None as long as nobody needed them.
    """

    owner_key: int
    user_id: str
    head: JournalHead
    newest_received_at: datetime | None
    newest_recorded_at: datetime | None
    subjects: Map[str, SubjectState]
    decisions: tuple[ExplicitDecision, ...] | None = None


@dataclass(frozen=True, slots=True)
class Publication:
    """One journal entry with the rows it caused, and the owner's state after it."""

    owner: OwnerState
    entry: JournalEntry
    recorded_at: datetime
    rows: RowBatch


def next_received_at(owner: OwnerState, reading: datetime) -> datetime:
    """Return the time stamp of the owner's next event: the clock's reading, or just after the newest event."""
    newest = owner.newest_received_at
    return reading if newest is None or reading > newest else newest + MICROSECOND


def new_event(message: Message, received_at: datetime) -> Event:
    """Return the event that a message becomes when it is received at a time (UTC)."""
    return Event(
        id=ids.event_id(message.user_id, message.scope, message.message_id, received_at),
        user_id=message.user_id,
        scope=message.scope,
        role=message.role,
        content=message.content,
        content_digest=digest_text(message.content),
        session_id=message.session_id,
        message_id=message.message_id,
        speaker=message.speaker,
        first_person_owner=message.first_person_owner,
        occurred_at=received_at if message.occurred_at is None else message.occurred_at,
        received_at=received_at,
        metadata_json=message.metadata_json,
    )


def store_note(
    owner: OwnerState, event: Event, *, kind: EventKind, key: bytes, now: datetime | None = None
) -> Publication:
    """Publish an event and its NOTE node, recorded when it was received, or `now` for one that was received before."""
    body = {
        "content_digest": event.content_digest,
        "event_id": event.id,
        "kind": kind,
        "note_id": ids.note_id(event.id),
        "received_at": utc_text(event.received_at),
    }
    newest = owner.newest_received_at
    owner = replace(owner, newest_received_at=event.received_at if newest is None else max(newest, event.received_at))
    publication = _append(owner, "NOTE_STORED", event.id, body, key, event.received_at if now is None else now)
    seq, owner_key = publication.entry.seq, owner.owner_key
    publication.rows.add("events", event_row(owner_key, seq, kind, event))
    note = Interval(ids.note_id(event.id), event.occurred_at, None, "current", None, None)
    publication.rows.add("intervals", interval_row(owner_key, seq, publication.recorded_at, note))
    return publication


def note_work(
    owner: OwnerState,
    event: Event,
    kind: Literal["EXTRACTION_PENDING", "EXTRACTION_FAILED"],
    *,
    policy: str,
    options: PlanOptions,
    reason_code: str | None = None,
    key: bytes,
    now: datetime,
) -> Publication:
    """Record that an event waits for its extraction, or that it failed with a reason code that is safe to store.

    Policy and options are kept, so that the plan will be the one that would have been made now.
    """
    body = {"event_id": event.id, "options": options.model_dump(), "policy": policy, "reason_code": reason_code}
    publication = _append(owner, kind, event.id, body, key, now)
    state = WORK_STATES[kind]
    publication.rows.add(
        "work",
        work_row(owner.owner_key, publication.entry.seq, event.id, state, reason_code, policy, options),
    )
    return publication


def publish_plan(
    owner: OwnerState,
    prepared: PreparedPlan,
    claims: Sequence[Claim],
    correction: Correction,
    *,
    key: bytes,
    now: datetime,
) -> tuple[Publication, IngestReceipt]:
    """Publish a plan with everything it changed, as one journal entry (003-29), and return the receipt for it.

    `claims` are those of the plan as the rules saw them.
    """
    plan = prepared.plan
    receipt = _receipt(plan, correction)
    lasting = {
        claim.subject_id: correction.subjects[claim.subject_id]
        for claim in plan.claims
        if claim.subject_id is not None and not is_local(plan.event, claim)
    }
    owner = replace(owner, subjects=owner.subjects.update(lasting))
    publication = _append(owner, "PLAN_PUBLISHED", plan.event.id, _plan_body(plan, correction, receipt), key, now)
    seq, owner_key, rows = publication.entry.seq, owner.owner_key, publication.rows
    rows.add("extractions", extraction_row(owner_key, seq, plan))
    rows.add("plans", plan_row(owner_key, seq, prepared))
    rows.add("claims", *claim_rows(owner_key, plan, claims))
    rows.add("evidence", *evidence_rows(owner_key, plan))
    rows.add("entities", *entity_rows(owner_key, plan))
    rows.add(
        "intervals",
        *(interval_row(owner_key, seq, publication.recorded_at, change.after) for change in correction.changes),
    )
    decisions = (*correction.decisions, *correction.revised_decisions)
    rows.add("decisions", *(decision_row(owner_key, seq, decision) for decision in decisions))
    return publication, receipt


def publish_decision(
    owner: OwnerState,
    made: MadeDecision,
    correction: Correction,
    snapshots: Sequence[tuple[Node, Node]],
    *,
    key: bytes,
    now: datetime,
) -> tuple[Publication, DecisionReceipt]:
    """Publish an explicit decision with everything it changed, as one journal entry (003-10), and return its receipt.

    `snapshots` are the two nodes before and after.
    """
    decision = made.decision
    kinds: tuple[Literal["retired", "reopened", "revised"], ...] = ("retired", "reopened", "revised")
    receipt = decision_receipt(made, {kind: _changed(correction, kind) for kind in kinds})
    owner = replace(
        owner,
        subjects=owner.subjects.update(correction.subjects),
        decisions=(*(owner.decisions or ()), decision),
    )
    body = _decision_body(made, correction, receipt, snapshots)
    publication = _append(owner, DECISION_KINDS[decision.kind], None, body, key, now)
    seq, owner_key, rows = publication.entry.seq, owner.owner_key, publication.rows
    rows.add("explicit_decisions", explicit_decision_row(owner_key, seq, made))
    rows.add(
        "intervals",
        *(interval_row(owner_key, seq, publication.recorded_at, change.after) for change in correction.changes),
    )
    rows.add("decisions", *(decision_row(owner_key, seq, decision) for decision in correction.revised_decisions))
    return publication, receipt


def _append(
    owner: OwnerState, kind: JournalKind, event_id: str | None, body: dict[str, Any], key: bytes, now: datetime
) -> Publication:
    newest = owner.newest_recorded_at
    recorded_at = now if newest is None else max(now, newest)
    entry = append_entry(owner.head, user_id=owner.user_id, kind=kind, event_id=event_id, body=body, key=key)
    return Publication(replace(owner, head=entry.head, newest_recorded_at=recorded_at), entry, recorded_at, RowBatch())


def _changed(correction: Correction, kind: Literal["retired", "reopened", "revised"]) -> list[str]:
    return [change.after.node_id for change in correction.changes if getattr(change, kind)]


def decision_receipt(made: MadeDecision, changed: Mapping[str, list[str]]) -> DecisionReceipt:
    """Return the receipt of a decision; `changed` has the nodes that it `retired`, `reopened` and `revised`."""
    decision = made.decision
    return DecisionReceipt(
        operation_id=made.operation_id,
        edge_id=ids.edge_id(made.operation_id),
        status="applied",
        kind=decision.kind,
        old_id=decision.old,
        new_id=decision.new,
        effective_at=decision.at,
        actor=made.actor,
        evidence_id=made.evidence_id,
        retired=changed.get("retired", []),
        reopened=changed.get("reopened", []),
        revised=changed.get("revised", []),
    )


def _decision_body(
    made: MadeDecision, correction: Correction, receipt: DecisionReceipt, snapshots: Sequence[tuple[Node, Node]]
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
        "inputs": [interval_document(change.before) for change in correction.changes if change.before is not None],
        "kind": decision.kind,
        "mark": utc_text(decision.mark),
        "new": decision.new,
        "number": decision.number,
        "old": decision.old,
        "operation_id": made.operation_id,
        "outputs": [interval_document(change.after) for change in correction.changes],
        "reopened": receipt.reopened,
        "retired": receipt.retired,
        "revised": receipt.revised,
        "revised_decisions": [decision.model_dump() for decision in correction.revised_decisions],
    }


def _receipt(plan: ExtractionPlan, correction: Correction) -> IngestReceipt:
    return IngestReceipt(
        event_id=plan.event.id,
        status="published",
        plan_id=plan.plan_id,
        plan_checksum=plan.checksum,
        claims=[claim.id for claim in plan.claims],
        retired=_changed(correction, "retired"),
        reopened=_changed(correction, "reopened"),
        revised=_changed(correction, "revised"),
        decisions=list(correction.decisions),
    )


def _plan_body(plan: ExtractionPlan, correction: Correction, receipt: IngestReceipt) -> dict[str, Any]:
    """Return the body of PLAN_PUBLISHED: inputs, replacements and outputs with their snapshots, and all decisions."""
    return {
        "actor": plan.event.user_id,
        "decisions": [decision.model_dump() for decision in correction.decisions],
        "event_id": plan.event.id,
        "inputs": [interval_document(change.before) for change in correction.changes if change.before is not None],
        "outputs": [interval_document(change.after) for change in correction.changes],
        "plan_checksum": plan.checksum,
        "plan_id": plan.plan_id,
        "policy": plan.policy,
        "reopened": receipt.reopened,
        "replacements": [_replacement(change) for change in correction.changes if change.retired],
        "retired": receipt.retired,
        "revised": receipt.revised,
        "revised_decisions": [decision.model_dump() for decision in correction.revised_decisions],
    }


def _replacement(change: IntervalChange) -> dict[str, Any]:
    after = change.after
    return {"at": utc_text_or_none(after.valid_to), "new": after.superseded_by, "old": after.node_id}


def journal_row(owner_key: int, publication: Publication, *, commit_no: int, commit_digest: str) -> Row:
    """Return the row of `journal` for an entry that one commit holds."""
    entry = publication.entry
    return (
        owner_key,
        entry.seq,
        commit_no,
        entry.kind,
        entry.event_id,
        to_microseconds(publication.recorded_at),
        entry.commitment,
        entry.previous,
        entry.digest,
        commit_digest,
        entry.commitment_key,
        entry.body,
    )

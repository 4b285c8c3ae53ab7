"""Publication: what one message adds to the store, as rows and journal entries. Pure; nothing is written here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, NamedTuple

from immutables import Map

from prme import ids
from prme.canonical import digest_text
from prme.clock import MICROSECOND, to_microseconds
from prme.correction.correct import Correction
from prme.correction.note import note_interval
from prme.correction.subject import SubjectState
from prme.journal.chain import EMPTY_HEAD, JournalEntry, JournalHead, JournalKind, append_entry
from prme.model.claim import Claim
from prme.model.decision import DecisionKind, ExplicitDecision, MadeDecision
from prme.model.message import Event, EventKind, Message
from prme.model.node import Node
from prme.model.plan import ExtractionPlan, PlanOptions
from prme.model.receipt import DecisionReceipt, IngestReceipt
from prme.plan.prepare import PreparedPlan
from prme.publication.bodies import decision_body, note_body, plan_body, work_body
from prme.publication.rows import (
    Written,
    claim_rows,
    decision_row,
    entity_rows,
    event_row,
    evidence_rows,
    explicit_decision_row,
    extraction_row,
    interval_rows,
    plan_row,
    work_row,
)
from prme.publication.snapshots import decision_document
from prme.store.rows import Row, RowBatch

DECISION_KINDS: dict[DecisionKind, JournalKind] = {
    "supersede": "SUPERSEDENCE_APPLIED",
    "contradict": "CONTRADICTION_NOTED",
    "resolve": "CONTRADICTION_RESOLVED",
}
WORK_STATES = {"EXTRACTION_PENDING": "pending", "EXTRACTION_FAILED": "failed"}


@dataclass(frozen=True, slots=True)
class OwnerState:
    """What publication must know of an owner: the journal's head, the newest times, and the subjects seen so far.

    `decisions` are all its explicit decisions, None as long as nobody needed them. When the state `is_whole`, a subject
    that several messages can speak of and that is not among its `subjects` has no claims.
    """

    owner_key: int
    user_id: str
    head: JournalHead
    newest_received_at: datetime | None
    newest_recorded_at: datetime | None
    subjects: Map[str, SubjectState]
    decisions: tuple[ExplicitDecision, ...] | None = None
    is_whole: bool = False


def unknown_owner(owner_key: int, user_id: str) -> OwnerState:
    """Return the state of an owner of whom nothing is stored."""
    return OwnerState(owner_key, user_id, EMPTY_HEAD, None, None, Map(), (), is_whole=True)


class Publication(NamedTuple):
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
    newest = owner.newest_received_at
    publication = _append(
        owner,
        JournalText("NOTE_STORED", event.id, note_body(event, kind)),
        key,
        event.received_at if now is None else now,
        newest_received_at=event.received_at if newest is None else max(newest, event.received_at),
    )
    add_note_rows(publication.rows, _written(publication), kind, event)
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
    body = work_body(event, policy=policy, options=options, reason_code=reason_code)
    publication = _append(owner, JournalText(kind, event.id, body), key, now)
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
    lasting: Iterable[str] = (),
    key: bytes,
    now: datetime,
) -> Publication:
    """Publish a plan with everything it changed, as one journal entry (003-29).

    `claims` are those of the plan as the rules saw them; `lasting` the subjects whose states later messages may need.
    """
    told = [decision_document(decision) for decision in correction.decisions]
    revised = [decision_document(decision) for decision in correction.revised_decisions]
    body = plan_body(prepared.plan, correction, told, revised)
    publication = _append(
        owner,
        JournalText("PLAN_PUBLISHED", prepared.plan.event.id, body),
        key,
        now,
        subjects=owner.subjects.update({subject_id: correction.subjects[subject_id] for subject_id in lasting}),
    )
    rows, written = publication.rows, _written(publication)
    add_plan_rows(rows, written, prepared, claims)
    add_correction_rows(rows, written, correction, (*told, *revised))
    return publication


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
    revised = [decision_document(decision) for decision in correction.revised_decisions]
    body = decision_body(made, correction, receipt, snapshots, revised)
    publication = _append(
        owner,
        JournalText(DECISION_KINDS[decision.kind], None, body),
        key,
        now,
        subjects=owner.subjects.update(correction.subjects),
        decisions=(*(owner.decisions or ()), decision),
    )
    rows, written = publication.rows, _written(publication)
    rows.add("explicit_decisions", explicit_decision_row(owner.owner_key, written.seq, made))
    add_correction_rows(rows, written, correction, revised)
    return publication, receipt


class JournalText(NamedTuple):
    """What an entry of the journal says; no event for one that no message caused."""

    kind: JournalKind
    event_id: str | None
    body: dict[str, Any]


def _append(
    owner: OwnerState,
    text: JournalText,
    key: bytes,
    now: datetime,
    *,
    newest_received_at: datetime | None = None,
    subjects: Map[str, SubjectState] | None = None,
    decisions: tuple[ExplicitDecision, ...] | None = None,
) -> Publication:
    """Return a publication without rows, and the owner after it: what is given is new, everything else as before."""
    newest = owner.newest_recorded_at
    recorded_at = now if newest is None else max(now, newest)
    entry = append_entry(
        owner.head, user_id=owner.user_id, kind=text.kind, event_id=text.event_id, body=text.body, key=key
    )
    after = OwnerState(
        owner_key=owner.owner_key,
        user_id=owner.user_id,
        head=entry.head,
        newest_received_at=newest_received_at or owner.newest_received_at,
        newest_recorded_at=recorded_at,
        subjects=owner.subjects if subjects is None else subjects,
        decisions=owner.decisions if decisions is None else decisions,
        is_whole=owner.is_whole,
    )
    return Publication(after, entry, recorded_at, RowBatch())


def _written(publication: Publication) -> Written:
    return Written(publication.owner.owner_key, publication.entry.seq, publication.recorded_at)


def add_note_rows(rows: RowBatch, written: Written, kind: EventKind, event: Event) -> None:
    """Add the rows of an event and its note."""
    rows.add("events", event_row(written.owner_key, written.seq, kind, event))
    note = note_interval(ids.note_id(event.id), event.occurred_at, ())
    rows.add("intervals", *interval_rows(written, (note,)))


def add_plan_rows(rows: RowBatch, written: Written, prepared: PreparedPlan, claims: Sequence[Claim]) -> None:
    """Add the rows of a plan; `claims` are those of the plan as the rules see them."""
    owner_key, seq, plan = written.owner_key, written.seq, prepared.plan
    rows.add("extractions", extraction_row(owner_key, seq, plan))
    rows.add("plans", plan_row(owner_key, seq, prepared))
    rows.add("claims", *claim_rows(owner_key, plan, claims))
    rows.add("evidence", *evidence_rows(owner_key, plan))
    rows.add("entities", *entity_rows(owner_key, plan))


def add_correction_rows(
    rows: RowBatch, written: Written, correction: Correction, decisions: Iterable[Mapping[str, Any]]
) -> None:
    """Add the rows of what changed; `decisions` are the documents of what the rules concluded."""
    rows.add("intervals", *interval_rows(written, [change.after for change in correction.changes]))
    rows.add("decisions", *[decision_row(written.owner_key, written.seq, decision) for decision in decisions])


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


def plan_receipt(plan: ExtractionPlan, correction: Correction) -> IngestReceipt:
    """Return the receipt of a published plan."""
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

"""Publication as rows: values turned into the columns of the store's tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from prme.canonical import canonical_document
from prme.clock import to_microseconds
from prme.model.claim import Claim
from prme.model.decision import MadeDecision
from prme.model.interval import Interval
from prme.model.message import Event, EventKind
from prme.model.plan import ExtractionPlan, PlanOptions
from prme.plan.document import extraction_document
from prme.plan.prepare import PreparedPlan
from prme.store.rows import Row


class Written(NamedTuple):
    """Where rows belong: the owner, and the journal entry that they come with."""

    owner_key: int
    seq: int
    recorded_at: datetime


def event_row(owner_key: int, seq: int, kind: EventKind, event: Event) -> Row:
    """Return the row of `events` for an event."""
    return (
        owner_key,
        event.id,
        seq,
        kind,
        event.scope,
        event.role,
        event.content,
        event.content_digest,
        event.session_id,
        event.message_id,
        event.speaker,
        event.first_person_owner,
        to_microseconds(event.occurred_at),
        to_microseconds(event.received_at),
        event.metadata_json,
    )


def extraction_row(owner_key: int, seq: int, plan: ExtractionPlan) -> Row:
    """Return the row of `extractions`: enough to prepare a missing plan again under its recorded policy."""
    return (
        owner_key,
        plan.event.id,
        seq,
        plan.policy,
        plan.extractor.name,
        plan.extractor.model,
        plan.extractor.prompt_digest,
        plan.options.enable_speaker_references,
        canonical_document(extraction_document(plan.extraction)).decode("utf-8"),
    )


def plan_row(owner_key: int, seq: int, prepared: PreparedPlan) -> Row:
    """Return the row of `plans`: the canonical bytes as text."""
    plan = prepared.plan
    return (owner_key, plan.event.id, seq, plan.plan_id, plan.policy, plan.checksum, prepared.data.decode("utf-8"))


def claim_rows(owner_key: int, plan: ExtractionPlan, claims: Sequence[Claim]) -> list[Row]:
    """Return the rows of `claims`, one per admitted claim; `claims` are those of the plan as the rules see them."""
    event = plan.event
    source_type, received_at = event.source_type.value, to_microseconds(event.received_at)
    return [
        (
            owner_key,
            claim.id,
            event.id,
            claim.position,
            plan.policy,
            event.scope,
            source_type,
            claim.kind,
            claim.subject_id,
            claim.subject,
            claim.predicate,
            claim.object,
            claim.polarity,
            claim.epistemic_type,
            claim.condition,
            claim.temporal_intent,
            claim.replaces_object,
            to_microseconds(claim.effective_at),
            received_at,
            claim.content,
            rule_claim.trigger.start,
            rule_claim.trigger.end,
            rule_claim.trigger.quote,
        )
        for claim, rule_claim in zip(plan.claims, claims, strict=True)
    ]


def evidence_rows(owner_key: int, plan: ExtractionPlan) -> list[Row]:
    """Return the rows of `evidence` for a plan: the spans behind each claim, in order."""
    return [
        (owner_key, claim.id, ordinal, evidence.event_id, evidence.start, evidence.end, evidence.quote)
        for claim in plan.claims
        for ordinal, evidence in enumerate(claim.evidence)
    ]


def entity_rows(owner_key: int, plan: ExtractionPlan) -> list[Row]:
    """Return the rows of `entities` for a plan: each named entity once per event."""
    return [
        (owner_key, entity.id, plan.event.id, plan.event.scope, entity.entity_type, entity.name)
        for entity in plan.entities
    ]


def interval_rows(written: Written, intervals: Iterable[Interval]) -> list[Row]:
    """Return the rows of `intervals` for the versions that one journal entry made."""
    owner_key, seq, recorded_from = written.owner_key, written.seq, to_microseconds(written.recorded_at)
    return [
        (
            owner_key,
            interval.node_id,
            seq,
            recorded_from,
            to_microseconds(interval.valid_from),
            None if interval.valid_to is None else to_microseconds(interval.valid_to),
            interval.status,
            interval.superseded_by,
            interval.confirms,
        )
        for interval in intervals
    ]


def decision_row(owner_key: int, seq: int, decision: Mapping[str, Any]) -> Row:
    """Return the row of `decisions` for the document of what the rules concluded, as seen by one journal entry."""
    return (owner_key, decision["claim_id"], seq, canonical_document(decision).decode("utf-8"))


def explicit_decision_row(owner_key: int, seq: int, made: MadeDecision) -> Row:
    """Return the row of `explicit_decisions` for what a caller decided by hand."""
    decision = made.decision
    return (
        owner_key,
        decision.number,
        seq,
        made.operation_id,
        decision.kind,
        decision.old,
        decision.new,
        None if decision.at is None else to_microseconds(decision.at),
        to_microseconds(decision.mark),
        made.actor,
        made.evidence_id,
    )


def work_row(
    owner_key: int,
    seq: int,
    event_id: str,
    state: str,
    reason_code: str | None,
    policy: str,
    options: PlanOptions,
) -> Row:
    """Return the row of `work`: the newest word on an event's extraction."""
    return (owner_key, event_id, seq, state, reason_code, policy, options.enable_speaker_references)

"""Contents: the plan, event, decision or manifest of a record, every id in it computed again from what it names."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, TypeVar

from pydantic import ValidationError

from prme import ids
from prme.canonical import canonical_document, digest_text
from prme.clock import parse_utc_text, utc_text, utc_text_or_none
from prme.errors import PlanCorruptError
from prme.model.decision import ExplicitDecision, MadeDecision
from prme.model.export import ExportedDecision, ExportedEvent, ExportManifest
from prme.model.message import Event
from prme.model.plan import ExtractionPlan
from prme.plan.codec import decode_plan
from prme.plan.document import PLAN_FORMAT, event_document
from prme.policy.registry import get_policy
from prme.records.head import NOT_CANONICAL, read_object
from prme.records.writing import MANIFEST_FORMAT
from prme.text_folding import fold_text

_UTC = timedelta(0)
V = TypeVar("V", ExportedEvent, ExportedDecision)


def read_plan(data: bytes, user_id: str, event_id: str) -> ExtractionPlan:
    """Return the plan of a record whose ids are those that follow from what they name. Raises `PlanError`.

    Owner and event are those that its head named.
    """
    plan = decode_plan(data)
    event = plan.event
    if (plan.format, event.user_id, event.id) != (PLAN_FORMAT, user_id, event_id):
        raise PlanCorruptError(NOT_CANONICAL)
    _check_event(event)
    if plan.plan_id != ids.plan_id(event.id, plan.policy):
        raise PlanCorruptError("the plan has another id than its event and policy give it")
    for claim in plan.claims:
        if claim.id != ids.claim_id(event.id, claim.position):
            raise PlanCorruptError("a claim has another id than its event and position give it")
        if not 0 <= claim.position < len(plan.extraction.claims) or not claim.evidence:
            raise PlanCorruptError("a claim was not proposed by its extraction, or has no evidence")
        if not fold_text(claim.object):
            raise PlanCorruptError("the object of a claim is blank")
        if claim.effective_at.utcoffset() != _UTC:
            raise PlanCorruptError("a claim takes effect at a time that is not UTC")
        if any(event.content[part.start : part.end] != part.quote for part in claim.evidence):
            raise PlanCorruptError("the evidence of a claim is not what its message says there")
    if len({claim.position for claim in plan.claims}) != len(plan.claims):
        raise PlanCorruptError("two claims have one position")
    return plan


def read_event(data: bytes) -> tuple[Event, ExportedEvent]:
    """Return the event of a record without a plan. Raises `PlanError`."""
    document = read_object(data)
    record = _validated(ExportedEvent, document)
    event = record.event
    _check_event(event)
    if event_document(event) != document["event"]:
        raise PlanCorruptError("the event is not written as an event is: restore it from a backup")
    if (record.kind == "store") != (record.work is None):
        raise PlanCorruptError("a stored note waits for no extraction, and an ingested message without a plan does")
    if record.work is not None:
        get_policy(record.work.policy)
    return event, record


def read_decision(data: bytes) -> MadeDecision:
    """Return the decision of a record. Raises `PlanError`."""
    record = _validated(ExportedDecision, read_object(data))
    try:
        at = None if record.at is None else parse_utc_text(record.at)
        decision = ExplicitDecision(
            number=record.number,
            kind=record.kind,
            old=record.old,
            new=record.new,
            at=at,
            mark=parse_utc_text(record.mark),
        )
        written = (utc_text_or_none(decision.at), utc_text(decision.mark))
    except (ValueError, OverflowError):
        raise PlanCorruptError("the decision has a time that is none") from None
    if written != (record.at, record.mark) or record.number < 1 or record.old == record.new:
        raise PlanCorruptError("the decision is not written as a decision is")
    if (record.at is None) != (record.kind == "contradict"):
        raise PlanCorruptError("a contradiction closes nothing, and every other decision says when")
    if record.operation_id != ids.operation_id(record.kind, record.old, record.new):
        raise PlanCorruptError("the operation has another id than its two nodes give it")
    return MadeDecision(decision, record.operation_id, actor=record.actor, evidence_id=record.evidence_id)


def read_manifest(data: bytes) -> ExportManifest:
    """Return the manifest of a record. Raises `PlanError`."""
    document = read_object(data)
    try:
        return ExportManifest.model_validate(document)
    except ValidationError:
        raise PlanCorruptError(f"the manifest has not the fields of {MANIFEST_FORMAT}") from None


def _check_event(event: Event) -> None:
    if event.received_at.utcoffset() != _UTC or event.occurred_at.utcoffset() != _UTC:
        raise PlanCorruptError("the event has a time that is not UTC")
    if event.id != ids.event_id(event.user_id, event.scope, event.message_id, event.received_at):
        raise PlanCorruptError("the event has another id than what it is named by gives it")
    if event.content_digest != digest_text(event.content):
        raise PlanCorruptError("the event's content is not the one that its digest was taken of")


def _validated(model: type[V], document: dict[str, Any]) -> V:
    body = {key: value for key, value in document.items() if key != "checksum"}
    try:
        return model.model_validate_json(canonical_document(body), strict=True)
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, item["loc"])) for item in error.errors()})[:5])
        raise PlanCorruptError(f"the record has a valid checksum but not the fields of its format: {fields}") from None

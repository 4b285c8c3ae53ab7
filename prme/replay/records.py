"""Records: one canonical JSON document for each event, plan and decision by hand, none of which can change unnoticed.

A plan's record is its saved bytes. Every other record is canonical JSON too, with a checksum over what it says besides.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal, TypeVar

from pydantic import ValidationError

from prme import ids
from prme.canonical import canonical_document, digest_document, digest_text
from prme.clock import parse_utc_text, utc_text, utc_text_or_none
from prme.errors import PlanCorruptError, PlanError, UnsupportedPlanError
from prme.message import MAX_ID_CHARACTERS
from prme.model.decision import ExplicitDecision, MadeDecision
from prme.model.export import ExportedDecision, ExportedEvent, ExportedWork, ExportManifest
from prme.model.message import Event
from prme.model.plan import ExtractionPlan, PlanOptions
from prme.plan.codec import decode_plan, plan_checksum
from prme.plan.document import PLAN_FORMAT, event_document
from prme.policy.registry import get_policy
from prme.store.records import StoredEvent, WorkState

EVENT_FORMAT = "prme.event/1"
DECISION_FORMAT = "prme.decision/1"
MANIFEST_FORMAT = "prme.manifest/1"
RecordKind = Literal["plan", "event", "decision", "manifest"]
_KINDS: dict[str, RecordKind] = {
    PLAN_FORMAT: "plan",
    EVENT_FORMAT: "event",
    DECISION_FORMAT: "decision",
    MANIFEST_FORMAT: "manifest",
}
_UTC = timedelta(0)
V = TypeVar("V", ExportedEvent, ExportedDecision)
_LONGEST_FORMAT = 40
MOST_DECISIONS = 2**53 - 1
NOT_ITSELF = "the record does not match its checksum: it was changed after it was saved; restore it from a backup"


@dataclass(frozen=True, slots=True)
class RecordHead:
    """What tells records apart: the owner, and the id of the event or the number of the decision that it is about."""

    kind: RecordKind
    user_id: str
    name: str
    checksum: str


def encode_record(document: dict[str, Any]) -> tuple[bytes, str]:
    """Return the canonical bytes of a document with its checksum, and the checksum."""
    checksum = digest_document(document)
    return canonical_document({**document, "checksum": checksum}), checksum


def event_record(stored: StoredEvent, work: WorkState | None) -> tuple[bytes, str]:
    """Return the record of an event without a plan, and its checksum."""
    told = None
    if work is not None:
        told = {
            "options": PlanOptions(enable_speaker_references=work.speaker_references).model_dump(),
            "policy": work.policy,
            "reason_code": work.reason_code,
            "state": work.state,
        }
    return encode_record(
        {"event": event_document(stored.event), "format": EVENT_FORMAT, "kind": stored.kind, "work": told}
    )


def decision_record(user_id: str, made: MadeDecision) -> tuple[bytes, str]:
    """Return the record of a decision made by hand, and its checksum."""
    decision = made.decision
    return encode_record(
        {
            "actor": made.actor,
            "at": utc_text_or_none(decision.at),
            "evidence_id": made.evidence_id,
            "format": DECISION_FORMAT,
            "kind": decision.kind,
            "mark": utc_text(decision.mark),
            "new": decision.new,
            "number": decision.number,
            "old": decision.old,
            "operation_id": made.operation_id,
            "user_id": user_id,
        }
    )


def record_head(data: bytes) -> RecordHead:
    """Return what a record is, after proving its checksum on its own bytes; nothing else in it is checked.

    Raises `PlanCorruptError` when the bytes are not what was saved, and `UnsupportedPlanError` when they are, in a
    format that this release does not know (003-56).
    """
    document = _json_object(data)
    found = document.get("format")
    kind = _KINDS.get(found) if isinstance(found, str) else None
    if kind == "plan":
        checksum, event = plan_checksum(data), document.get("event")
    else:
        checksum, event = _document_checksum(data, document, known=kind is not None), document.get("event")
    if kind is None:
        raise _unknown_format(found)
    if kind == "manifest":
        return RecordHead(kind, "", "", checksum)
    if kind == "decision":
        return RecordHead(kind, _owner(document.get("user_id")), _number(document.get("number")), checksum)
    if not isinstance(event, dict):
        raise PlanCorruptError("the record has no event")
    return RecordHead(kind, _owner(event.get("user_id")), _event_id(event.get("id")), checksum)


def read_plan(data: bytes) -> ExtractionPlan:
    """Return the plan of a record whose ids are those that follow from what they name. Raises `PlanError`."""
    plan = decode_plan(data)
    event = plan.event
    _check_event(event)
    if plan.plan_id != ids.plan_id(event.id, plan.policy):
        raise PlanCorruptError("the plan has another id than its event and policy give it")
    for claim in plan.claims:
        if claim.id != ids.claim_id(event.id, claim.position):
            raise PlanCorruptError("a claim has another id than its event and position give it")
        if not 0 <= claim.position < len(plan.extraction.claims) or not claim.evidence:
            raise PlanCorruptError("a claim was not proposed by its extraction, or has no evidence")
        if claim.effective_at.utcoffset() != _UTC:
            raise PlanCorruptError("a claim takes effect at a time that is not UTC")
        if any(event.content[part.start : part.end] != part.quote for part in claim.evidence):
            raise PlanCorruptError("the evidence of a claim is not what its message says there")
    if len({claim.position for claim in plan.claims}) != len(plan.claims):
        raise PlanCorruptError("two claims have one position")
    return plan


def read_event(data: bytes) -> tuple[Event, ExportedEvent]:
    """Return the event of a record without a plan. Raises `PlanError`."""
    document = _json_object(data)
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
    record = _validated(ExportedDecision, _json_object(data))
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
    document = _json_object(data)
    try:
        return ExportManifest.model_validate(document)
    except ValidationError:
        raise PlanCorruptError(f"the manifest has not the fields of {MANIFEST_FORMAT}") from None


def exported_work(work: ExportedWork) -> WorkState:
    """Return the newest word on an extraction as the store keeps it."""
    return WorkState(work.state, work.reason_code, work.policy, work.options.enable_speaker_references)


def _check_event(event: Event) -> None:
    if event.received_at.utcoffset() != _UTC or event.occurred_at.utcoffset() != _UTC:
        raise PlanCorruptError("the event has a time that is not UTC")
    if event.id != ids.event_id(event.user_id, event.scope, event.message_id, event.received_at):
        raise PlanCorruptError("the event has another id than what it is named by gives it")
    if event.content_digest != digest_text(event.content):
        raise PlanCorruptError("the event's content is not the one that its digest was taken of")


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        raise PlanCorruptError("the record is not JSON: it is damaged, or no record of an export") from None
    if not isinstance(document, dict):
        raise PlanCorruptError("the record is no JSON object: it is no record of an export")
    return document


def _document_checksum(data: bytes, document: dict[str, Any], *, known: bool) -> str:
    """Return the checksum that a document claims, after proving it; an unknown format may have none."""
    claimed = document.get("checksum")
    if not isinstance(claimed, str):
        if known:
            raise PlanCorruptError("the record has no checksum: it is no record of an export")
        return ""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    try:
        unchanged = digest_document(rest) == claimed and canonical_document(document) == data
    except (ValueError, RecursionError):
        unchanged = False
    if not unchanged:
        raise PlanCorruptError(NOT_ITSELF)
    return claimed


def _unknown_format(found: object) -> PlanError:
    if not isinstance(found, str) or not found.startswith("prme."):
        return PlanCorruptError("the record names no format of prme: it is no record of an export")
    return UnsupportedPlanError(
        f"the record has format {found[:_LONGEST_FORMAT]!r}, this release reads {', '.join(sorted(_KINDS))}: "
        "upgrade prme to read it"
    )


def _owner(user_id: object) -> str:
    if isinstance(user_id, str) and user_id.strip() and len(user_id) <= MAX_ID_CHARACTERS and "\x00" not in user_id:
        with contextlib.suppress(UnicodeEncodeError):
            user_id.encode("utf-8")
            return user_id
    raise PlanCorruptError("the record names no owner")


def _event_id(found: object) -> str:
    if not isinstance(found, str) or ids.normalise_id(found) != found:
        raise PlanCorruptError("the record's event has no id")
    return found


def _number(found: object) -> str:
    if not isinstance(found, int) or not 1 <= found <= MOST_DECISIONS:
        raise PlanCorruptError("the decision has no number")
    return str(found)


def _validated(model: type[V], document: dict[str, Any]) -> V:
    body = {key: value for key, value in document.items() if key != "checksum"}
    try:
        return model.model_validate_json(canonical_document(body), strict=True)
    except ValidationError as error:
        fields = ", ".join(sorted({".".join(map(str, item["loc"])) for item in error.errors()})[:5])
        raise PlanCorruptError(f"the record has a valid checksum but not the fields of its format: {fields}") from None

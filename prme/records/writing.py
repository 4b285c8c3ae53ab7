"""Writing records: one canonical JSON document for each event, plan and decision made by hand.

A plan's record is its saved bytes. Every other record is canonical JSON too, with a checksum over what it says besides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from prme.canonical import canonical_document, digest_document
from prme.clock import utc_text, utc_text_or_none
from prme.model.decision import MadeDecision
from prme.model.plan import PlanOptions
from prme.plan.document import event_document

if TYPE_CHECKING:  # reading records needs no store
    from prme.store.records import StoredEvent, WorkState

EVENT_FORMAT = "prme.event/1"
DECISION_FORMAT = "prme.decision/1"
MANIFEST_FORMAT = "prme.manifest/1"


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

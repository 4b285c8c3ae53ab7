"""The plan as a JSON document: the same plan always has the same bytes."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from prme.clock import utc_text
from prme.model.extraction import Extraction
from prme.model.message import Event
from prme.model.plan import PlanBody, PlannedClaim

PLAN_FORMAT = "prme.plan/1"


def plan_document(plan: PlanBody) -> dict[str, Any]:
    """Return a plan as JSON values without floats: times as UTC text, confidence and metadata as text."""
    return {
        "claims": [claim_document(claim) for claim in plan.claims],
        "entities": [entity.model_dump() for entity in plan.entities],
        "event": event_document(plan.event),
        "extraction": extraction_document(plan.extraction),
        "extractor": plan.extractor.model_dump(),
        "format": plan.format,
        "options": plan.options.model_dump(),
        "plan_id": plan.plan_id,
        "policy": plan.policy,
        "rejected": [rejected.model_dump() for rejected in plan.rejected],
    }


def event_document(event: Event) -> dict[str, Any]:
    """Return an event as JSON values: times as UTC text, metadata as one canonical JSON string."""
    return {
        **event.model_dump(),
        "occurred_at": utc_text(event.occurred_at),
        "received_at": utc_text(event.received_at),
    }


def extraction_document(extraction: Extraction) -> dict[str, Any]:
    """Return an extraction as JSON values: confidence as a plain decimal string."""
    return {
        "claims": [
            {**claim.model_dump(), "confidence": _decimal_text(claim.confidence)} for claim in extraction.claims
        ],
        "entities": [entity.model_dump() for entity in extraction.entities],
    }


def claim_document(claim: PlannedClaim) -> dict[str, Any]:
    """Return an admitted claim as JSON values."""
    return {
        **claim.model_dump(),
        "effective_at": utc_text(claim.effective_at),
        "confidence": _decimal_text(claim.confidence),
    }


def _decimal_text(value: Decimal | None) -> str | None:
    return None if value is None else format(value, "f")

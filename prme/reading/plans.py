"""Reading plans and receipts: what a message led to, as it is saved."""

from __future__ import annotations

import json

from prme.errors import PlanCorruptError, PlanNotFoundError, StoreCorruptError
from prme.model.decision import RuleDecision
from prme.model.extraction import Extraction
from prme.model.plan import ExtractionPlan, ExtractorIdentity, PlanOptions
from prme.model.receipt import IngestReceipt
from prme.plan.codec import decode_plan
from prme.plan.prepare import prepare_plan
from prme.policy.registry import get_policy
from prme.reading.visible import visible_event
from prme.store.database import Reader
from prme.store.records import (
    StoredEvent,
    claim_decisions,
    event_claim_ids,
    find_extraction,
    journal_entries,
    plan_data,
    work_state,
)


def read_plan_data(reader: Reader, event_id: str, user_id: str | None) -> bytes:
    """Return the canonical bytes of an event's plan.

    A plan that is missing is prepared again from its saved extraction under its recorded policy (003-54). Raises
    `PlanNotFoundError` when there is neither, or the event is unknown or foreign.
    """
    stored = visible_event(reader, event_id, user_id)
    if stored is not None:
        data = plan_data(reader, stored.owner_key, stored.event.id)
        if data is None:
            data = _prepared_again(reader, stored)
        if data is not None:
            return data
    raise PlanNotFoundError("no published plan for this event: its extraction is pending or failed, or it is not yours")


def read_plan(reader: Reader, event_id: str, user_id: str | None) -> ExtractionPlan:
    """Return an event's plan. Raises `PlanNotFoundError`, `PlanCorruptError` or `UnsupportedPlanError`."""
    return decode_plan(read_plan_data(reader, event_id, user_id))


def read_receipt(reader: Reader, stored: StoredEvent) -> IngestReceipt:
    """Return the receipt of a stored message as it stands now, with status `duplicate`."""
    entries = journal_entries(reader, owner_key=stored.owner_key, event_id=stored.event.id)
    published = next((entry for entry in entries if entry.kind == "PLAN_PUBLISHED" and entry.body), None)
    if published is None:
        work = work_state(reader, stored.owner_key, stored.event.id)
        reason = None if work is None else work.reason_code
        return IngestReceipt(event_id=stored.event.id, status="duplicate", reason_code=reason)
    body = json.loads(published.body or "{}")
    claims = event_claim_ids(reader, stored.owner_key, stored.event.id)
    decisions = claim_decisions(reader, stored.owner_key, claims)
    if len(decisions) != len(claims):
        raise StoreCorruptError("a claim has lost its decision: run `prme verify` to see which")
    return IngestReceipt(
        event_id=stored.event.id,
        status="duplicate",
        plan_id=body["plan_id"],
        plan_checksum=body["plan_checksum"],
        claims=claims,
        retired=body["retired"],
        reopened=body["reopened"],
        revised=body["revised"],
        decisions=[RuleDecision.model_validate_json(decisions[claim_id]) for claim_id in claims],
    )


def _prepared_again(reader: Reader, stored: StoredEvent) -> bytes | None:
    saved = find_extraction(reader, stored.owner_key, stored.event.id)
    if saved is None:
        return None
    prepared = prepare_plan(
        stored.event,
        Extraction.model_validate_json(saved.body),
        extractor=ExtractorIdentity(
            name=saved.extractor_name, model=saved.extractor_model, prompt_digest=saved.prompt_digest
        ),
        policy=get_policy(saved.policy),
        options=PlanOptions(enable_speaker_references=saved.speaker_references),
    )
    entries = journal_entries(reader, owner_key=stored.owner_key, event_id=stored.event.id)
    published = next((entry for entry in entries if entry.kind == "PLAN_PUBLISHED" and entry.body), None)
    if published is not None and json.loads(published.body or "{}").get("plan_checksum") != prepared.plan.checksum:
        raise PlanCorruptError(
            "the plan is missing, and what is left of its event and extraction gives another one: restore the store "
            "from a backup"
        )
    return prepared.data

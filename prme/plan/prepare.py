"""Preparing a plan: grounding and resolution of one extraction under one policy, frozen into bytes."""

from __future__ import annotations

from dataclasses import dataclass

from prme import ids
from prme.grounding import ground
from prme.model.claim import Evidence, GroundedClaim
from prme.model.extraction import Extraction
from prme.model.message import Event
from prme.model.plan import ExtractionPlan, ExtractorIdentity, PlannedClaim, PlanOptions
from prme.plan.codec import encode_plan
from prme.plan.document import PLAN_FORMAT, plan_document
from prme.policy.policy import Policy
from prme.resolution import resolve_entities, resolve_subjects


@dataclass(frozen=True, slots=True)
class PreparedPlan:
    """A plan and the canonical bytes in which it is saved."""

    plan: ExtractionPlan
    data: bytes


def prepare_plan(
    event: Event, extraction: Extraction, *, extractor: ExtractorIdentity, policy: Policy, options: PlanOptions
) -> PreparedPlan:
    """Ground and resolve an extraction and freeze the outcome.

    Pure: no clock reading but the event's `received_at`, no randomness, latency or token count enters the plan, so the
    same event and extraction always give the same bytes.
    """
    grounding = ground(event.content, event.occurred_at, extraction, policy.words)
    subject_ids = resolve_subjects(
        event,
        grounding.admitted,
        extraction,
        policy=policy,
        enable_speaker_references=options.enable_speaker_references,
    )
    unsealed = ExtractionPlan(
        format=PLAN_FORMAT,
        policy=policy.name,
        plan_id=ids.plan_id(event.id, policy.name),
        event=event,
        extractor=extractor,
        extraction=extraction,
        entities=resolve_entities(event, extraction),
        claims=tuple(
            [
                _planned_claim(event, claim, subject_id)
                for claim, subject_id in zip(grounding.admitted, subject_ids, strict=True)
            ]
        ),
        rejected=grounding.rejected,
        options=options,
        checksum="",
    )
    data, checksum = encode_plan(plan_document(unsealed))
    return PreparedPlan(unsealed.model_copy(update={"checksum": checksum}), data)


def _planned_claim(event: Event, claim: GroundedClaim, subject_id: str | None) -> PlannedClaim:
    evidence = tuple(
        Evidence(event_id=event.id, start=span.start, end=span.end, quote=event.content[span.start : span.end])
        for span in claim.spans
    )
    said = claim._asdict()
    del said["spans"]
    return PlannedClaim(**said, id=ids.claim_id(event.id, claim.position), subject_id=subject_id, evidence=evidence)

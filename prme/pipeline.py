"""The pipeline: what happens to one message, stage by stage, inside the writer.

message -> extraction -> grounding -> resolution -> plan -> correction -> publication -> journal. Extraction has
happened before (a local extractor) or happens between two jobs (any other); everything after it is one transaction.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from prme.correction.correct import correct
from prme.correction.subject import SubjectState
from prme.errors import PlanNotFoundError
from prme.idempotency import named_event, refuse_other_message
from prme.model.extraction import Extraction
from prme.model.message import Event, EventKind, Message
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.model.receipt import IngestReceipt
from prme.plan.prepare import PreparedPlan, prepare_plan
from prme.plan.rule_claims import rule_claims
from prme.policy.policy import Policy
from prme.publication.publish import (
    new_event,
    next_received_at,
    note_work,
    plan_receipt,
    publish_plan,
    store_note,
)
from prme.resolution import is_local
from prme.store.records import StoredEvent
from prme.writer import WriteSession

logger = logging.getLogger("prme")


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """What decides plans besides messages and extractions."""

    policy: Policy
    options: PlanOptions
    extractor: ExtractorIdentity


@dataclass(frozen=True, slots=True)
class FailedExtraction:
    """An extraction that gave nothing usable, with a reason code that is safe to store."""

    reason_code: str


Answer = Extraction | FailedExtraction


@dataclass(frozen=True, slots=True)
class KnownMessage:
    """The answer of a job whose message is stored already: its receipt is read once the batch is committed."""

    event_id: str


def store_message(session: WriteSession, message: Message) -> str:
    """Store a message as a NOTE without extraction, and return its event id."""
    known = _known_event(session, message, "store")
    return known if known is not None else _receive(session, message, "store").id


def ingest_pending(session: WriteSession, message: Message, settings: PipelineSettings) -> IngestReceipt | KnownMessage:
    """Store a message whose extraction is still to come."""
    known = _known_event(session, message, "ingest")
    if known is not None:
        return KnownMessage(known)
    event = _receive(session, message, "ingest")
    _note_work(session, event, "EXTRACTION_PENDING", settings, now=event.received_at)
    return IngestReceipt(event_id=event.id, status="pending")


def ingest_answered(
    session: WriteSession, message: Message, answer: Answer, settings: PipelineSettings
) -> IngestReceipt | KnownMessage:
    """Store a message together with what its extraction led to, in one transaction."""
    known = _known_event(session, message, "ingest")
    if known is not None:
        return KnownMessage(known)
    event = _receive(session, message, "ingest")
    return _finish(session, event, answer, settings, now=event.received_at)


def finish_pending(
    session: WriteSession, event_id: str, answer: Answer, settings: PipelineSettings
) -> IngestReceipt | KnownMessage:
    """Publish, or give up for now, an event that was stored before its extraction."""
    stored = session.find_event(event_id)
    if stored is None:
        raise PlanNotFoundError("the event is not in this store")
    if session.has_plan(event_id):
        return KnownMessage(event_id)
    return _finish(session, stored.event, answer, settings, now=max(session.now(), stored.event.received_at))


def _known_event(session: WriteSession, message: Message, kind: EventKind) -> str | None:
    """Return the id of the event that the message's `message_id` names, or None for a new message."""
    event_id = named_event(message)
    stored = None if event_id is None else session.find_event(event_id)
    if stored is None:
        return None
    refuse_other_message(stored, message, kind)
    return event_id


def _receive(session: WriteSession, message: Message, kind: EventKind) -> Event:
    event = new_event(message, next_received_at(session.owner, session.now()))
    session.record(store_note(session.owner, event, kind=kind, key=session.new_key()))
    session.record_event(StoredEvent(session.owner.owner_key, kind, event))
    return event


def _finish(
    session: WriteSession, event: Event, answer: Answer, settings: PipelineSettings, *, now: datetime
) -> IngestReceipt:
    if isinstance(answer, FailedExtraction):
        return _fail(session, event, settings, answer.reason_code, now)
    before = session.owner
    try:
        return _publish(session, event, answer, settings, now)
    except Exception as error:
        # The message is kept whatever our own code makes of it; nothing of the failed attempt was recorded.
        logger.error("event %s could not be published: %s", event.id, type(error).__name__, exc_info=False)
        session.owner = before
        return _fail(session, event, settings, "preparation_failed", now)


def _publish(
    session: WriteSession, event: Event, extraction: Extraction, settings: PipelineSettings, now: datetime
) -> IngestReceipt:
    prepared = prepare_plan(
        event, extraction, extractor=settings.extractor, policy=settings.policy, options=settings.options
    )
    claims = rule_claims(prepared.plan)
    subjects = known_subjects(session, prepared)
    correction = correct(subjects, claims)
    publication = publish_plan(
        session.owner, prepared, claims, correction, lasting=subjects, key=session.new_key(), now=now
    )
    session.hold_policy(settings.policy, publication.rows)
    session.record(publication)
    return plan_receipt(prepared.plan, correction)


def known_subjects(session: WriteSession, prepared: PreparedPlan) -> dict[str, SubjectState]:
    """Return the folded states of the subjects of a plan that other messages may know, by their ids."""
    event, claims = prepared.plan.event, prepared.plan.claims
    # Most messages say several things of one subject.
    once = {(claim.subject_id, claim.subject): claim for claim in claims}.values()
    lasting = {claim.subject_id for claim in once if claim.subject_id is not None and not is_local(event, claim)}
    return {subject_id: session.shared_subject(subject_id) for subject_id in sorted(lasting)}


def _fail(
    session: WriteSession, event: Event, settings: PipelineSettings, reason_code: str, now: datetime
) -> IngestReceipt:
    _note_work(session, event, "EXTRACTION_FAILED", settings, now=now, reason_code=reason_code)
    return IngestReceipt(event_id=event.id, status="failed", reason_code=reason_code)


def _note_work(
    session: WriteSession,
    event: Event,
    kind: Literal["EXTRACTION_PENDING", "EXTRACTION_FAILED"],
    settings: PipelineSettings,
    *,
    now: datetime,
    reason_code: str | None = None,
) -> None:
    publication = note_work(
        session.owner,
        event,
        kind,
        policy=settings.policy.name,
        options=settings.options,
        reason_code=reason_code,
        key=session.new_key(),
        now=now,
    )
    session.hold_policy(settings.policy, publication.rows)
    session.record(publication)

"""Plain English for the codes of the command line's pages: statuses, failures, journal entries and differences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prme.journal.chain import JournalKind
from prme.model.extraction import EpistemicType
from prme.model.node import Status

STATUSES: Mapping[Status, str] = {
    "current": "current",
    "confirming": "repeats an earlier claim, which it confirms",
    "superseded": "retired, with a successor",
    "contested": "contested: an unresolved contradiction names it",
    "deprecated": "closed, without a successor",
}
EPISTEMIC_TYPES: Mapping[EpistemicType, str] = {
    "observed": "observed",
    "asserted": "asserted",
    "inferred": "inferred, not said",
    "hypothetical": "only a guess or a plan",
    "conditional": "only under a condition",
    "unverified": "heard from others",
}

FAILURES: Mapping[str, str] = {
    "extractor_unavailable": "the extractor could not be reached",
    "extractor_timeout": "the extractor took too long",
    "invalid_extraction": "the extractor's answers could not be read",
    "extractor_error": "the extractor failed",
    "recorded_miss": "the file of recorded extractions has no answer for this message",
    "preparation_failed": "the extraction could not be turned into a plan",
    "not_published": "the store failed before the extraction was stored",
    "rate_limited": "the model's service had too many requests",
    "not_authorised": "the model's service did not accept the key",
    "unknown_model": "the model's service does not know the model, or the address is wrong",
    "request_refused": "the model's service did not accept the request",
    "message_too_long": "the message is too long for the model",
    "answer_truncated": "the model's answers were too long and were cut off",
    "model_refused": "the model refused to answer",
    "content_filtered": "the model's service filtered the answer out",
    "no_prompt_for_policy": "the extractor has no prompt for the policy",
    "token_limit_reached": "the limit of tokens was reached before its turn",
}
"""Why the extraction of a message failed."""

JOURNAL_KINDS: Mapping[JournalKind, str] = {
    "NOTE_STORED": "the message was stored",
    "EXTRACTION_PENDING": "its extraction was queued",
    "EXTRACTION_FAILED": "its extraction failed",
    "PLAN_PUBLISHED": "a plan was published",
    "SUPERSEDENCE_APPLIED": "a replacement was decided by hand",
    "CONTRADICTION_NOTED": "a contradiction was noted",
    "CONTRADICTION_RESOLVED": "a contradiction was resolved",
}

DIFFERENCES: Mapping[str, str] = {
    "state": "the records of an owner cannot be read",
    "content_digest": "a message is not what was stored",
    "event_id": "a message has another id than its own",
    "event": "a message differs from the one in its plan",
    "plan": "a plan is missing or cannot be read",
    "plan_checksum": "a plan is not the one that was published",
    "plans": "a plan is not stored as it was published",
    "extractions": "a saved extraction differs from its plan",
    "claims": "a claim differs from its plan",
    "evidence": "evidence differs from its plan",
    "entities": "an entity differs from its plan",
    "interval": "an interval, status or successor is not what the rules give",
    "decision": "a decision is not what the rules give",
    "explicit_decision": "a decision made by hand is not the one that the journal recorded",
    "interval_version": "an interval is not the one that the journal recorded",
    "work": "the state of an extraction is not the one that the journal recorded",
    "note": "a message is not the one that the journal recorded",
    "owner": "an owner is listed without records, or has records without being listed",
    "policy": "the store does not remember a policy that its plans use",
    "journal_event": "a journal entry names another message than its body",
    "journal_seq": "a journal entry is missing",
    "journal_previous": "a journal entry does not follow the one before it",
    "journal_digest": "a journal entry was changed",
    "journal_body": "the body of a journal entry was changed",
    "commit_no": "a commit is missing",
    "commit_digest": "a commit was changed",
}


def in_words(table: Mapping[Any, str], code: str) -> str:
    """Return what a code means; a code that the table lacks prints as it is."""
    return table.get(code, code)

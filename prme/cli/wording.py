"""Plain English for every code that a person may meet: reasons, tests, grounding, failures and journal entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prme.journal.chain import JournalKind
from prme.model.decision import Match, Reason, Test, Via
from prme.model.extraction import EpistemicType
from prme.model.node import Status

REASONS: Mapping[Reason, str] = {
    "not_an_update": "it states something and does not say that something changed",
    "conditional": "it holds only under a condition, and a conditional statement retires nothing",
    "not_asserted": "it is not stated as a fact, and only a plain statement may retire another",
    "polarity_unknown": "it does not say whether it affirms or denies, so it has no authority",
    "no_target": "it names no former value that it would replace",
    "unresolved_subject": "whom it is about cannot be told, so it corrects nobody",
    "no_match": "no open claim of the same subject matches what it corrects",
    "ambiguous": "it fits claims about different things; words that fit one of them alone would have retired it",
    "decided": "what it could retire was settled by an explicit decision",
    "contested": "what it could retire is part of an unresolved contradiction",
}
"""Why a claim retired nothing; each completes "It retired nothing: ..."."""

TESTS: Mapping[Test, str] = {
    "predicate": "it says {predicate}, the correction {correction_predicate}; the same predicate would have retired it",
    "object": 'its object does not match what the correction names; naming "{object}" would have retired it',
    "source_type": "it comes from another source ({source}); a correction from that source would have retired it",
    "kind": "it is a {kind} and the correction a {correction_kind}; a correction of its kind would have retired it",
    "state": "it was closed already, or is no plain positive statement; open and plain it would have been retired",
    "time": "it took effect later ({since}); a correction that takes effect after it would have retired it",
}
"""What kept a near miss, and what would have retired it; the names in braces come from the two claims."""

MATCHES: Mapping[Match, str] = {
    "exact": "both name the same object",
    "short": "the correction names it by some of its words",
}
VIAS: Mapping[Via, str] = {
    "same": "with the same predicate",
    "class": "with predicates that mean the same",
    "transition": "and a switch replaces what was used before",
}
"""How a target and its predicate matched; a way follows its match after a comma."""

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

REJECTIONS: Mapping[str, str] = {
    "question": "the sentence asks, it does not state",
    "conditional": "the sentence depends on a condition that the claim leaves out",
    "report": "the sentence relays what somebody else says, thinks or heard",
    "quotation": "the words stand inside a quotation",
    "quote_not_found": "the quoted evidence does not stand in the message",
    "quote_blank": "the quoted evidence is blank",
    "subject_not_mentioned": "the message does not mention the subject there",
    "object_not_mentioned": "the message does not mention the object there",
    "subject_blank": "it has no subject",
    "predicate_blank": "it has no predicate",
    "object_blank": "it has no object",
}
"""Why a proposed claim was not admitted."""

CHANGES: Mapping[str, str] = {
    "modal": "kept as hypothetical: the sentence says what may, might or could be",
    "intention": "kept as hypothetical: the sentence speaks of a plan, a wish or an attempt",
    "predicate_normalised": "its predicate was written in snake_case",
    "replaces_object_unsupported": "the former value was dropped: the message does not mention it",
    "condition_unsupported": "its condition does not stand in the message; it was kept and marked",
    "conditional_without_support": "kept as hypothetical: its condition does not stand in the message",
    "temporal_ref_too_long": "its time reference is too long to be one; the time of the message counts",
    "temporal_ref_unsupported": "its time reference does not stand in the message; the time of the message counts",
    "temporal_ref_unparsed": "its time reference could not be read; the time of the message counts",
    "temporal_ref_future": "kept as hypothetical: it speaks of a time after the message",
}
"""What grounding altered in an admitted claim."""

FAILURES: Mapping[str, str] = {
    "extractor_unavailable": "the extractor could not be reached",
    "extractor_timeout": "the extractor took too long",
    "invalid_extraction": "the extractor's answers could not be read",
    "extractor_error": "the extractor failed",
    "recorded_miss": "the file of recorded extractions has no answer for this message",
    "preparation_failed": "the extraction could not be turned into a plan",
    "not_published": "the store failed before the extraction was stored",
}
"""Why the extraction of a message failed."""

JOURNAL_KINDS: Mapping[JournalKind, str] = {
    "NOTE_STORED": "the message was stored",
    "EXTRACTION_PENDING": "its extraction was queued",
    "EXTRACTION_FAILED": "its extraction failed",
    "PLAN_PUBLISHED": "a plan was published",
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

"""The speech-act gate: from proposed claims to admitted and rejected ones."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache
from itertools import pairwise

from prme.grounding.dates import LONGEST_TEMPORAL_REF, resolve_temporal_ref
from prme.grounding.folded_text import Extent
from prme.grounding.guesses import doubts
from prme.grounding.mentions import FIRST_PERSON
from prme.grounding.passage import OwnSentences, Passage, Source, find_own_sentences, find_passage, prepare
from prme.grounding.placement import Reading, mentions_within, place
from prme.grounding.speech_act import rejection
from prme.model.claim import GroundedClaim, Grounding, RejectedClaim, Span
from prme.model.extraction import EpistemicType, ExtractedClaim, Extraction
from prme.policy.speech_act_words import SpeechActWords
from prme.text_folding import fold_predicate, fold_text

_GATED: frozenset[EpistemicType] = frozenset({"observed", "asserted"})


def ground(content: str, occurred_at: datetime, extraction: Extraction, words: SpeechActWords) -> Grounding:
    """Return which of the proposed claims the content states, and why the others are not admitted.

    `content` is the stored message text and `occurred_at`, aware, the time it was said. Membership, not entailment:
    that subject and object stand in the passage and that the claim's own sentences are an assertion; not that they
    mean the predicate. Positions are 0-based places in `extraction.claims`; the two tuples together hold each once.
    """
    if not extraction.claims:
        return Grounding(admitted=(), rejected=())  # most messages of a chat: nothing in them need be looked at
    source = prepare(content, words)
    outcomes = [_ground_claim(source, occurred_at, position, claim) for position, claim in enumerate(extraction.claims)]
    return Grounding(
        admitted=tuple(outcome for outcome in outcomes if isinstance(outcome, GroundedClaim)),
        rejected=tuple(outcome for outcome in outcomes if isinstance(outcome, RejectedClaim)),
    )


def _ground_claim(
    source: Source, occurred_at: datetime, position: int, claim: ExtractedClaim
) -> GroundedClaim | RejectedClaim:
    blank = _blank_part(claim)
    if blank is not None:
        return RejectedClaim(position=position, reason=blank)
    passage = find_passage(source, claim.evidence_quote)
    if isinstance(passage, str):
        return RejectedClaim(position=position, reason=passage)
    objects = source.mentions(claim.object, passage.extent)
    named = source.mentions(claim.subject, passage.extent)
    subjects = _apart_from(objects, named) if objects else named
    if not subjects:
        return RejectedClaim(position=position, reason="subject_not_mentioned")
    if not objects:
        return RejectedClaim(position=position, reason="object_not_mentioned")
    own = find_own_sentences(source, passage, subjects, objects)
    time = _effective_time(source, passage, claim.temporal_ref, occurred_at)
    codes: tuple[str, ...] = ()
    if claim.epistemic_type in _GATED:
        reading = _read(source, claim, own, subjects, objects, is_dated_ahead=time[1] == "temporal_ref_future")
        reason = None if reading is None else rejection(reading)
        if reason is not None:
            return RejectedClaim(position=position, reason=reason)
        codes = () if reading is None else doubts(reading)
    return _admit(source, position, claim, passage, own, time, codes)


def _blank_part(claim: ExtractedClaim) -> str | None:
    if not fold_text(claim.subject):
        return "subject_blank"
    if not fold_predicate(claim.predicate):
        return "predicate_blank"
    return None if fold_text(claim.object) else "object_blank"


def _apart_from(objects: Sequence[Extent], subjects: Sequence[Extent]) -> tuple[Extent, ...]:
    """Return the subjects that are no part of an object: the "I" of "I, Robot" names nobody."""
    apart: list[Extent] = []
    at = 0
    for first, last in subjects:
        while at < len(objects) and objects[at][1] < last:
            at += 1
        if at == len(objects) or first < objects[at][0]:
            apart.append((first, last))
    return tuple(apart)


def _read(
    source: Source,
    claim: ExtractedClaim,
    own: OwnSentences,
    subjects: Sequence[Extent],
    objects: Sequence[Extent],
    *,
    is_dated_ahead: bool,
) -> Reading | None:
    """Return a claim as it stands in its own sentences; None where these are plain statements, as most are."""
    units = [unit for unit in map(source.unit, own.units) if unit is not None]
    extent = (own.units[0][0], own.units[-1][1])
    quotations, struck = source.quotations_around(extent), source.struck_around(extent)
    if not (units or quotations or struck):
        return None
    return Reading(
        placements=tuple(place(unit, subjects, objects) for unit in units),
        subjects=mentions_within(subjects, extent),
        objects=mentions_within(objects, extent),
        quotations=quotations,
        struck=struck,
        is_first_person=fold_text(claim.subject) in FIRST_PERSON,
        has_condition=claim.condition is not None and bool(fold_text(claim.condition)),
        predicate_words=_words_and_pairs(fold_predicate(claim.predicate)),
        is_dated_ahead=is_dated_ahead,
        words=source.words,
    )


@lru_cache(maxsize=4096)
def _words_and_pairs(predicate: str) -> frozenset[str]:
    """Return the words of a predicate and its neighbours in pairs: "has_to" in "has_to_use"."""
    words = predicate.split("_")
    return frozenset((*words, *map("_".join, pairwise(words))))


def _admit(
    source: Source,
    position: int,
    claim: ExtractedClaim,
    passage: Passage,
    own: OwnSentences,
    time: tuple[datetime, str | None],
    codes: tuple[str, ...],
) -> GroundedClaim:
    changes = list(codes)
    epistemic_type: EpistemicType = "hypothetical" if codes else claim.epistemic_type
    predicate = fold_predicate(claim.predicate)
    if predicate != claim.predicate.strip():
        changes.append("predicate_normalised")
    replaces_object = claim.replaces_object
    if replaces_object is not None and not source.mentions(replaces_object, passage.extent):
        replaces_object = None
        changes.append("replaces_object_unsupported")
    condition_supported = _is_supported(source, passage, claim.condition)
    if condition_supported is False:
        changes.append("condition_unsupported")
        if epistemic_type == "conditional":
            epistemic_type = "hypothetical"
            changes.append("conditional_without_support")
    effective_at, time_code = time
    if time_code is not None:
        changes.append(time_code)
        if time_code == "temporal_ref_future":
            epistemic_type = "hypothetical"
    start, end = source.sentences[own.first][0], source.sentences[own.last - 1][1]
    return GroundedClaim(
        position=position,
        subject=claim.subject,
        predicate=predicate,
        object=claim.object,
        kind=claim.kind,
        polarity=claim.polarity,
        epistemic_type=epistemic_type,
        condition=claim.condition,
        condition_supported=condition_supported,
        temporal_intent=claim.temporal_intent,
        replaces_object=replaces_object,
        temporal_ref=claim.temporal_ref,
        effective_at=effective_at,
        confidence=claim.confidence,
        subject_entity_type=claim.subject_entity_type,
        object_entity_type=claim.object_entity_type,
        spans=(Span(start=start, end=end),),
        content=source.content[start:end],
        changes=tuple(changes),
    )


def _is_supported(source: Source, passage: Passage, condition: str | None) -> bool | None:
    if condition is None:
        return None
    folded = fold_text(condition)
    return bool(folded) and source.folded.text.find(folded, *passage.extent) != -1


def _effective_time(
    source: Source, passage: Passage, temporal_ref: str | None, occurred_at: datetime
) -> tuple[datetime, str | None]:
    """Return the effective time in UTC and the code of why the words did not decide it, if so."""
    said_at = occurred_at.astimezone(UTC)
    if temporal_ref is None:
        return said_at, None
    if len(temporal_ref) > LONGEST_TEMPORAL_REF:
        return said_at, "temporal_ref_too_long"
    if not source.mentions(temporal_ref, passage.extent):
        return said_at, "temporal_ref_unsupported"
    moment = resolve_temporal_ref(temporal_ref, said_at)
    if moment is None:
        return said_at, "temporal_ref_unparsed"
    return (said_at, "temporal_ref_future") if moment > said_at else (moment, None)

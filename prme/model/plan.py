"""The extraction plan: the frozen, checksummed outcome of extraction and grounding for one event (SPEC 7)."""

from __future__ import annotations

from decimal import Decimal

from prme.model.claim import Evidence, RejectedClaim
from prme.model.extraction import EpistemicType, Extraction, Kind, Polarity, TemporalIntent
from prme.model.message import Event
from prme.model.value import Moment, Value


class ExtractorIdentity(Value):
    """Which extractor answered: its name, its model and the digest of its prompt, if it has one."""

    name: str
    model: str
    prompt_digest: str | None = None


class PlanOptions(Value):
    """Settings that decided the plan besides its policy."""

    enable_speaker_references: bool


class PlannedClaim(Value):
    """An admitted claim with its identity: everything that correction and publication need to know of it.

    It says what the `GroundedClaim` says. `subject_id` is None when the subject stayed unresolved.
    """

    position: int
    subject: str
    predicate: str
    object: str
    kind: Kind
    polarity: Polarity
    epistemic_type: EpistemicType
    condition: str | None
    condition_supported: bool | None
    temporal_intent: TemporalIntent | None
    replaces_object: str | None
    temporal_ref: str | None
    effective_at: Moment
    confidence: Decimal | None
    subject_entity_type: str | None
    object_entity_type: str | None
    content: str
    changes: tuple[str, ...] = ()
    id: str
    subject_id: str | None
    evidence: tuple[Evidence, ...]


class PlannedEntity(Value):
    """A named entity with its derived identity."""

    id: str
    name: str
    entity_type: str


class ExtractionPlan(Value):
    """A plan as it is published; `checksum` covers its canonical form without the checksum."""

    format: str
    policy: str
    plan_id: str
    event: Event
    extractor: ExtractorIdentity
    extraction: Extraction
    entities: tuple[PlannedEntity, ...]
    claims: tuple[PlannedClaim, ...]
    rejected: tuple[RejectedClaim, ...]
    options: PlanOptions
    checksum: str

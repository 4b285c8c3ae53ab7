"""The extraction plan: the frozen, checksummed outcome of extraction and grounding for one event (SPEC 7)."""

from __future__ import annotations

from prme.model.claim import ClaimFields, Evidence, RejectedClaim
from prme.model.extraction import Extraction
from prme.model.message import Event
from prme.model.value import Value


class ExtractorIdentity(Value):
    """Which extractor answered: its name, its model and the digest of its prompt, if it has one."""

    name: str
    model: str
    prompt_digest: str | None = None


class PlanOptions(Value):
    """Settings that decided the plan besides its policy."""

    enable_speaker_references: bool


class PlannedClaim(ClaimFields):
    """An admitted claim with its identity: everything that correction and publication need to know of it.

    `subject_id` is None when the subject stayed unresolved.
    """

    id: str
    subject_id: str | None
    evidence: tuple[Evidence, ...]


class PlannedEntity(Value):
    """A named entity with its derived identity."""

    id: str
    name: str
    entity_type: str


class PlanBody(Value):
    """Everything that a plan says, which is everything but its checksum."""

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


class ExtractionPlan(PlanBody):
    """A plan as it is published; `checksum` covers its canonical form without the checksum."""

    checksum: str

"""The extraction plan: the frozen, checksummed outcome of extraction and grounding for one event (SPEC 7)."""

from __future__ import annotations

from prme.model.claim import Claim, ClaimFields, Evidence, RejectedClaim, folded_texts
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

    def rule_claims(self) -> tuple[Claim, ...]:
        """Return the claims as the correction rules see them, by position."""
        return tuple(_rule_claim(self, claim) for claim in self.claims)


class ExtractionPlan(PlanBody):
    """A plan as it is published; `checksum` covers its canonical form without the checksum."""

    checksum: str


def _rule_claim(plan: PlanBody, claim: PlannedClaim) -> Claim:
    object_key, replaces_key = folded_texts(claim.object, claim.replaces_object)
    return Claim(
        id=claim.id,
        event_id=plan.event.id,
        position=claim.position,
        policy=plan.policy,
        scope=plan.event.scope,
        source_type=plan.event.source_type,
        kind=claim.kind,
        subject_id=claim.subject_id,
        predicate=claim.predicate,
        object_key=object_key,
        polarity=claim.polarity,
        epistemic_type=claim.epistemic_type,
        condition=claim.condition,
        temporal_intent=claim.temporal_intent,
        replaces_key=replaces_key,
        effective_at=claim.effective_at,
        received_at=plan.event.received_at,
    )

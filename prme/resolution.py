"""Resolution: whom each claim is about (SPEC 6). A pronoun is somebody only as far as the caller declared it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prme import ids
from prme.grounding.mentions import FIRST_PERSON
from prme.model.claim import GroundedClaim
from prme.model.extraction import ExtractedEntity, Extraction
from prme.model.message import Event
from prme.model.plan import PlannedClaim, PlannedEntity
from prme.policy.policy import Policy
from prme.text_folding import fold_text

OTHER_PRONOUNS = frozenset(
    {
        "we", "us", "our", "ours", "ourselves", "you", "your", "yours", "yourself", "yourselves",
        "he", "him", "his", "himself", "she", "her", "hers", "herself", "it", "its", "itself",
        "they", "them", "their", "theirs", "themselves", "themself", "one", "oneself",
        "this", "that", "these", "those", "who", "whom", "whose", "somebody", "someone", "anybody", "anyone",
        "everybody", "everyone", "nobody", "no one", "something", "anything", "everything", "nothing",
    }
)  # fmt: skip
_PRONOUNS = FIRST_PERSON | OTHER_PRONOUNS
PERSON = "person"

EntityTypes = Mapping[str, frozenset[str]]


def fold_entity_type(entity_type: str) -> str:
    """Return an entity type as it is compared: trimmed and case-folded."""
    return fold_text(entity_type)


def resolve_entities(event: Event, extraction: Extraction) -> tuple[PlannedEntity, ...]:
    """Return the named entities of an extraction with their identities, each once, in order of first mention."""
    found: dict[str, PlannedEntity] = {}
    for entity in extraction.entities:
        entity_type = fold_entity_type(entity.entity_type)
        if not entity_type or not fold_text(entity.name) or _is_pronoun(entity, entity_type):
            continue
        identity = ids.entity_id(event.user_id, event.scope, entity_type, entity.name)
        found.setdefault(identity, PlannedEntity(id=identity, name=entity.name, entity_type=entity_type))
    return tuple(found.values())


def resolve_subjects(
    event: Event,
    claims: Sequence[GroundedClaim],
    extraction: Extraction,
    *,
    policy: Policy,
    enable_speaker_references: bool,
) -> tuple[str | None, ...]:
    """Return the identity of each claim's subject, None where it stays unresolved.

    First-person forms are the declared owner (003-40, 003-45), else the named speaker, else somebody known in this
    event only; all other pronouns are local to the event. A name needs a listed entity, and a listed type when the
    name has several.
    """
    listed = _listed_types(extraction)
    # Most messages say several things of one subject.
    resolved = {
        named: _resolve_subject(event, *named, listed, policy, enable_speaker_references)
        for named in {(claim.subject, claim.subject_entity_type) for claim in claims}
    }
    return tuple(resolved[claim.subject, claim.subject_entity_type] for claim in claims)


def is_local(event: Event, claim: PlannedClaim) -> bool:
    """Whether a claim's subject means somebody in this event only, so that no other event can know it."""
    if claim.subject_id is None:
        return True
    name = fold_text(claim.subject)
    return claim.subject_id == ids.local_identity(event.id, "i" if name in FIRST_PERSON else name)


def _resolve_subject(
    event: Event,
    subject: str,
    entity_type: str | None,
    entity_types: EntityTypes,
    policy: Policy,
    enable_speaker_references: bool,
) -> str | None:
    name = fold_text(subject)
    listed = entity_types.get(name, frozenset())
    wanted = None if entity_type is None else fold_entity_type(entity_type)
    if name in _PRONOUNS and _means_a_person(listed, wanted):
        return _resolve_pronoun(event, name, policy, enable_speaker_references)
    if wanted is not None:
        chosen = wanted if wanted in listed else None
    else:
        chosen = next(iter(listed)) if len(listed) == 1 else None
    return None if chosen is None else ids.entity_id(event.user_id, event.scope, chosen, subject)


def _resolve_pronoun(event: Event, name: str, policy: Policy, enable_speaker_references: bool) -> str:
    if name not in FIRST_PERSON:
        return ids.local_identity(event.id, name)
    if event.first_person_owner and policy.binds_owner:
        return ids.owner_identity(event.user_id, event.scope)
    if event.speaker is not None and enable_speaker_references:
        return ids.entity_id(event.user_id, event.scope, PERSON, event.speaker)
    return ids.local_identity(event.id, "i")


def _means_a_person(listed: frozenset[str], wanted: str | None) -> bool:
    """Whether a word that looks like a pronoun is one: not when the extractor lists or types it as something else."""
    if wanted is not None:
        return wanted == PERSON
    return not listed or PERSON in listed


def _is_pronoun(entity: ExtractedEntity, entity_type: str) -> bool:
    return entity_type == PERSON and fold_text(entity.name) in _PRONOUNS


def _listed_types(extraction: Extraction) -> EntityTypes:
    listed: dict[str, set[str]] = {}
    for entity in extraction.entities:
        entity_type = fold_entity_type(entity.entity_type)
        if entity_type:  # without a type an entity has no identity that a claim could be about
            listed.setdefault(fold_text(entity.name), set()).add(entity_type)
    return {name: frozenset(types) for name, types in listed.items()}

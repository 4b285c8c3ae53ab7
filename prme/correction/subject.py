"""All claims of one subject, kept as the folded states of its families."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from immutables import Map

from prme.correction.fold import EMPTY_FAMILY, Entry, FamilyState, admit, decide_family, fold_family, fold_key
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from prme.policy.registry import predicate_family

FamilyKey = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class SubjectState:
    """The families of one subject of one owner and scope, by source type, kind and predicate family."""

    families: Map[FamilyKey, FamilyState]


EMPTY_SUBJECT = SubjectState(families=Map())


def family_key(claim: Claim) -> FamilyKey:
    """Return the family that a claim belongs to within its subject."""
    return (str(claim.source_type), claim.kind, _family_name(claim.predicate))


@lru_cache(maxsize=4096)
def _family_name(predicate: str) -> str:
    return min(predicate_family(predicate))


def fold_subject(claims: Iterable[Claim], decisions: Sequence[ExplicitDecision] = ()) -> SubjectState:
    """Fold all claims of one subject, family by family. Pure; the order of `claims` does not matter."""
    families = _by_family(claims)
    return SubjectState(Map({key: fold_family(members, decisions) for key, members in families.items()}))


def admit_claims(
    subject: SubjectState, claims: Iterable[Claim]
) -> tuple[SubjectState, Mapping[FamilyKey, frozenset[str]]]:
    """Return the subject with further claims, and the ids that may have changed, by family."""
    families, touched = subject.families, {}
    for key, members in _by_family(claims).items():
        admission = admit(families.get(key, EMPTY_FAMILY), *members)
        families = families.set(key, admission.state)
        touched[key] = admission.touched
    return SubjectState(families), touched


def decide_subject(
    subject: SubjectState, decision: ExplicitDecision
) -> tuple[SubjectState, Mapping[FamilyKey, frozenset[str]]]:
    """Return the subject under one more explicit decision, and the ids that may have changed, by family."""
    families, touched = subject.families, {}
    for key, family in subject.families.items():
        if decision.old in family.entries or decision.new in family.entries:
            admission = decide_family(family, decision)
            families = families.set(key, admission.state)
            touched[key] = admission.touched
    return SubjectState(families), touched


def _by_family(claims: Iterable[Claim]) -> Mapping[FamilyKey, list[Claim]]:
    families: dict[FamilyKey, list[Claim]] = {}
    for claim in claims:
        families.setdefault(family_key(claim), []).append(claim)
    return families


def newest_first(subject: SubjectState) -> Iterator[tuple[FamilyState, Entry]]:
    """Yield every claim of the subject with its family, the latest in the order of the fold first."""
    entries = [(family, entry) for family in subject.families.values() for entry in family.entries.values()]
    yield from sorted(entries, key=lambda item: fold_key(item[1].claim), reverse=True)

"""Correction: what the claims of one plan, or one decision made by hand, do to the state of the subjects concerned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prme.correction.fold import FamilyState, family_interval
from prme.correction.near_miss import near_misses
from prme.correction.subject import EMPTY_SUBJECT, FamilyKey, SubjectState, admit_claims, decide_subject
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, RuleDecision
from prme.model.interval import Interval

WITH_NEAR_MISSES = frozenset({"no_match", "ambiguous"})


def subject_key(claim: Claim) -> str:
    """Return the key of a claim's subject; an unresolved subject is one of its own."""
    return claim.subject_id if claim.subject_id is not None else f"unresolved:{claim.id}"


class IntervalChange(NamedTuple):
    """A claim's interval before (None for a new claim) and after."""

    before: Interval | None
    after: Interval

    @property
    def retired(self) -> bool:
        """Whether the claim is closed now and was not before."""
        return self.after.valid_to is not None and (self.before is None or self.before.valid_to is None)

    @property
    def reopened(self) -> bool:
        """Whether the claim was closed and is open again."""
        return self.after.valid_to is None and self.before is not None and self.before.valid_to is not None

    @property
    def revised(self) -> bool:
        """Whether a known claim changed in another way than being closed or reopened."""
        return self.before is not None and (self.before.valid_to is None) == (self.after.valid_to is None)


@dataclass(frozen=True, slots=True)
class Correction:
    """The outcome of correction for one plan.

    `subjects` are the new states of the subjects it touched. `changes` hold every interval that is new or changed, in
    order of the ids; `decisions` has one decision per claim by position; `revised_decisions` are those of earlier
    claims that came out differently this time.
    """

    subjects: Mapping[str, SubjectState]
    changes: tuple[IntervalChange, ...]
    decisions: tuple[RuleDecision, ...]
    revised_decisions: tuple[RuleDecision, ...]


def correct(subjects: Mapping[str, SubjectState], claims: Sequence[Claim]) -> Correction:
    """Admit the claims of one plan, in order of position, and return everything that changed.

    `subjects` must hold the state of every subject of the claims that the store already knows. Pure.
    """
    by_subject: dict[str, list[Claim]] = {}
    for claim in claims:
        by_subject.setdefault(subject_key(claim), []).append(claim)
    before = {key: subjects.get(key, EMPTY_SUBJECT) for key in by_subject}
    after: dict[str, SubjectState] = {}
    touched: dict[str, tuple[str, FamilyKey]] = {}
    for key, members in by_subject.items():
        after[key], by_family = admit_claims(before[key], members)
        for family, claim_ids in by_family.items():
            touched.update(dict.fromkeys(claim_ids, (key, family)))
    changes, told = _compared(before, after, touched)
    return Correction(
        subjects=after,
        changes=changes,
        decisions=tuple(told.pop(claim.id) for claim in claims),
        revised_decisions=tuple(told.values()),
    )


def decide(
    subjects: Mapping[str, SubjectState], decision: ExplicitDecision, notes: Mapping[str, IntervalChange]
) -> Correction:
    """Put an explicit decision in force in the families of its claims, and return everything that changed.

    `subjects` are the states of the subjects of its claims, under all earlier decisions; `notes` are the changes of
    the notes that it names. Pure.
    """
    after: dict[str, SubjectState] = {}
    touched: dict[str, tuple[str, FamilyKey]] = {}
    for key, subject in subjects.items():
        after[key], by_family = decide_subject(subject, decision)
        for family, claim_ids in by_family.items():
            touched.update(dict.fromkeys(claim_ids, (key, family)))
    changes, told = _compared(subjects, after, touched)
    all_changes = (*changes, *(change for change in notes.values() if change.before != change.after))
    return Correction(
        subjects=after,
        changes=tuple(sorted(all_changes, key=lambda change: change.after.node_id)),
        decisions=(),
        revised_decisions=tuple(told.values()),
    )


def _compared(
    before: Mapping[str, SubjectState],
    after: Mapping[str, SubjectState],
    touched: Mapping[str, tuple[str, FamilyKey]],
) -> tuple[tuple[IntervalChange, ...], dict[str, RuleDecision]]:
    """Return what is new or different of the touched claims, in order of their ids: intervals, and rule decisions."""
    changes: list[IntervalChange] = []
    told: dict[str, RuleDecision] = {}
    for claim_id, (key, family) in sorted(touched.items()):
        old, new = before[key].families.get(family), after[key].families[family]
        change = _interval_change(claim_id, old, new)
        if change is not None:
            changes.append(change)
        if not _has_decision(old, claim_id, new.entries[claim_id].decision):
            told[claim_id] = _with_near_misses(after[key], new, claim_id)
    return tuple(changes), told


def _interval_change(claim_id: str, old: FamilyState | None, new: FamilyState) -> IntervalChange | None:
    before = None if old is None or claim_id not in old.entries else family_interval(old, claim_id)
    after = family_interval(new, claim_id)
    return None if before == after else IntervalChange(before, after)


def _has_decision(family: FamilyState | None, claim_id: str, decision: RuleDecision) -> bool:
    return family is not None and claim_id in family.entries and family.entries[claim_id].decision == decision


def _with_near_misses(subject: SubjectState, family: FamilyState, claim_id: str) -> RuleDecision:
    entry = family.entries[claim_id]
    if entry.decision.reason not in WITH_NEAR_MISSES:
        return entry.decision
    return entry.decision.model_copy(update={"near_misses": near_misses(subject, entry.claim)})

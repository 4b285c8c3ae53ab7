"""The fold: the state of a family is a pure function of its claims and decisions, whatever their order of arrival.

Claims are taken in order of (effective time, time received, position). Each one is judged against what is open, closes
what it retires, and then opens or confirms an equal open claim. A claim that comes after all others takes the same step
on the state as it stands, so the incremental state is the fold by construction (SPEC 8.2); a late one, or a decision
made by hand, lets those be judged again that it can concern.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prme.correction.draft import FamilyDraft
from prme.correction.family import EMPTY_FAMILY, Closing, Entry, FamilyState, family_interval, fold_key
from prme.correction.judging import judge
from prme.correction.revision import revise_for_claim, revise_for_decision
from prme.correction.rulings import NO_RULINGS, Rulings
from prme.correction.timeline import Key
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision

__all__ = [
    "EMPTY_FAMILY",
    "Admission",
    "Closing",
    "Entry",
    "FamilyState",
    "Key",
    "admit",
    "decide_family",
    "family_interval",
    "fold_family",
    "fold_key",
]


@dataclass(frozen=True, slots=True)
class Admission:
    """A family with what came to it; `touched` are the ids whose interval or decision may have changed."""

    state: FamilyState
    touched: frozenset[str]


def fold_family(claims: Iterable[Claim], decisions: Sequence[ExplicitDecision] = ()) -> FamilyState:
    """Fold all claims of one family from nothing.

    Decisions that name no claim of the family are ignored. Pure: any order of `claims` gives the same state.
    """
    ordered = sorted(claims, key=fold_key)
    rulings = Rulings.of(decisions, {claim.id: claim for claim in ordered}) if decisions else NO_RULINGS
    draft = FamilyDraft(EMPTY_FAMILY._replace(rulings=rulings))
    for claim in ordered:
        _step(draft, claim)
    return draft.finished()


def admit(state: FamilyState, *claims: Claim) -> Admission:
    """Return the state with one or more further claims, each put in its place in the fold before the next one."""
    draft = FamilyDraft(state)
    touched: set[str] = set()
    for claim in claims:
        is_newest = draft.newest is None or fold_key(claim) >= draft.newest
        touched.update(_step(draft, claim) if is_newest else revise_for_claim(draft, claim))
    return Admission(draft.finished(), frozenset(touched))


def decide_family(state: FamilyState, decision: ExplicitDecision) -> Admission:
    """Return the state under one more decision made by hand, which must name a claim of the family."""
    draft = FamilyDraft(state)
    touched = revise_for_decision(draft, decision)
    return Admission(draft.finished(), touched)


def _step(draft: FamilyDraft, claim: Claim) -> Sequence[str]:
    """Judge a claim that comes after all others of its family, close what it retires, and let it open or confirm.

    Returns the ids that may have changed.
    """
    judgement = judge(draft, claim, late=False)
    draft.put(Entry(claim, judgement.decision, judgement.confirms))
    if judgement.cue is not None:
        draft.seek(judgement.cue, claim.id)
    for entry in judgement.closed:
        draft.put(entry._replace(closing=Closing(claim.effective_at, claim.id)))
    return [claim.id, *[entry.claim.id for entry in judgement.closed]]

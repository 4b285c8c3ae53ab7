"""Claims as the rules see them, and how a test reads a folded subject."""

from __future__ import annotations

from datetime import datetime, timedelta
from functools import partial
from typing import Any

from prme.clock import EPOCH
from prme.correction.fold import FamilyState, family_interval
from prme.correction.subject import SubjectState, admit_claims, fold_subject
from prme.model.claim import Claim, Evidence
from prme.model.decision import ExplicitDecision, NearMiss, RetiredTarget, RuleDecision
from prme.model.interval import Interval
from prme.model.message import SourceType
from prme.text_folding import fold_text

V13, V14 = "speech_act_v13", "speech_act_v14"


def at(day: float) -> datetime:
    return EPOCH + timedelta(days=day)


WITH_AUTHORITY = {"no_match", "ambiguous", "decided", "contested"}
NAMED = "named_replacement"
WORDS = Evidence(event_id="event", start=0, end=5, quote="words")


def claim(
    name: str,
    obj: str = "Figma",
    *,
    day: float = 0,
    received: float | None = None,
    replaces: str | None = None,
    **fields: Any,
) -> Claim:
    """Return a plain positive statement; `received` is the day of receipt, the effective day when left out."""
    plain: dict[str, Any] = {
        "event_id": f"event of {name}",
        "position": 0,
        "policy": V14,
        "scope": "personal",
        "source_type": SourceType.USER_STATED,
        "kind": "fact",
        "subject_id": "owner",
        "predicate": "uses",
        "polarity": "positive",
        "epistemic_type": "asserted",
        "condition": None,
        "temporal_intent": None,
        "trigger": WORDS,
    }
    return Claim(
        id=name,
        object_key=fold_text(obj),
        replaces_key=None if replaces is None else fold_text(replaces),
        effective_at=at(day),
        received_at=at(day if received is None else received),
        **{**plain, **fields},
    )


denial = partial(claim, polarity="negative", temporal_intent="update")
update = partial(claim, temporal_intent="update")


def supersede(old: str, new: str, *, day: float, mark: float, number: int = 1) -> ExplicitDecision:
    return ExplicitDecision(number, "supersede", old, new, at(day), at(mark))


def resolve(loser: str, winner: str, *, day: float, mark: float, number: int = 2) -> ExplicitDecision:
    return ExplicitDecision(number, "resolve", loser, winner, at(day), at(mark))


def contradict(a: str, b: str, *, mark: float, number: int = 1) -> ExplicitDecision:
    return ExplicitDecision(number, "contradict", a, b, None, at(mark))


def intervals(subject: SubjectState) -> dict[str, Interval]:
    return {name: family_interval(family, name) for family in _families(subject) for name in family.entries}


def decisions(subject: SubjectState) -> dict[str, RuleDecision]:
    return {name: entry.decision for family in _families(subject) for name, entry in family.entries.items()}


def admit_one(subject: SubjectState, late: Claim) -> tuple[SubjectState, frozenset[str]]:
    """Return the subject with one more claim, and the ids that may have changed."""
    state, by_family = admit_claims(subject, [late])
    [touched] = by_family.values()
    return state, touched


def fold(*claims: Claim, by_hand: tuple[ExplicitDecision, ...] = ()) -> dict[str, Interval]:
    return intervals(fold_subject(claims, by_hand))


def judged(*claims: Claim, by_hand: tuple[ExplicitDecision, ...] = ()) -> dict[str, RuleDecision]:
    return decisions(fold_subject(claims, by_hand))


def closed(state: dict[str, Interval]) -> dict[str, str | None]:
    """Return the closed claims with their successors."""
    return {name: interval.superseded_by for name, interval in state.items() if interval.valid_to is not None}


def confirmations(state: dict[str, Interval]) -> dict[str, str]:
    return {name: interval.confirms for name, interval in state.items() if interval.confirms is not None}


def retired(name: str, *targets: tuple[str, str, str], rule: str = "denial") -> RuleDecision:
    """Return the decision that `name` retired the targets, each a (claim, match, via)."""
    return RuleDecision(
        claim_id=name,
        outcome="retired",
        rule=rule,
        trigger=WORDS,
        targets=tuple(RetiredTarget(claim_id=t, match=match, via=via) for t, match, via in targets),
    )


def nothing(
    name: str, reason: str, *candidates: str, rule: str = "denial", near_misses: tuple[NearMiss, ...] = ()
) -> RuleDecision:
    """Return the decision that `name` retired nothing; one without authority has no rule."""
    return RuleDecision(
        claim_id=name,
        outcome="none",
        reason=reason,
        rule=rule if reason in WITH_AUTHORITY else None,
        trigger=WORDS,
        candidates=candidates,
        near_misses=near_misses,
    )


def _families(subject: SubjectState) -> list[FamilyState]:
    return list(subject.families.values())

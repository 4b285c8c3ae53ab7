"""Decisions: what the rules concluded for a claim, and what a caller decided by hand."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from prme.model.claim import Evidence
from prme.model.value import Value

Match = Literal["exact", "short"]
Via = Literal["same", "class", "transition"]
Reason = Literal[
    "not_an_update",
    "conditional",
    "not_asserted",
    "polarity_unknown",
    "no_target",
    "unresolved_subject",
    "no_match",
    "ambiguous",
    "decided",
    "contested",
]
DecisionKind = Literal["supersede", "contradict", "resolve"]
Test = Literal["predicate", "object", "source_type", "kind", "state", "time"]


class RetiredTarget(Value):
    """A claim that a correction retired, and how the two matched."""

    claim_id: str
    match: Match
    via: Via


class NearMiss(Value):
    """A claim of the same subject that failed exactly one test of the correction."""

    claim_id: str
    test: Test


class RuleDecision(Value):
    """What the rules concluded for one admitted claim (SPEC 8.3).

    `rule` names the rule of the claim's policy that gave it a target, None for a claim without authority. `trigger` are
    the words that it rests on: those that name the target; for a conditional one its condition, if the message has it;
    else the claim's own sentences. `targets` are what it retired. `candidates` are the claims that passed every test
    and were left alone all the same: more than one distinct object (`ambiguous`), or closed, held or contested by hand
    (`decided`, `contested`). `near_misses` failed exactly one test, newest first.
    """

    claim_id: str
    outcome: Literal["retired", "none"]
    reason: Reason | None = None
    rule: str | None = None
    trigger: Evidence
    targets: tuple[RetiredTarget, ...] = ()
    candidates: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()


@dataclass(frozen=True, slots=True)
class ExplicitDecision:
    """A decision that a caller made by hand, as data of the fold (SPEC 8.2).

    `number` is owner-local and gives their order. For `supersede` and `resolve`, `old` closes at `at` and `new` is the
    replacement or winner; for `contradict` the two are an unordered pair and `at` is not used. `mark` is the
    `received_at` of the owner's newest event when the decision was made.
    """

    number: int
    kind: DecisionKind
    old: str
    new: str
    at: datetime | None
    mark: datetime


@dataclass(frozen=True, slots=True)
class MadeDecision:
    """An explicit decision with who made it, on what evidence, and the id that its ordered pair of nodes gives it."""

    decision: ExplicitDecision
    operation_id: str
    actor: str
    evidence_id: str | None

"""Explanations: for an event or a claim, what was extracted, what grounding changed, and what the rules concluded."""

from __future__ import annotations

from datetime import datetime

from prme.model.claim import Evidence
from prme.model.decision import DecisionKind, Match, NearMiss, RuleDecision, Via
from prme.model.extraction import ExtractedClaim
from prme.model.history import IntervalVersion
from prme.model.message import Event
from prme.model.node import Node
from prme.model.plan import ExtractorIdentity
from prme.model.value import Value


class ExplainedRule(Value):
    """A rule: the policy it belongs to, its name there, and what it says in one sentence."""

    policy: str
    name: str
    says: str


class ExplainedChange(Value):
    """Something that grounding altered in a claim: its code, and what that means."""

    code: str
    says: str


class DecidedByHand(Value):
    """An explicit decision: its operation, who made it, on which event, and when the store recorded it (UTC)."""

    operation_id: str
    kind: DecisionKind
    actor: str
    evidence_id: str | None
    decided_at: datetime


class Retirement(Value):
    """How a claim was closed: what said so, by which rule or decision, and both intervals.

    `claim` is the closed claim and `correction` the one that closed it, each with its interval as it stands; `event` is
    the correction's message. `before` and `after` are what the store said of the closed claim until and since then;
    `before` is None when it was closed as it arrived. `trigger` are the words that name it. When an explicit decision
    closed it, `by_hand` tells it, and `rule`, `match`, `via` and `trigger` are None; `correction` is then the
    replacement, or the winner of the contradiction that the claim lost.
    """

    claim: Node
    before: IntervalVersion | None
    after: IntervalVersion
    correction: Node
    event: Event
    rule: ExplainedRule | None
    match: Match | None
    via: Via | None
    trigger: Evidence | None
    says: str
    by_hand: DecidedByHand | None = None


class ExplainedNearMiss(Value):
    """A near miss with the claim that it names: what the claim has, what the test asks for, and what would have helped.

    `found` and `needed` belong to the test: two predicates, objects, sources, kinds, states or times, and for claims
    of one instant what else put them in order. `closed_by` tells what had closed the claim, where that is what kept it.
    `would_have_retired` is True when judging again, with that test alone passed, retired it; only then `says` says so.
    """

    near_miss: NearMiss
    node: Node
    found: str
    needed: str
    says: str
    would_have_retired: bool = False
    closed_by: Retirement | None = None


class ExplainedClaim(Value):
    """A claim, how grounding changed it, its decision, and every claim that decision speaks of.

    `node` carries the claim's interval and evidence. `says` is its decision in one sentence, with the rule, the words
    that matter, and what would have made it retire; `rule` is the rule that gave it a target. `closed_by` tells how it
    was closed; `confirmed` is the claim that it confirms. `retired`, `candidates` and `near_misses` belong to its own
    decision; the nearest miss is the first.
    """

    node: Node
    changes: tuple[ExplainedChange, ...]
    decision: RuleDecision | None
    says: str
    rule: ExplainedRule | None = None
    closed_by: Retirement | None = None
    confirmed: Node | None = None
    retired: tuple[Retirement, ...] = ()
    candidates: tuple[Node, ...] = ()
    near_misses: tuple[ExplainedNearMiss, ...] = ()


class ExplainedRejection(Value):
    """A proposed claim that was not admitted, the code of why, and what that means."""

    proposed: ExtractedClaim
    position: int
    reason: str
    says: str


class JournalLine(Value):
    """One journal entry that concerns what is explained: `recorded_at` is UTC."""

    seq: int
    kind: str
    recorded_at: datetime
    digest: str


class ExplainedNote(Value):
    """The NOTE of an event, and what closed it: only a decision made by hand does."""

    node: Node
    closed_by: Retirement | None = None


class Explanation(Value):
    """Everything that is known about one event, or about one claim of it.

    `note` is the event's NOTE, left out when one claim was asked for.

    `policy`, `plan_id`, `plan_checksum` and `extractor` are None while nothing is published; `work` then says whether
    the extraction is pending or failed, and `reason_code` why.
    """

    event: Event
    note: ExplainedNote | None = None
    policy: str | None = None
    plan_id: str | None = None
    plan_checksum: str | None = None
    extractor: ExtractorIdentity | None = None
    work: str | None = None
    reason_code: str | None = None
    claims: tuple[ExplainedClaim, ...] = ()
    rejected: tuple[ExplainedRejection, ...] = ()
    journal: tuple[JournalLine, ...] = ()

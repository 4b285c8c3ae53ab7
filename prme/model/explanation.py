"""Explanations: for an event or a claim, what was extracted, what grounding changed, and what the rules concluded."""

from __future__ import annotations

from datetime import datetime

from prme.model.decision import NearMiss, RuleDecision
from prme.model.extraction import ExtractedClaim
from prme.model.message import Event
from prme.model.node import Node
from prme.model.plan import ExtractorIdentity
from prme.model.value import Value


class ExplainedNearMiss(Value):
    """A near miss together with the claim that it names."""

    near_miss: NearMiss
    node: Node


class ExplainedClaim(Value):
    """A claim, how grounding changed it, its decision, and every claim that decision speaks of.

    `node` carries the claim's interval and evidence. `closed_by` is the correction that retired it; `confirmed` the
    claim that it confirms. `retired`, `candidates` and `near_misses` belong to its own decision.
    """

    node: Node
    changes: tuple[str, ...]
    decision: RuleDecision | None
    closed_by: Node | None = None
    confirmed: Node | None = None
    retired: tuple[Node, ...] = ()
    candidates: tuple[Node, ...] = ()
    near_misses: tuple[ExplainedNearMiss, ...] = ()


class ExplainedRejection(Value):
    """A proposed claim that was not admitted, and why."""

    proposed: ExtractedClaim
    position: int
    reason: str


class JournalLine(Value):
    """One journal entry that concerns what is explained: `recorded_at` is UTC."""

    seq: int
    kind: str
    commit_no: int
    recorded_at: datetime
    digest: str


class Explanation(Value):
    """Everything that is known about one event, or about one claim of it.

    `policy`, `plan_id`, `plan_checksum` and `extractor` are None while nothing is published; `work` then says whether
    the extraction is pending or failed, and `reason_code` why.
    """

    event: Event
    policy: str | None = None
    plan_id: str | None = None
    plan_checksum: str | None = None
    extractor: ExtractorIdentity | None = None
    work: str | None = None
    reason_code: str | None = None
    claims: tuple[ExplainedClaim, ...] = ()
    rejected: tuple[ExplainedRejection, ...] = ()
    journal: tuple[JournalLine, ...] = ()

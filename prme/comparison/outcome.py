"""What a comparison of two policies says: claim by claim what each made of it, and the counts."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Literal

from pydantic import Field

from prme.model.claim import Evidence
from prme.model.decision import Match, RuleDecision, Via
from prme.model.extraction import ExtractedClaim, Polarity
from prme.model.message import Event
from prme.model.node import Status
from prme.model.plan import PlannedClaim
from prme.model.value import Value

Aspect = Literal[
    "admission",
    "rejection",
    "subject",
    "epistemic_type",
    "effective_at",
    "sentences",
    "grounding",
    "closing",
    "contested",
    "confirms",
    "decision",
    "words",
]
"""In what two verdicts differ; a claim that only one policy admits differs in `admission` and nothing else."""


class Closing(Value):
    """What closed a claim, and when.

    A rule names the correction (`by`), the rule and how the two matched. A decision made by hand gives its number
    instead; `by` is then the replacement, None when a contradiction was resolved.
    """

    at: datetime
    by: str | None
    rule: str | None = None
    match: Match | None = None
    via: Via | None = None
    decision: int | None = None


class Verdict(Value):
    """What one policy makes of one proposed claim, when all messages of its owner are judged by it.

    Either `rejected` says why it is not admitted, or `claim` is the claim as grounding leaves it, `status`, `closing`
    and `confirms` are its state after all messages and decisions, and `decision` is what the rules conclude for it.
    """

    rejected: str | None = None
    claim: PlannedClaim | None = None
    status: Status | None = None
    closing: Closing | None = None
    confirms: str | None = None
    decision: RuleDecision | None = None

    @property
    def words(self) -> Evidence | None:
        """The words of the message that the decision rests on."""
        return None if self.decision is None else self.decision.trigger


class ClaimDifference(Value):
    """One proposed claim of which the two policies make something different."""

    claim_id: str
    position: int
    proposed: ExtractedClaim
    differs: tuple[Aspect, ...]
    a: Verdict
    b: Verdict


class NamedClaim(Value):
    """A claim that a verdict names by its id, as it was proposed."""

    id: str
    event_id: str
    position: int
    subject: str
    predicate: str
    object: str
    polarity: Polarity


class MessageDifference(Value):
    """The differing claims of one message by position, and every claim that their verdicts name."""

    event: Event
    claims: tuple[ClaimDifference, ...]
    named: tuple[NamedClaim, ...]


class PolicyCounts(Value):
    """What one policy does in all: `retired` are closed by a rule, `hypothetical` and `confirming` are admitted."""

    policy: str
    admitted: int = 0
    rejected: int = 0
    hypothetical: int = 0
    retired: int = 0
    closed_by_hand: int = 0
    confirming: int = 0


class Summary(Value):
    """Counts of what was compared, of what differs and in what, and of what each policy does."""

    owners: int = 0
    messages: int = 0
    claims: int = 0
    decisions: int = 0
    differing_messages: int = 0
    differing_claims: int = 0
    differs: dict[Aspect, int] = Field(default_factory=dict)
    a: PolicyCounts
    b: PolicyCounts


class Comparison(Value):
    """The outcome of a comparison: the differing messages by owner and time of receipt, and the counts."""

    messages: tuple[MessageDifference, ...]
    summary: Summary


class Unread(Value):
    """A record that could not be used: where it stands (`line` None: the file as a whole), and why."""

    source: str
    line: int | None
    reason: str


def total(summaries: Iterable[Summary], policy_a: str, policy_b: str) -> Summary:
    """Return the sum of summaries of distinct owners under the same two policies."""
    whole = Summary(a=PolicyCounts(policy=policy_a), b=PolicyCounts(policy=policy_b))
    for summary in summaries:
        whole = _sum(whole, summary)
    return whole


def _sum(one: Summary, other: Summary) -> Summary:
    aspects = {key: one.differs.get(key, 0) + other.differs.get(key, 0) for key in (*one.differs, *other.differs)}
    return Summary(
        owners=one.owners + other.owners,
        messages=one.messages + other.messages,
        claims=one.claims + other.claims,
        decisions=one.decisions + other.decisions,
        differing_messages=one.differing_messages + other.differing_messages,
        differing_claims=one.differing_claims + other.differing_claims,
        differs=dict(sorted(aspects.items())),
        a=_sum_counts(one.a, other.a),
        b=_sum_counts(one.b, other.b),
    )


def _sum_counts(one: PolicyCounts, other: PolicyCounts) -> PolicyCounts:
    return PolicyCounts(
        policy=one.policy,
        admitted=one.admitted + other.admitted,
        rejected=one.rejected + other.rejected,
        hypothetical=one.hypothetical + other.hypothetical,
        retired=one.retired + other.retired,
        closed_by_hand=one.closed_by_hand + other.closed_by_hand,
        confirming=one.confirming + other.confirming,
    )

"""What calls answer: receipts, verification reports and explanations."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal

from prme.model.decision import DecisionKind, RuleDecision
from prme.model.value import Value

ReceiptStatus = Literal["published", "pending", "failed", "duplicate"]


class IngestReceipt(Value):
    """What one message did to memory.

    `claims` are the ids of the admitted claims by position; `retired` were closed by this message, `reopened` are open
    again because of it, `revised` had another change of interval. `reason_code` says why an extraction failed.
    """

    event_id: str
    status: ReceiptStatus
    plan_id: str | None = None
    plan_checksum: str | None = None
    claims: list[str] = []
    retired: list[str] = []
    reopened: list[str] = []
    revised: list[str] = []
    decisions: list[RuleDecision] = []
    reason_code: str | None = None


class DecisionReceipt(Value):
    """What an explicit decision did.

    `status` is `applied`, or `duplicate` for an exact retry, which changes nothing. `kind` is `supersede`,
    `contradict` or `resolve`; `old_id` and `new_id` are the superseded node and its replacement, the two sides of a
    contradiction in order of their ids, or the loser and the winner. `effective_at` (UTC) is when the old node
    closes, None for a contradiction. `retired`, `reopened` and `revised` are the nodes whose interval it changed.
    `open_claims` are the claims of a superseded note that stay open: a note's claims are decided one by one.
    """

    operation_id: str
    edge_id: str
    status: Literal["applied", "duplicate"]
    kind: DecisionKind
    old_id: str
    new_id: str
    effective_at: datetime | None
    actor: str
    evidence_id: str | None
    retired: list[str] = []
    reopened: list[str] = []
    revised: list[str] = []
    open_claims: list[str] = []


class UnfinishedMessages(Value):
    """How many stored messages have no plan, because they wait for their extraction or because it failed."""

    pending: int
    failed: int


class Difference(Value):
    """One thing that verification found different from what it must be."""

    what: str
    id: str
    stored: Any
    expected: Any


class VerifyReport(Value):
    """The outcome of verification: `ok` means `differences` is empty.

    `state_digest` covers the owner asked for, or all owners in order of their ids; `owners` has one digest each.
    `notes` are remarks that are no fault, such as a rewritten anchor.
    """

    ok: bool
    state_digest: str
    owners: dict[str, str]
    differences: list[Difference] = []
    notes: list[str] = []

"""Exports: what their records and manifest say, and what reading them again came to."""

from __future__ import annotations

from typing import Any, Literal

from prme.model.decision import DecisionKind
from prme.model.message import Event, EventKind
from prme.model.plan import PlanOptions
from prme.model.value import Value


class ExportedWork(Value):
    """Why an ingested event has no plan, and the policy and options that its plan will be made under."""

    state: Literal["pending", "failed"]
    reason_code: str | None
    policy: str
    options: PlanOptions


class ExportedEvent(Value):
    """An event without a plan: a stored note, or a message whose extraction is pending or failed."""

    format: str
    kind: EventKind
    event: Event
    work: ExportedWork | None


class ExportedDecision(Value):
    """A decision that a caller made by hand; times are UTC text, `at` is None for a contradiction."""

    format: str
    user_id: str
    number: int
    kind: DecisionKind
    old: str
    new: str
    at: str | None
    mark: str
    actor: str
    evidence_id: str | None
    operation_id: str


class OwnerManifest(Value):
    """What an export holds of one owner.

    `state_digest` is the one that `verify` gives; `records_digest` covers the checksums of the owner's records in their
    order.
    """

    user_id: str
    events: int
    plans: int
    decisions: int
    state_digest: str
    records_digest: str


class ExportManifest(Value):
    """What an export holds: counts over all owners, and each owner's own in order of the user ids.

    `events` counts every message, those with a plan among them.
    """

    format: str
    events: int
    plans: int
    decisions: int
    owners: tuple[OwnerManifest, ...]
    checksum: str


class ReplayProblem(Value):
    """Something in a source that was not used, and why; the rest goes on.

    `file` is the source as it was named, None for what concerns an owner as a whole; `line` counts from 1, None where
    a file holds one record. `reason` never repeats a message.
    """

    file: str | None
    line: int | None
    reason: str


class FieldDifference(Value):
    """A field of a note or claim that two states give differently; `here` and `there` are JSON values."""

    field: str
    here: Any
    there: Any


class StateDifference(Value):
    """The first thing in which the state of a store is not the expected one.

    `node_id` is the first note or claim that differs, by id, and `fields` say in what; None, without fields, when only
    the digests are known. A digest or node that one side lacks is None there.
    """

    user_id: str
    here: str | None
    there: str | None
    node_id: str | None = None
    fields: tuple[FieldDifference, ...] = ()


class ReplayReport(Value):
    """What reading an export came to.

    `events`, `plans` and `decisions` were published by this call; `already_there` counts the records that the store
    held before, `duplicates` those that the source held more than once. `expected` has the state digest of each owner
    that the manifests list. `problems` are the first 1,000; `unlisted_problems` counts the rest. `notes` are no faults.
    """

    owners: int = 0
    events: int = 0
    plans: int = 0
    decisions: int = 0
    already_there: int = 0
    duplicates: int = 0
    expected: dict[str, str] = {}
    problems: tuple[ReplayProblem, ...] = ()
    unlisted_problems: int = 0
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether every record could be used."""
        return not self.problems

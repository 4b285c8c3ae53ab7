"""One job's view of the store: the committed state, what its batch derived so far, and what the job records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from prme.clock import Clock, read_clock
from prme.correction.subject import EMPTY_SUBJECT, SubjectState, fold_subject
from prme.journal.chain import KEY_BYTES
from prme.model.decision import ExplicitDecision
from prme.policy.policy import Policy
from prme.publication.publish import OwnerState, Publication
from prme.store.database import Database, Reader
from prme.store.decisions import explicit_decisions
from prme.store.records import StoredEvent, event_ids, find_event, has_plan, subject_claims
from prme.store.rows import RowBatch

Entropy = Callable[[int], bytes]


@dataclass(slots=True)
class Overlay:
    """What a batch has derived and not committed: owners as they would be, and what is to be inserted.

    `owner_keys` are the keys of the batch's owners that the store knows and the cache does not; `read_events` and
    `read_claims` are what was read into an owner's state on the way.
    """

    owner_keys: dict[str, int] = field(default_factory=dict)
    owners: dict[str, OwnerState] = field(default_factory=dict)
    new_owners: dict[str, int] = field(default_factory=dict)
    forgotten: set[str] = field(default_factory=set)
    publications: list[tuple[OwnerState, Publication]] = field(default_factory=list)
    events: dict[str, StoredEvent] = field(default_factory=dict)
    policies: set[str] = field(default_factory=set)
    read_events: dict[str, set[str]] = field(default_factory=dict)
    read_claims: dict[str, int] = field(default_factory=dict)


class WriteSession:
    """What a job may ask and record; nothing of it counts before the batch is committed."""

    def __init__(
        self,
        database: Database,
        overlay: Overlay,
        owner: OwnerState,
        *,
        cached_events: set[str] | None,
        clock: Clock,
        entropy: Entropy,
    ) -> None:
        self._database = database
        self._overlay = overlay
        self._cached_events = cached_events
        self._clock = clock
        self._entropy = entropy
        self.owner = owner
        self.recorded: list[Publication] = []
        self.events: dict[str, StoredEvent] = {}
        self.policies: set[str] = set()
        self.forgets_owner = False
        """Set by a job whose owner will hardly be needed again soon, such as one of a replay."""

    def now(self) -> datetime:
        """Return the clock's reading in UTC."""
        return read_clock(self._clock)

    def new_key(self) -> bytes:
        """Return fresh random bytes for one journal entry's commitment."""
        return self._entropy(KEY_BYTES)

    def find_event(self, event_id: str) -> StoredEvent | None:
        """Return an event of this owner, committed or derived earlier in this batch."""
        derived = self.events.get(event_id) or self._overlay.events.get(event_id)
        if derived is not None:
            return derived
        # Almost every message is new, and a read costs more than all that is derived from one.
        if event_id not in self._committed_events():
            return None
        return find_event(self._database, event_id, owner_key=self.owner.owner_key)

    def has_plan(self, event_id: str) -> bool:
        """Whether an event of this owner has a plan, committed or derived earlier in this batch."""
        derived = any(
            publication.entry.kind == "PLAN_PUBLISHED" and publication.entry.event_id == event_id
            for _, publication in self._overlay.publications
        )
        return derived or has_plan(self._database, self.owner.owner_key, event_id)

    @property
    def reader(self) -> Reader:
        """What is committed; a job that runs alone sees everything there."""
        return self._database

    def decisions(self) -> tuple[ExplicitDecision, ...]:
        """Return all explicit decisions of the owner, in order; they are read from the store the first time."""
        if self.owner.decisions is None:
            stored = explicit_decisions(self._database, self.owner.owner_key)
            self.owner = replace(self.owner, decisions=tuple(found.made.decision for found in stored))
        return self.owner.decisions or ()

    def subject(self, subject_id: str) -> SubjectState:
        """Return a subject's folded state; it is read from the store the first time."""
        known = self.owner.subjects.get(subject_id)
        if known is None:
            claims = subject_claims(self._database, self.owner.owner_key, subject_id)
            self._count_read(len(claims))
            known = fold_subject(claims, self.decisions())
            self.owner = replace(self.owner, subjects=self.owner.subjects.set(subject_id, known))
        return known

    def shared_subject(self, subject_id: str) -> SubjectState:
        """Return the state of a subject that several messages can speak of."""
        if self.owner.is_whole and subject_id not in self.owner.subjects:
            return EMPTY_SUBJECT
        return self.subject(subject_id)

    def record(self, publication: Publication) -> None:
        """Add a publication to the transaction."""
        self.owner = publication.owner
        self.recorded.append(publication)

    def hold_policy(self, policy: Policy, rows: RowBatch) -> None:
        """Let the store remember that it holds plans of a policy, the first time it does."""
        if policy.name not in self._database.held_policies and policy.name not in self._overlay.policies:
            self.policies.add(policy.name)
            rows.add("meta", (f"policy.{policy.number}", policy.name))

    def record_event(self, stored: StoredEvent) -> None:
        """Let later jobs of the batch see an event that this job stores."""
        self.events[stored.event.id] = stored

    def keep(self) -> None:
        """Add what the job recorded to the batch."""
        overlay = self._overlay
        overlay.owners[self.owner.user_id] = self.owner
        overlay.publications += [(self.owner, publication) for publication in self.recorded]
        overlay.events |= self.events
        overlay.policies |= self.policies
        if self.forgets_owner:
            overlay.forgotten.add(self.owner.user_id)

    def _committed_events(self) -> set[str]:
        if self._cached_events is not None:
            return self._cached_events
        read = self._overlay.read_events
        user_id = self.owner.user_id
        if user_id not in read:
            is_new = user_id in self._overlay.new_owners
            read[user_id] = set() if is_new else event_ids(self._database, self.owner.owner_key)
        return read[user_id]

    def _count_read(self, claims: int) -> None:
        read = self._overlay.read_claims
        read[self.owner.user_id] = read.get(self.owner.user_id, 0) + claims

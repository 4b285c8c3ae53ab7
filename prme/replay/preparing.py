"""What an owner's records add to a store that knows nothing of the owner yet: rows and journal entries. Pure.

It can be prepared in any process, and ahead of its turn: the owner's key is a guess until the rows are written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from immutables import Map

from prme.correction.correct import Correction
from prme.journal.chain import EMPTY_HEAD, JournalEntry, JournalHead, JournalKind, append_entry
from prme.model.claim import Claim
from prme.plan.prepare import PreparedPlan
from prme.publication.bodies import note_body, plan_body
from prme.publication.publish import (
    OwnerState,
    Publication,
    add_correction_rows,
    add_note_rows,
    add_plan_rows,
    note_work,
    publish_decision,
)
from prme.publication.rows import Written
from prme.publication.snapshots import decision_document
from prme.records.spool import PlacedRecord
from prme.replay.folding import FoldedOwner
from prme.replay.history import OwnerHistory, Problem, RecordedEvent, owner_history
from prme.store.rows import RowBatch

MOST_ENTRIES_PER_RECORD = 2
WorkKind = Literal["EXTRACTION_PENDING", "EXTRACTION_FAILED"]
NewKey = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class PreparedOwner:
    """Everything that an owner's records add to a store, and what became of the records.

    The rows are those of `owner_key`, which the store may not give to the owner in the end. All entries are recorded at
    one time.
    """

    user_id: str
    owner_key: int
    entries: Sequence[JournalEntry]
    recorded_at: datetime
    rows: RowBatch
    newest_received_at: datetime | None
    policies: tuple[str, ...]
    events: int
    plans: int
    decisions: int
    outdated: int
    checksums: tuple[str, ...]
    problems: tuple[Problem, ...]


def prepare_owner(
    user_id: str, records: Sequence[PlacedRecord], *, owner_key: int, now: datetime, keys: Sequence[bytes]
) -> PreparedOwner:
    """Read, check and fold an owner's records. `owner_key` is put in the rows; `now` is the time of the replay.

    `keys` are fresh random bytes, `MOST_ENTRIES_PER_RECORD` for each record. The order of the records makes no
    difference but to the order of the problems.
    """
    history = owner_history(user_id, records)
    newest = history.events[-1].event.received_at if history.events else None
    # Nothing is recorded before it was received, wherever the clock of the replay stands.
    chain = _Chain(user_id, owner_key, now if newest is None else max(now, newest), iter(keys).__next__)
    _publish(chain, history)
    return PreparedOwner(
        user_id=user_id,
        owner_key=owner_key,
        entries=chain.entries,
        recorded_at=chain.recorded_at,
        rows=chain.rows,
        newest_received_at=newest,
        policies=policies_of(history),
        events=len(history.events),
        plans=sum(recorded.prepared is not None for recorded in history.events),
        decisions=len(history.decisions),
        outdated=history.outdated,
        checksums=tuple(history.checksums),
        problems=history.problems,
    )


def policies_of(history: OwnerHistory) -> tuple[str, ...]:
    """Return the names of the policies that a store has to remember once it holds the history."""
    planned = {one.prepared.plan.policy for one in history.events if one.prepared is not None}
    return tuple(sorted(planned | {one.work.policy for one in history.events if one.work is not None}))


@dataclass(slots=True)
class _Chain:
    """An owner's entries, each after the one before, and their rows.

    Notes and plans, which are nearly all of a replay, go in without a state of the owner for each.
    """

    user_id: str
    owner_key: int
    recorded_at: datetime
    new_key: NewKey
    entries: list[JournalEntry] = field(default_factory=list)
    rows: RowBatch = field(default_factory=RowBatch)

    @property
    def head(self) -> JournalHead:
        return self.entries[-1].head if self.entries else EMPTY_HEAD

    def owner(self) -> OwnerState:
        return OwnerState(self.owner_key, self.user_id, self.head, None, self.recorded_at, Map(), ())

    def take(self, publication: Publication) -> None:
        self.entries.append(publication.entry)
        self.rows.extend((publication.rows,))

    def add_note(self, recorded: RecordedEvent) -> None:
        written = self._append("NOTE_STORED", recorded.event.id, note_body(recorded.event, recorded.kind))
        add_note_rows(self.rows, written, recorded.kind, recorded.event)

    def add_plan(self, prepared: PreparedPlan, claims: Sequence[Claim], correction: Correction) -> None:
        told = [decision_document(decision) for decision in correction.decisions]
        body = plan_body(prepared.plan, correction, told, [])
        written = self._append("PLAN_PUBLISHED", prepared.plan.event.id, body)
        add_plan_rows(self.rows, written, prepared, claims)
        add_correction_rows(self.rows, written, correction, told)

    def _append(self, kind: JournalKind, event_id: str, body: dict[str, Any]) -> Written:
        entry = append_entry(
            self.head, user_id=self.user_id, kind=kind, event_id=event_id, body=body, key=self.new_key()
        )
        self.entries.append(entry)
        return Written(self.owner_key, entry.seq, self.recorded_at)


def _publish(chain: _Chain, history: OwnerHistory) -> None:
    folded = FoldedOwner.of(history)
    for recorded, correction in zip(history.events, folded.corrections(history.events), strict=True):
        chain.add_note(recorded)
        if recorded.prepared is not None:
            chain.add_plan(recorded.prepared, recorded.claims, correction)
        elif recorded.work is not None:
            chain.take(work_noted(chain.owner(), recorded, key=chain.new_key(), now=chain.recorded_at))
    for made in (one.made for one in history.decisions):
        correction, snapshots = folded.decide(made.decision)
        publication, _ = publish_decision(
            chain.owner(), made, correction, snapshots, key=chain.new_key(), now=chain.recorded_at
        )
        chain.take(publication)


def work_noted(owner: OwnerState, recorded: RecordedEvent, *, key: bytes, now: datetime) -> Publication:
    """Publish that an event still waits for its extraction, or that it failed."""
    work = recorded.work
    assert work is not None, "only an event without a plan waits"
    kind: WorkKind = "EXTRACTION_PENDING" if work.state == "pending" else "EXTRACTION_FAILED"
    return note_work(
        owner,
        recorded.event,
        kind,
        policy=work.policy,
        options=work.options,
        reason_code=work.reason_code,
        key=key,
        now=now,
    )

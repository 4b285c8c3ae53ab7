"""What an owner's records add to a store that knows nothing of the owner yet: rows and journal entries. Pure.

It can be prepared in any process: the owner's key is put in when the rows are written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from immutables import Map

from prme.journal.chain import EMPTY_HEAD, JournalEntry
from prme.publication.publish import OwnerState, Publication, note_work, publish_decision, publish_plan, store_note
from prme.replay.folding import FoldedOwner
from prme.replay.history import OwnerHistory, Problem, RecordedEvent, owner_history
from prme.replay.spool import PlacedRecord
from prme.store.rows import RowBatch

NO_KEY = 0
MOST_ENTRIES_PER_RECORD = 2
WorkKind = Literal["EXTRACTION_PENDING", "EXTRACTION_FAILED"]
NewKey = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Step:
    """One journal entry with its rows; they name no owner yet."""

    entry: JournalEntry
    recorded_at: datetime
    rows: RowBatch


@dataclass(frozen=True, slots=True)
class PreparedOwner:
    """Everything that an owner's records add to a store, and what became of the records."""

    user_id: str
    steps: tuple[Step, ...]
    newest_received_at: datetime | None
    policies: tuple[str, ...]
    events: int
    plans: int
    decisions: int
    outdated: int
    checksums: tuple[str, ...]
    problems: tuple[Problem, ...]


def prepare_owner(
    user_id: str, records: Sequence[PlacedRecord], *, now: datetime, keys: Sequence[bytes]
) -> PreparedOwner:
    """Read, check and fold an owner's records. `now` is the time of the replay.

    `keys` are fresh random bytes, `MOST_ENTRIES_PER_RECORD` for each record. The order of the records makes no
    difference but to the order of the problems.
    """
    history = owner_history(user_id, records)
    publications = list(_publications(history, now, iter(keys).__next__))
    return PreparedOwner(
        user_id=user_id,
        steps=tuple(Step(found.entry, found.recorded_at, found.rows) for found in publications),
        newest_received_at=history.events[-1].event.received_at if history.events else None,
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


def _publications(history: OwnerHistory, now: datetime, new_key: NewKey) -> Iterator[Publication]:
    if not history.events:
        return
    # Nothing is recorded before it was received, wherever the clock of the replay stands.
    now = max(now, history.events[-1].event.received_at)
    owner = OwnerState(NO_KEY, history.user_id, EMPTY_HEAD, None, None, Map())
    folded = FoldedOwner.of(history)
    for recorded, correction in zip(history.events, folded.corrections(history.events), strict=True):
        publication = store_note(owner, recorded.event, kind=recorded.kind, key=new_key(), now=now)
        yield publication
        if recorded.prepared is not None:
            publication, _ = publish_plan(
                publication.owner, recorded.prepared, recorded.claims, correction, key=new_key(), now=now
            )
            yield publication
        elif recorded.work is not None:
            publication = work_noted(publication.owner, recorded, key=new_key(), now=now)
            yield publication
        owner = replace(publication.owner, subjects=Map())
    for made in (one.made for one in history.decisions):
        correction, snapshots = folded.decide(made.decision)
        publication, _ = publish_decision(owner, made, correction, snapshots, key=new_key(), now=now)
        yield publication
        owner = replace(publication.owner, subjects=Map(), decisions=())


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

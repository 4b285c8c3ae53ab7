"""Jobs of the writer that publish an owner's records: whole for a new owner, what is missing for a known one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from immutables import Map

from prme.correction.correct import correct
from prme.decisions.decide import carry_out
from prme.decisions.view import OwnerView
from prme.pipeline import known_subjects
from prme.policy.registry import get_policy
from prme.publication.publish import OwnerState, Publication, publish_plan, store_note
from prme.replay.history import OwnerHistory, Problem, RecordedDecision, RecordedEvent
from prme.replay.preparing import PreparedOwner, policies_of, work_noted
from prme.store.database import Reader
from prme.store.decisions import explicit_decisions
from prme.store.records import owner_events, owner_plans
from prme.store.rows import RowBatch
from prme.writer import WriteSession


@dataclass(frozen=True, slots=True)
class Gap:
    """What a store lacks of an owner's records; with problems nothing of it can be published."""

    events: tuple[RecordedEvent, ...] = ()
    plans: tuple[RecordedEvent, ...] = ()
    decisions: tuple[RecordedDecision, ...] = ()
    already_there: int = 0
    problems: tuple[Problem, ...] = ()

    @property
    def is_publishable(self) -> bool:
        """Whether there is anything to publish, and nothing against it."""
        return not self.problems and bool(self.events or self.plans or self.decisions)


def publish_prepared(session: WriteSession, prepared: PreparedOwner) -> bool:
    """Publish what was prepared for an owner of whom nothing is stored; False, and nothing, when something is.

    The cache keeps nothing of the owner, so that memory does not grow with what is replayed.
    """
    session.forgets_owner = True
    if session.owner.head.seq:
        return False
    if not prepared.entries:
        return True
    owner_key, recorded_at = session.owner.owner_key, prepared.recorded_at
    head = prepared.entries[-1].head
    owner = OwnerState(owner_key, prepared.user_id, head, prepared.newest_received_at, recorded_at, Map())
    nothing = RowBatch()
    for entry in prepared.entries[:-1]:
        session.record(Publication(owner, entry, recorded_at, nothing))
    rows = prepared.rows if prepared.owner_key == owner_key else _keyed(prepared.rows, owner_key)
    session.record(Publication(owner, prepared.entries[-1], recorded_at, rows))
    _hold(session, prepared.policies)
    return True


def publish_missing(session: WriteSession, history: OwnerHistory) -> Gap:
    """Publish the events and plans that a store lacks of a known owner, each as one that arrives late.

    The job must run alone. Returns what was lacking; its decisions are for `decide_missing`.
    """
    gap = find_gap(session.reader, session.owner.owner_key, history)
    if not gap.is_publishable:
        return gap
    newest = max(recorded.event.received_at for recorded in history.events)
    now = max(session.now(), newest)
    new, planned = ({one.event.id for one in lacking} for lacking in (gap.events, gap.plans))
    for one in history.events:
        if one.event.id in new:
            session.record(store_note(session.owner, one.event, kind=one.kind, key=session.new_key(), now=now))
        if one.event.id not in new | planned:
            continue
        if one.prepared is not None:
            subjects = known_subjects(session, one.prepared)
            correction = correct(subjects, one.claims)
            publication = publish_plan(
                session.owner, one.prepared, one.claims, correction, lasting=subjects, key=session.new_key(), now=now
            )
            session.record(publication)
        elif one.work is not None:
            session.record(work_noted(session.owner, one, key=session.new_key(), now=now))
    if session.recorded:
        _hold(session, policies_of(history))
    session.forgets_owner = True
    return gap


def decide_missing(session: WriteSession, decisions: Sequence[RecordedDecision]) -> None:
    """Carry out decisions that a store lacks, as they were recorded: their number, T, mark, actor and evidence.

    The job must run alone, after the one that published their nodes.
    """
    view = OwnerView(session)
    for one in decisions:
        decision = one.made.decision
        carry_out(view, one.made, view.node(decision.old), view.node(decision.new))
    session.forgets_owner = True


def find_gap(reader: Reader, owner_key: int, history: OwnerHistory) -> Gap:
    """Compare an owner's records with what a store holds of the owner."""
    stored = {found.event.id: found for found in owner_events(reader, owner_key)}
    plans = {event_id: data for event_id, _, data in owner_plans(reader, owner_key)}
    events: list[RecordedEvent] = []
    unplanned: list[RecordedEvent] = []
    problems: list[Problem] = []
    for one in history.events:
        known, plan = stored.get(one.event.id), plans.get(one.event.id)
        if known is None:
            events.append(one)
        elif known.event != one.event or known.kind != one.kind:
            problems.append(Problem(one.place, "the store holds another message under the id of this event"))
        elif one.prepared is not None and plan is None:
            unplanned.append(one)
        elif one.prepared is not None and plan != one.prepared.data:
            problems.append(Problem(one.place, "the store holds another plan of this event, and keeps it"))
    decisions, clashes = _undecided(reader, owner_key, history)
    problems += clashes
    lacking = len(events) + len(unplanned) + len(decisions)
    strangers = len(stored.keys() - {one.event.id for one in history.events})
    if lacking and (strangers or problems):
        problems.append(Problem(None, _refusal(history.user_id, lacking, strangers)))
    there = len(history.events) + len(history.decisions) - lacking
    return Gap(tuple(events), tuple(unplanned), decisions, there, tuple(problems))


def _undecided(
    reader: Reader, owner_key: int, history: OwnerHistory
) -> tuple[tuple[RecordedDecision, ...], list[Problem]]:
    made = [found.made for found in explicit_decisions(reader, owner_key)]
    operations, numbers = {one.operation_id: one for one in made}, {one.decision.number for one in made}
    lacking: list[RecordedDecision] = []
    problems: list[Problem] = []
    for one in history.decisions:
        known = operations.get(one.made.operation_id)
        if known is None and one.made.decision.number not in numbers:
            lacking.append(one)
        elif known != one.made:
            problems.append(Problem(one.place, "the store holds another decision in the place of this one"))
    return tuple(lacking), problems


def _refusal(user_id: str, lacking: int, strangers: int) -> str:
    held = f"{strangers} events that are not among the records" if strangers else "something else"
    return (
        f"the store holds {held} of the owner {user_id!r}, and lacks {lacking} of the records: two histories are not "
        "merged; replay into a store without this owner"
    )


def _hold(session: WriteSession, policies: Sequence[str]) -> None:
    for name in policies:
        session.hold_policy(get_policy(name), session.recorded[-1].rows)


def _keyed(rows: RowBatch, owner_key: int) -> RowBatch:
    """Return the rows with the key that the owner has; copying all of them is dear, and seldom needed."""
    return RowBatch({table: [(owner_key, *row[1:]) for row in found] for table, found in rows.tables.items()})

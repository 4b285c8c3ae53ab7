"""An owner's history: its records read, checked against each other, and put in order. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar

from prme import ids
from prme.errors import PlanError
from prme.model.claim import Claim
from prme.model.decision import MadeDecision
from prme.model.export import ExportedWork
from prme.model.message import Event, EventKind
from prme.plan.prepare import PreparedPlan
from prme.plan.rule_claims import rule_claims
from prme.records.content import read_decision, read_event, read_plan
from prme.records.sources import Place
from prme.records.spool import PlacedRecord

OTHERWISE = "another record says otherwise of the same {what}, at {{where}}: none of them is used"
SAME_TIME = "another event was received at the very same time, at {where}: none of them is used"


@dataclass(frozen=True, slots=True)
class Problem:
    """Why what stands at a place is not used; no place for what concerns an owner as a whole."""

    place: Place | None
    reason: str


class RecordedEvent(NamedTuple):
    """An event with its plan and the plan's claims as the rules see them, or with its work, or with neither."""

    event: Event
    kind: EventKind
    checksum: str
    place: Place
    prepared: PreparedPlan | None = None
    claims: tuple[Claim, ...] = ()
    work: ExportedWork | None = None


@dataclass(frozen=True, slots=True)
class RecordedDecision:
    """A decision that a caller made by hand."""

    made: MadeDecision
    checksum: str
    place: Place


@dataclass(frozen=True, slots=True)
class OwnerHistory:
    """What can be used of an owner's records: events in the order received, decisions by number.

    `outdated` counts events without a plan of which another record has the plan.
    """

    user_id: str
    events: tuple[RecordedEvent, ...]
    decisions: tuple[RecordedDecision, ...]
    outdated: int
    problems: tuple[Problem, ...]

    @property
    def checksums(self) -> Iterator[str]:
        """The checksums of the records in the order of an export."""
        yield from (recorded.checksum for recorded in self.events)
        yield from (recorded.checksum for recorded in self.decisions)


R = TypeVar("R", RecordedEvent, RecordedDecision)


@dataclass(slots=True)
class _Read:
    events: list[RecordedEvent] = field(default_factory=list)
    decisions: list[RecordedDecision] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    outdated: int = 0


def owner_history(user_id: str, records: Sequence[PlacedRecord]) -> OwnerHistory:
    """Read all records of an owner, and leave out, with the reason, those that cannot be used.

    The order of the records makes no difference to what is used. Records that say different things of one event or
    decision are all left out: which of them is right cannot be told.
    """
    read = _Read()
    for record in records:
        try:
            _read(user_id, record, read)
        except PlanError as error:
            read.problems.append(Problem(record.place, str(error)))
    events = _one_per_event(read)
    events = _agreeing(read, events, lambda one: (one.event.received_at,), SAME_TIME)
    agreed = _agreeing(read, read.decisions, _names_of, OTHERWISE.format(what="decision"))
    decisions = list(_resting_on(read, agreed, events))
    return OwnerHistory(
        user_id=user_id,
        events=tuple(sorted(events, key=lambda one: one.event.received_at)),
        decisions=tuple(sorted(decisions, key=lambda one: one.made.decision.number)),
        outdated=read.outdated,
        problems=tuple(read.problems),
    )


def _read(user_id: str, record: PlacedRecord, read: _Read) -> None:
    if record.kind == "plan":
        plan = read_plan(record.data, user_id, record.name)
        prepared = PreparedPlan(plan, record.data)
        recorded = RecordedEvent(plan.event, "ingest", record.checksum, record.place, prepared, rule_claims(plan))
        read.events.append(recorded)
    elif record.kind == "event":
        event, told = read_event(record.data)
        read.events.append(RecordedEvent(event, told.kind, record.checksum, record.place, work=told.work))
    else:
        read.decisions.append(RecordedDecision(read_decision(record.data), record.checksum, record.place))


def _one_per_event(read: _Read) -> Sequence[RecordedEvent]:
    """Leave out events without a plan where another record has the plan, and events that records disagree about."""
    planned = {one.event.id: one for one in read.events if one.prepared is not None}
    kept: list[RecordedEvent] = []
    for one in read.events:
        other = planned.get(one.event.id)
        if other is not None and one.prepared is None and one.kind == "ingest" and one.event == other.event:
            read.outdated += 1
        else:
            kept.append(one)
    return _agreeing(read, kept, lambda one: (one.event.id,), OTHERWISE.format(what="event"))


def _names_of(recorded: RecordedDecision) -> Sequence[Hashable]:
    return (f"number {recorded.made.decision.number}", recorded.made.operation_id)


def _agreeing(read: _Read, recorded: Sequence[R], names: Callable[[R], Sequence[Hashable]], reason: str) -> Sequence[R]:
    """Leave out everything that shares a name with something else, and say of each where that other one stands."""
    times = Counter(name for one in recorded for name in names(one))
    if len(times) == times.total():
        return recorded
    named: dict[Hashable, list[R]] = {}
    for one in recorded:
        for name in names(one):
            named.setdefault(name, []).append(one)
    kept: list[R] = []
    for one in recorded:
        other = next((other.place for name in names(one) for other in named[name] if other is not one), None)
        if other is None:
            kept.append(one)
        else:
            read.problems.append(Problem(one.place, reason.format(where=other)))
    return kept


def _resting_on(
    read: _Read, decisions: Sequence[RecordedDecision], events: Sequence[RecordedEvent]
) -> Iterator[RecordedDecision]:
    """Yield the decisions whose nodes and evidence are among the events; without them they would be unexplained."""
    if not decisions:
        return
    scopes = node_scopes(events)
    by_id = {one.event.id: one.event.scope for one in events}
    for one in decisions:
        decision, evidence = one.made.decision, one.made.evidence_id
        of_nodes = {scopes.get(decision.old), scopes.get(decision.new)}
        if None in of_nodes:
            reason = "the decision names a note or claim that no usable record holds"
        elif len(of_nodes) > 1:
            reason = "the decision names nodes of two scopes"
        elif evidence is not None and by_id.get(evidence) not in of_nodes:
            reason = "the evidence of the decision is no event of its scope that a usable record holds"
        else:
            yield one
            continue
        read.problems.append(Problem(one.place, reason))


def node_scopes(events: Iterable[RecordedEvent]) -> Mapping[str, str]:
    """Return the scope of every note and claim of some events, by their ids."""
    scopes: dict[str, str] = {}
    for one in events:
        scopes[ids.note_id(one.event.id)] = one.event.scope
        scopes.update((claim.id, one.event.scope) for claim in one.claims)
    return scopes

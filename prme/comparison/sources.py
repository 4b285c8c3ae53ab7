"""Reading recorded extractions from stores and records, and comparing them owner by owner."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from prme.comparison.differences import compare
from prme.comparison.outcome import Comparison, Unread
from prme.errors import PlanError
from prme.model.decision import ExplicitDecision
from prme.model.plan import ExtractionPlan
from prme.records.content import read_decision, read_plan
from prme.records.head import RecordHead, RecordKind, record_head
from prme.records.sources import Piece, Place, read_sources, record_files
from prme.records.spool import PlacedRecord, Spool
from prme.records.writing import decision_record
from prme.store.decisions import explicit_decisions
from prme.store.opening import DATABASE_FILE
from prme.store.owners import owners
from prme.store.read_only import reading_only
from prme.store.records import owner_plans, published_events


def is_source(source: str) -> bool:
    """Whether a name can be a source: everything but a folder that is no store and has no record in it."""
    path = Path(source)
    return not path.is_dir() or _is_store(path) or next(record_files(path), None) is not None


def gather(sources: Iterable[str], spool: Spool, *, user_id: str | None) -> Iterator[Unread]:
    """Put the plans and decisions of the sources into the spool, of one owner when asked; yield what cannot be used.

    A source is a store's directory, or whatever `read_sources` reads. Stores are opened for reading and left as they
    are. Raises `StoreError` for a store that cannot be read.
    """
    for source in sources:
        path = Path(source)
        for piece in _stored(path, user_id) if _is_store(path) else read_sources([source]):
            try:
                reason = piece.fault or _keep(spool, piece, user_id)
            except PlanError as error:
                reason = str(error)
            if reason is not None:
                spool.refuse(piece.place, piece.of + reason)
                yield _unread(piece.place, piece.of + reason)


def unread(spool: Spool) -> Iterator[Unread]:
    """Yield again what could not be used."""
    return (_unread(place, reason) for place, reason in spool.refused())


def compare_owners(spool: Spool, policy_a: str, policy_b: str) -> Iterator[Comparison]:
    """Yield the comparison of each owner of plans in the spool, by user id; only one owner's are held at a time.

    Raises `UnsupportedPlanError` for an unknown policy.
    """
    for user_id, _ in spool.owners():
        plans, decisions = owner_records(spool, user_id)
        if plans:
            yield compare(plans, decisions, policy_a, policy_b)


def owner_records(spool: Spool, user_id: str) -> tuple[list[ExtractionPlan], list[ExplicitDecision]]:
    """Return an owner's plans, one for each event, and decisions in the order in which they were made."""
    first: dict[tuple[RecordKind, str], PlacedRecord] = {}
    for record in spool.records(user_id):
        first.setdefault((record.kind, record.name), record)
    plans = [ExtractionPlan.model_validate_json(record.data) for record in first.values() if record.kind == "plan"]
    decisions = [read_decision(record.data).decision for record in first.values() if record.kind == "decision"]
    return plans, sorted(decisions, key=lambda decision: decision.number)


def _is_store(path: Path) -> bool:
    return (path / DATABASE_FILE).is_file()


def _stored(directory: Path, user_id: str | None) -> Iterator[Piece]:
    place = Place(str(directory), None)
    with reading_only(directory) as reader:
        for owner_key, owner in owners(reader):
            if user_id is not None and owner != user_id:
                continue
            missing = published_events(reader, owner_key)
            for event_id, _, data in owner_plans(reader, owner_key):
                missing.discard(event_id)
                yield Piece(place, data, of=f"the plan of event {event_id}: ")
            for event_id in sorted(missing):
                yield Piece(place, fault=f"the plan of event {event_id} is missing")
            for stored in explicit_decisions(reader, owner_key):
                yield Piece(place, decision_record(owner, stored.made)[0])


def _keep(spool: Spool, piece: Piece, user_id: str | None) -> str | None:
    """Keep a record that says something of claims; return why it cannot be used next to what was read before."""
    head = record_head(piece.data)
    if head.kind not in {"plan", "decision"} or user_id not in {None, head.user_id}:
        return None
    return _kept_plan(spool, head, piece) if head.kind == "plan" else _kept_decision(spool, head, piece)


def _kept_plan(spool: Spool, head: RecordHead, piece: Piece) -> str | None:
    plan = read_plan(piece.data, head.user_id, head.name)
    spool.add(head, piece.place, piece.data)
    earlier = spool.earlier(head)
    # Plans of one event under several policies have the same recorded extraction, and that is all that counts.
    if earlier is None or _recorded(read_plan(earlier.data, head.user_id, head.name)) == _recorded(plan):
        return None
    return f"event {head.name} has another recorded extraction in {earlier.place}, which was read first"


def _kept_decision(spool: Spool, head: RecordHead, piece: Piece) -> str | None:
    made = read_decision(piece.data)
    spool.add(head, piece.place, piece.data)
    earlier = spool.earlier(head)
    if earlier is None or read_decision(earlier.data).decision == made.decision:
        return None
    return f"another decision {head.name} of its owner was read first"


def _recorded(plan: ExtractionPlan) -> tuple[object, ...]:
    return plan.event, plan.extraction, plan.extractor, plan.options


def _unread(place: Place, reason: str) -> Unread:
    return Unread(source=place.file, line=place.line, reason=reason)

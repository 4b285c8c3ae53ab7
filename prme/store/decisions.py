"""Reading explicit decisions: what callers decided by hand, in the order in which they did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from prme.clock import from_microseconds, to_microseconds
from prme.model.decision import ExplicitDecision, MadeDecision
from prme.store.database import Reader
from prme.store.rows import Row

_DECISIONS = """
    select d.number, d.seq, d.operation_id, d.kind, d.old_id, d.new_id, d.effective_at, d.mark, d.actor, d.evidence_id,
        j.recorded_at
    from explicit_decisions d join journal j on j.owner_key = d.owner_key and j.seq = d.seq
    where d.owner_key = ?
"""


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """An explicit decision as it was recorded, with the number of its journal entry."""

    seq: int
    made: MadeDecision
    recorded_at: datetime


def explicit_decisions(
    reader: Reader, owner_key: int, *, node_ids: Sequence[str] | None = None, known_at: datetime | None = None
) -> list[StoredDecision]:
    """Return an owner's explicit decisions in order: all, or those that name one of the given nodes.

    With `known_at` (UTC) those recorded up to then.
    """
    if node_ids is not None and not node_ids:
        return []
    sql, parameters = _DECISIONS, [owner_key]
    marks = ""
    if node_ids is not None:
        marks = ", ".join("?" for _ in node_ids)
        sql += f" and (d.old_id in ({marks}) or d.new_id in ({marks}))"
    known = "" if known_at is None else " and j.recorded_at <= ?"
    times = () if known_at is None else (to_microseconds(known_at),)
    rows = reader.query(f"{sql}{known} order by d.number", [*parameters, *(node_ids or ()), *(node_ids or ()), *times])
    return [_stored(row) for row in rows]


def find_decision(reader: Reader, owner_key: int, operation_id: str) -> StoredDecision | None:
    """Return an owner's explicit decision by its operation id, or None."""
    rows = reader.query(f"{_DECISIONS} and d.operation_id = ?", [owner_key, operation_id])
    return _stored(rows[0]) if rows else None


def _stored(row: Row) -> StoredDecision:
    number, seq, operation_id, kind, old, new, effective_at, mark, actor, evidence_id, recorded_at = row
    decision = ExplicitDecision(
        number=int(number),
        kind=kind,
        old=old,
        new=new,
        at=None if effective_at is None else from_microseconds(effective_at),
        mark=from_microseconds(mark),
    )
    made = MadeDecision(decision=decision, operation_id=operation_id, actor=actor, evidence_id=evidence_id)
    return StoredDecision(seq=int(seq), made=made, recorded_at=from_microseconds(recorded_at))

"""Checking an export without a store: every record, the manifest, and the state that the records lead to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prme.records.spool import PlacedRecord
from prme.replay.folding import FoldedOwner
from prme.replay.history import Problem, owner_history
from prme.verification import state_digest


@dataclass(frozen=True, slots=True)
class CheckedOwner:
    """What an owner's records come to."""

    user_id: str
    events: int
    plans: int
    decisions: int
    outdated: int
    checksums: tuple[str, ...]
    state_digest: str
    problems: tuple[Problem, ...]


def check_owner(user_id: str, records: Sequence[PlacedRecord]) -> CheckedOwner:
    """Read, check and fold an owner's records, with all decisions, and return the digest of the state. Pure."""
    history = owner_history(user_id, records)
    folded = FoldedOwner.of(history)
    for one in history.decisions:
        folded.decide(one.made.decision)
    return CheckedOwner(
        user_id=user_id,
        events=len(history.events),
        plans=sum(one.prepared is not None for one in history.events),
        decisions=len(history.decisions),
        outdated=history.outdated,
        checksums=tuple(history.checksums),
        state_digest=state_digest(folded.nodes()),
        problems=history.problems,
    )

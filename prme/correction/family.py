"""The state of a family: its claims as the rules left them, and lookups for what another claim may concern."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from immutables import Map

from prme.correction.rulings import NO_RULINGS, Identity, Rulings, closing_time
from prme.correction.timeline import EMPTY_TIMELINE, Key, Timeline
from prme.model.claim import Claim
from prme.model.decision import RuleDecision
from prme.model.interval import Interval
from prme.model.node import Status

# Each claim makes a few of these values: named tuples are made several times faster than frozen dataclasses.
Ids = Map[str, None]
NO_IDS: Ids = Map()


def fold_key(claim: Claim) -> Key:
    """Return the place of a claim in the order of the fold; no two claims of an owner share one."""
    return (claim.effective_at, claim.received_at, claim.position)


@dataclass(frozen=True, slots=True)
class Closing:
    """When a rule closed a claim, and the correction that did."""

    at: datetime
    successor: str


class Entry(NamedTuple):
    """One claim in the fold: what it confirms, how a rule closed it, and what the rules concluded for it."""

    claim: Claim
    decision: RuleDecision
    confirms: str | None
    closing: Closing | None = None


class FamilyState(NamedTuple):
    """The folded state of a family: an entry for each claim, and lookups that follow from the entries.

    What comes after all others reads `standing` and `objects` alone: by identity the claims that may still be
    confirmed, and by cue of the object those that a correction may still meet. Both leave out what no later claim can
    find open. `open` has the latter by predicate, in the order of the fold.

    The others serve what arrives late, and near misses. `ended` and `confirming` are, by identity, the claims that were
    closed and those that confirm another one; `aside` are, by cue, those that are closed or that no rule ever retires;
    `corrections` are the claims that seek a target, by its cue; `closings` are the closed claims, each in the place of
    its successor.
    """

    rulings: Rulings
    entries: Map[str, Entry]
    newest: Key | None
    standing: Map[Identity, Ids]
    ended: Map[Identity, Ids]
    confirming: Map[Identity, Ids]
    objects: Map[str, Ids]
    aside: Map[str, Timeline]
    corrections: Map[str, Ids]
    open: Map[str, Timeline]
    closings: Timeline


EMPTY_FAMILY = FamilyState(
    rulings=NO_RULINGS,
    entries=Map(),
    newest=None,
    standing=Map(),
    ended=Map(),
    confirming=Map(),
    objects=Map(),
    aside=Map(),
    corrections=Map(),
    open=Map(),
    closings=EMPTY_TIMELINE,
)


def family_interval(state: FamilyState, claim_id: str) -> Interval:
    """Return the interval of one claim as the fold has it."""
    entry = state.entries[claim_id]
    claim, start = entry.claim, entry.claim.effective_at
    ruling = state.rulings.cover(claim)
    if ruling is not None and (entry.confirms is None or claim.id == ruling.old):
        superseded = ruling.kind == "supersede"
        return Interval(
            node_id=claim.id,
            valid_from=start,
            valid_to=closing_time(ruling, claim),
            status="superseded" if superseded else "deprecated",
            superseded_by=ruling.new if superseded else None,
            confirms=entry.confirms,
        )
    if entry.confirms is not None:
        return Interval(claim.id, start, None, "confirming", None, entry.confirms)
    if entry.closing is not None:
        return Interval(claim.id, start, entry.closing.at, "superseded", entry.closing.successor, None)
    status: Status = "contested" if claim.id in state.rulings.contested else "current"
    return Interval(claim.id, start, None, status, None, None)

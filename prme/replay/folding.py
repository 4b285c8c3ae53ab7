"""Folding an owner's history: each family once, then what every plan and decision did in the order received. Pure.

The fold over all claims gives the final intervals. A claim that something received after it closed, or let confirm
another one, is first published as open, and again with the plan that settled it: so that the journal tells who retired
what.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from prme import ids
from prme.correction.correct import WITH_NEAR_MISSES, Correction, IntervalChange, decide, subject_key
from prme.correction.fold import FamilyState, family_interval
from prme.correction.near_miss import MOST_NEAR_MISSES, failed_tests
from prme.correction.note import note_interval
from prme.correction.subject import SubjectState, family_key, fold_subject, newest_first
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, NearMiss, RuleDecision
from prme.model.interval import Interval
from prme.model.message import Event
from prme.model.node import Node
from prme.model.note import note_node
from prme.model.plan import PlannedClaim
from prme.plan.nodes import planned_node
from prme.policy.policy import Target
from prme.policy.registry import get_policy
from prme.replay.history import OwnerHistory, RecordedEvent


class _Origin(NamedTuple):
    """Where a node comes from: its event, its place in the order received, and its claim, None for a note."""

    event: Event
    turn: int
    planned: PlannedClaim | None = None
    claim: Claim | None = None


@dataclass(slots=True)
class FoldedOwner:
    """The state of one owner while it is replayed: first of all plans, then under one decision after the other."""

    origins: Mapping[str, _Origin]
    subjects: dict[str, SubjectState]
    intervals: dict[str, Interval]
    _ranked: dict[str, tuple[Sequence[Claim], Mapping[str, int]]] = field(default_factory=dict)
    _decided: dict[str, list[ExplicitDecision]] = field(default_factory=dict)

    @classmethod
    def of(cls, history: OwnerHistory) -> FoldedOwner:
        """Fold all claims of a history, without its decisions."""
        origins = dict(_origins(history.events))
        members: dict[str, list[Claim]] = {}
        for recorded in history.events:
            for claim in recorded.claims:
                members.setdefault(subject_key(claim), []).append(claim)
        subjects = {key: fold_subject(claims) for key, claims in members.items()}
        intervals = {
            claim_id: family_interval(family, claim_id)
            for subject in subjects.values()
            for family in subject.families.values()
            for claim_id in family.entries
        }
        for recorded in history.events:
            note = ids.note_id(recorded.event.id)
            intervals[note] = note_interval(note, recorded.event.occurred_at, ())
        return cls(origins, subjects, intervals)

    def corrections(self, events: Sequence[RecordedEvent]) -> Iterator[Correction]:
        """Yield what each event's plan did, in the order given: its own claims, and those before it that it settled."""
        settled: dict[int, list[IntervalChange]] = {}
        own: list[list[IntervalChange]] = []
        for turn, recorded in enumerate(events):
            own.append([])
            for claim in recorded.claims:
                final = self.intervals[claim.id]
                settler = final.superseded_by or final.confirms
                later = turn if settler is None else self.origins[settler].turn
                first = final if later <= turn else Interval(claim.id, final.valid_from, None, "current", None, None)
                own[turn].append(IntervalChange(None, first))
                if later > turn:
                    settled.setdefault(later, []).append(IntervalChange(first, final))
        for turn, recorded in enumerate(events):
            changes = sorted((*own[turn], *settled.pop(turn, ())), key=lambda change: change.after.node_id)
            decisions = tuple(map(self._decision, recorded.claims))
            yield Correction(self.subjects, tuple(changes), decisions, ())

    def decide(self, decision: ExplicitDecision) -> tuple[Correction, list[tuple[Node, Node]]]:
        """Fold again what a decision concerns, and return what it changed and its two nodes before and after."""
        nodes = (decision.old, decision.new)
        for node_id in nodes:
            self._decided.setdefault(node_id, []).append(decision)
        claims = [claim for node_id in nodes if (claim := self.origins[node_id].claim) is not None]
        notes = {node_id: self._note_change(node_id) for node_id in nodes if self.origins[node_id].claim is None}
        correction = decide({subject_key(c): self.subjects[subject_key(c)] for c in claims}, decision, notes)
        before_nodes = [self.node(node_id) for node_id in nodes]
        self.subjects.update(correction.subjects)
        self.intervals.update((change.after.node_id, change.after) for change in correction.changes)
        return correction, list(zip(before_nodes, map(self.node, nodes), strict=True))

    def node(self, node_id: str) -> Node:
        """Return a note or claim as it stands, but for when it was last confirmed."""
        origin, own = self.origins[node_id], self.intervals[node_id]
        closed = own if own.status != "confirming" or own.confirms is None else self.intervals[own.confirms]
        if origin.planned is None:
            return note_node(origin.event, own)
        return planned_node(origin.event, origin.planned, own, closed)

    def nodes(self) -> Iterator[Node]:
        """Yield all notes and claims as they stand."""
        yield from map(self.node, self.intervals)

    def _note_change(self, note_id: str) -> IntervalChange:
        before = self.intervals[note_id]
        return IntervalChange(before, note_interval(note_id, before.valid_from, self._decided[note_id]))

    def _decision(self, claim: Claim) -> RuleDecision:
        subject = self.subjects[subject_key(claim)]
        decision = subject.families[family_key(claim)].entries[claim.id].decision
        if decision.reason not in WITH_NEAR_MISSES:
            return decision
        found = tuple(self._near_misses(subject, claim))
        return decision.model_copy(update={"near_misses": found}) if found else decision

    def _near_misses(self, subject: SubjectState, correction: Claim) -> Iterator[NearMiss]:
        """Yield the claims before a correction in the fold that fail exactly one of its tests, newest first."""
        policy = get_policy(correction.policy)
        target = policy.authority(correction)
        if not isinstance(target, Target):
            return
        found = 0
        ranked, rank = self._in_fold_order(subject_key(correction), subject)
        for index in range(rank[correction.id] - 1, -1, -1):
            earlier = ranked[index]
            family: FamilyState = subject.families[family_key(earlier)]
            if family.entries[earlier.id].confirms is not None:
                continue
            failed = failed_tests(policy, target, correction, family, earlier)
            if len(failed) == 1:
                yield NearMiss(claim_id=earlier.id, test=failed[0])
                found += 1
                if found == MOST_NEAR_MISSES:
                    return

    def _in_fold_order(self, key: str, subject: SubjectState) -> tuple[Sequence[Claim], Mapping[str, int]]:
        """Return the claims of a subject from the first on, and the place of each; most subjects are never asked."""
        found = self._ranked.get(key)
        if found is None:
            claims = [entry.claim for _, entry in newest_first(subject)][::-1]
            found = self._ranked[key] = claims, {claim.id: place for place, claim in enumerate(claims)}
        return found


def _origins(events: Sequence[RecordedEvent]) -> Iterator[tuple[str, _Origin]]:
    for turn, recorded in enumerate(events):
        yield ids.note_id(recorded.event.id), _Origin(recorded.event, turn)
        if recorded.prepared is not None:
            for planned, claim in zip(recorded.prepared.plan.claims, recorded.claims, strict=True):
                yield claim.id, _Origin(recorded.event, turn, planned, claim)

"""Revision: judging again the claims that a late claim or a decision made by hand can concern, and no others.

A claim is judged by what comes before it: equal claims that are open then and, if it seeks a target, the open claims
that this names. So a change of one claim's interval concerns equal claims and corrections that name it, further on in
the fold. They are judged again in the order of the fold, and lead on only where one comes out differently (SPEC 8.2).
"""

from __future__ import annotations

from heapq import heappop, heappush

from prme.correction.draft import FamilyDraft
from prme.correction.family import Closing, Entry, fold_key
from prme.correction.judging import Judgement, judge, meets
from prme.correction.rulings import Rulings, claim_identity
from prme.correction.timeline import Item, Key
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from prme.policy.policy import Target
from prme.policy.registry import get_policy


def revise_for_claim(draft: FamilyDraft, claim: Claim) -> frozenset[str]:
    """Put a claim in its place among those that are known, and return the ids that may have changed, its own too."""
    revision = _Revision(draft)
    revision.judge_again(claim)
    return revision.carry_on()


def revise_for_decision(draft: FamilyDraft, decision: ExplicitDecision) -> frozenset[str]:
    """Put one more decision made by hand in force, and return the ids that may have changed.

    At least one of its claims must be of the family.
    """
    decisions = (*draft.rulings.decisions, decision)
    names = {name for each in decisions for name in (each.old, each.new)}
    rulings = Rulings.of(decisions, {name: draft.entries[name].claim for name in names if name in draft.entries})
    concerned = _concerned(draft, decision)
    draft.rule(rulings, concerned)
    revision = _Revision(draft)
    for entry in concerned:
        revision.queue(entry.claim)
        revision.lead_on(entry.claim, fold_key(entry.claim))
    return revision.carry_on()


def _concerned(draft: FamilyDraft, decision: ExplicitDecision) -> list[Entry]:
    """Return the entries that a decision closes, holds, names or contests, or that cease to be so with it."""
    entries = draft.entries
    found = {name: entries[name] for name in (decision.old, decision.new) if name in entries}
    if decision.kind != "contradict" and decision.old in found:
        equal = draft.all_equals(claim_identity(found[decision.old].claim))
        found |= {entry.claim.id: entry for entry in equal}
    return list(found.values())


class _Revision:
    """The claims that are to be judged again, the earliest in the fold first."""

    def __init__(self, draft: FamilyDraft) -> None:
        self._draft = draft
        self._waiting: list[Item] = []
        self._queued: set[str] = set()
        self._touched: set[str] = set()

    def queue(self, claim: Claim) -> None:
        """Let a claim be judged again, once."""
        if claim.id not in self._queued:
            self._queued.add(claim.id)
            heappush(self._waiting, (fold_key(claim), claim.id))

    def carry_on(self) -> frozenset[str]:
        """Judge until nothing waits any more, and return the ids of all that was touched."""
        while self._waiting:
            _, name = heappop(self._waiting)
            self.judge_again(self._draft.entries[name].claim)
        return frozenset(self._touched)

    def judge_again(self, claim: Claim) -> None:
        """Judge a claim by what comes before it, and queue what that concerns."""
        draft, place = self._draft, fold_key(claim)
        known = draft.entries.get(claim.id)
        judgement = judge(draft, claim, late=True)
        self._touched.add(claim.id)
        if known is None and judgement.cue is not None:
            draft.seek(judgement.cue, claim.id)
        is_open = judgement.confirms is None
        closing = known.closing if known is not None and is_open else None
        draft.put(Entry(claim, judgement.decision, judgement.confirms, closing))
        # A known claim that opens or confirms now does so for an equal one's sake, which has led on to the same claims.
        if known is None and is_open:
            self.lead_on(claim, place)
        self._close(claim, place, judgement)

    def lead_on(self, changed: Claim, place: Key) -> None:
        """Queue what comes after a place in the fold, and is judged by a claim that is another there than before."""
        place = max(place, fold_key(changed))
        for entry in self._draft.all_equals(claim_identity(changed)):
            if fold_key(entry.claim) > place:
                self.queue(entry.claim)
        for correction in self._draft.seekers(changed):
            if fold_key(correction) > place and _concerns(changed, correction):
                self.queue(correction)

    def _close(self, claim: Claim, place: Key, judgement: Judgement) -> None:
        """Let a claim close what it was judged to close, and nothing that it had closed before."""
        if judgement.cue is None:
            return
        closed = {entry.claim.id: entry for entry in judgement.closed}
        for entry in self._draft.sought(judgement.cue, before=place):
            is_mine = entry.closing is not None and entry.closing.successor == claim.id
            if is_mine == (entry.claim.id in closed):
                continue
            closing = None if is_mine else Closing(claim.effective_at, claim.id)
            self._draft.put(entry._replace(closing=closing))
            self._touched.add(entry.claim.id)
            self.lead_on(entry.claim, place)


def _concerns(changed: Claim, correction: Claim) -> bool:
    policy = get_policy(correction.policy)
    target = policy.authority(correction)
    return isinstance(target, Target) and meets(policy, correction, target, changed) is not None

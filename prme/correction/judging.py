"""Judging one claim against what comes before it in the fold: what it retires, and which equal claim it confirms."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prme.correction.draft import FamilyDraft
from prme.correction.family import Entry, fold_key
from prme.correction.rulings import claim_identity, closing_time
from prme.model.claim import Claim
from prme.model.decision import Match, Reason, RetiredTarget, RuleDecision, Via
from prme.policy.policy import Policy, Target
from prme.policy.registry import get_policy


class Judgement(NamedTuple):
    """What the rules make of a claim: the decision, the entries that it closes, and the equal claim that it confirms.

    `cue` is where it looked for its target, None for a claim without one.
    """

    decision: RuleDecision
    cue: str | None
    closed: Sequence[Entry]
    confirms: str | None


@dataclass(frozen=True, slots=True)
class _Hit:
    entry: Entry
    match: Match
    via: Via


def judge(draft: FamilyDraft, claim: Claim, *, late: bool) -> Judgement:
    """Judge a claim. One that is not `late` must come after all others of its family; only that one costs little."""
    before = fold_key(claim) if late else None
    policy = get_policy(claim.policy)
    target = policy.authority(claim)
    cue: str | None = None
    closed: Sequence[Entry] = ()
    if isinstance(target, Target):
        cue = policy.objects.target_cue(target.object_key)
        hits = _hits(draft, policy, claim, target, draft.sought(cue, before=before))
        decision, closed = _decide(draft, claim, target, hits)
    else:
        # Fields that are left out are not checked again: most claims end here.
        decision = RuleDecision(claim_id=claim.id, outcome="none", reason=target, trigger=claim.trigger)
    equal = draft.equals(claim_identity(claim), before=before)
    return Judgement(decision, cue, closed, _confirmed(draft, claim, equal, closed))


def meets(policy: Policy, correction: Claim, target: Target, earlier: Claim) -> tuple[Match, Via] | None:
    """Return how a correction meets what was said before, were it open; None when it leaves it alone."""
    if correction.polarity == "positive" and correction.object_key == earlier.object_key:
        return None
    match = policy.objects.match(target.object_key, earlier.object_key)
    if match is None or not policy.may_retire(earlier):
        return None
    via = policy.relation(correction, earlier)
    return None if via is None else (match, via)


def _hits(draft: FamilyDraft, policy: Policy, correction: Claim, target: Target, sought: Iterable[Entry]) -> list[_Hit]:
    """Return the open claims that a correction meets, in order of the fold."""
    hits = []
    for entry in sought:
        met = meets(policy, correction, target, entry.claim)
        if met is not None and _is_open(draft, entry, correction):
            hits.append(_Hit(entry, *met))
    return sorted(hits, key=lambda hit: fold_key(hit.entry.claim))


def _decide(
    draft: FamilyDraft, correction: Claim, target: Target, hits: list[_Hit]
) -> tuple[RuleDecision, list[Entry]]:
    """Return the decision for a correction, and the entries that it closes as far as rules go.

    A claim that a decision closed later is closed by the rule as well for what was received before that decision, but
    it is not counted as retired (SPEC 8.2 b).
    """
    met = tuple(hit.entry.claim.id for hit in hits)
    if len({hit.entry.claim.object_key for hit in hits}) > 1:
        return _concluded(correction, target, reason="ambiguous", candidates=met), []
    rulings = draft.rulings
    closed: list[Entry] = []
    retired: list[RetiredTarget] = []
    for hit in hits:
        earlier = hit.entry.claim
        ruling = rulings.cover(earlier)
        if earlier.id in rulings.contested or rulings.holds(earlier.id, correction):
            continue
        if ruling is not None and correction.received_at > ruling.mark:
            continue
        closed.append(hit.entry)
        if ruling is None:
            retired.append(RetiredTarget(claim_id=earlier.id, match=hit.match, via=hit.via))
    if retired:
        return _concluded(correction, target, targets=tuple(retired)), closed
    reason: Reason = "no_match"
    if hits:
        contested = any(hit.entry.claim.id in rulings.contested for hit in hits)
        reason = "contested" if contested else "decided"
    return _concluded(correction, target, reason=reason, candidates=met), closed


def _concluded(
    claim: Claim,
    target: Target,
    *,
    reason: Reason | None = None,
    targets: tuple[RetiredTarget, ...] = (),
    candidates: tuple[str, ...] = (),
) -> RuleDecision:
    return RuleDecision(
        claim_id=claim.id,
        outcome="retired" if targets else "none",
        reason=reason,
        rule=target.rule.name,
        trigger=claim.trigger,
        targets=targets,
        candidates=candidates,
    )


def _is_open(draft: FamilyDraft, entry: Entry, seen_from: Claim) -> bool:
    """Whether a claim that confirms no other is open for a later one, by what comes before that in the fold."""
    ruling = draft.rulings.cover(entry.claim)
    if ruling is not None and seen_from.received_at > ruling.mark:
        return seen_from.effective_at < closing_time(ruling, entry.claim)
    closing = entry.closing
    if closing is None or seen_from.effective_at < closing.at:
        return True
    # At the very instant the order of the fold tells: what comes after `seen_from` has closed nothing for it.
    return seen_from.effective_at == closing.at and fold_key(draft.entries[closing.successor].claim) >= fold_key(
        seen_from
    )


def _confirmed(draft: FamilyDraft, claim: Claim, equal: Iterable[Entry], closed: Sequence[Entry]) -> str | None:
    """Return the earliest equal open claim that a claim does not close itself, and confirms; or None."""
    if claim.subject_id is None or claim.id in draft.rulings.named:
        return None
    open_ones = [entry.claim for entry in equal if entry not in closed and _is_open(draft, entry, claim)]
    return min(open_ones, key=fold_key).id if open_ones else None

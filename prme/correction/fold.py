"""The fold: the state of a family is a pure function of its claims and decisions, whatever their order of arrival.

Claims are taken in order of (effective time, time received, position). Each one is judged against what is open, closes
what it retires, and then opens or confirms an equal open claim. A claim that comes after all others takes the same step
on the state as it stands, so the incremental state is the fold by construction (SPEC 8.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from immutables import Map

from prme.correction.rulings import NO_RULINGS, Identity, Rulings, claim_identity, closing_time
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, Match, Reason, RetiredTarget, RuleDecision, Via
from prme.model.interval import Interval
from prme.model.node import Status
from prme.policy.policy import Policy, Target
from prme.policy.registry import get_policy, object_cues

Key = tuple[datetime, datetime, int]


def fold_key(claim: Claim) -> Key:
    """Return the place of a claim in the order of the fold; no two claims of an owner share one."""
    return (claim.effective_at, claim.received_at, claim.position)


@dataclass(frozen=True, slots=True)
class Closing:
    """When a rule closed a claim, and the correction that did."""

    at: datetime
    successor: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One claim in the fold: what it confirms, how a rule closed it, and what the rules concluded for it."""

    claim: Claim
    decision: RuleDecision
    confirms: str | None
    closing: Closing | None = None


@dataclass(frozen=True, slots=True)
class FamilyState:
    """The folded state of a family.

    `standing` holds, by identity, the claims that may still be confirmed; `objects` holds, by cue of the object, the
    claims that a correction may still meet. Both leave out what no later claim can find open.
    """

    rulings: Rulings
    entries: Map[str, Entry]
    standing: Map[Identity, tuple[str, ...]]
    objects: Map[str, Map[str, None]]
    newest: Key | None


@dataclass(frozen=True, slots=True)
class Admission:
    """The outcome of admitting one claim; `touched` are the ids whose interval or decision may have changed."""

    state: FamilyState
    touched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Hit:
    entry: Entry
    match: Match
    via: Via


EMPTY_FAMILY = FamilyState(rulings=NO_RULINGS, entries=Map(), standing=Map(), objects=Map(), newest=None)


def fold_family(claims: Iterable[Claim], decisions: Sequence[ExplicitDecision] = ()) -> FamilyState:
    """Fold all claims of one family from nothing.

    Decisions that name no claim of the family are ignored. Pure: any order of `claims` gives the same state.
    """
    ordered = sorted(claims, key=fold_key)
    rulings = Rulings.of(decisions, {claim.id: claim for claim in ordered})
    state = replace(EMPTY_FAMILY, rulings=rulings)
    for claim in ordered:
        state = _step(state, claim).state
    return state


def admit(state: FamilyState, claim: Claim) -> Admission:
    """Return the state with one more claim: one step when it is the newest, a new fold when it arrives late."""
    if state.newest is None or fold_key(claim) > state.newest:
        return _step(state, claim)
    claims = [entry.claim for entry in state.entries.values()]
    folded = fold_family([*claims, claim], state.rulings.decisions)
    return Admission(folded, tuple(folded.entries))


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


def _step(state: FamilyState, claim: Claim) -> Admission:
    """Judge a claim that comes after all others of its family, close what it retires, and let it open or confirm."""
    policy = get_policy(claim.policy)
    target = policy.authority(claim)
    closed: list[Entry] = []
    if isinstance(target, Target):
        hits = _hits(state, policy, claim, target)
        decision, closed = _judge(state, claim, target, hits)
    else:
        decision = _concluded(claim, None, reason=target)
    for entry in closed:
        state = _close(state, entry, Closing(claim.effective_at, claim.id))
    entry = Entry(claim=claim, decision=decision, confirms=_confirmed(state, claim))
    return Admission(_open(state, entry), (claim.id, *(entry.claim.id for entry in closed)))


def _hits(state: FamilyState, policy: Policy, correction: Claim, target: Target) -> list[_Hit]:
    """Return the open claims that a correction meets, in order of the fold."""
    hits = []
    for claim_id in state.objects.get(policy.objects.target_cue(target.object_key), Map()):
        entry = state.entries[claim_id]
        match = policy.objects.match(target.object_key, entry.claim.object_key)
        via = policy.relation(correction, entry.claim)
        if match is None or via is None or not policy.may_retire(entry.claim):
            continue
        if not _is_open(state, entry, correction):
            continue
        if correction.polarity == "positive" and correction.object_key == entry.claim.object_key:
            continue
        hits.append(_Hit(entry, match, via))
    return sorted(hits, key=lambda hit: fold_key(hit.entry.claim))


def _judge(state: FamilyState, correction: Claim, target: Target, hits: list[_Hit]) -> tuple[RuleDecision, list[Entry]]:
    """Return the decision for a correction, and the entries that it closes as far as rules go.

    A claim that a decision closed later is closed by the rule as well for what was received before that decision, but
    it is not counted as retired (SPEC 8.2 b).
    """
    met = tuple(hit.entry.claim.id for hit in hits)
    if len({hit.entry.claim.object_key for hit in hits}) > 1:
        return _concluded(correction, target, reason="ambiguous", candidates=met), []
    closed: list[Entry] = []
    retired: list[RetiredTarget] = []
    for hit in hits:
        earlier = hit.entry.claim
        ruling = state.rulings.cover(earlier)
        if earlier.id in state.rulings.contested or state.rulings.holds(earlier.id, correction):
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
        contested = any(hit.entry.claim.id in state.rulings.contested for hit in hits)
        reason = "contested" if contested else "decided"
    return _concluded(correction, target, reason=reason, candidates=met), closed


def _concluded(
    claim: Claim,
    target: Target | None,
    *,
    reason: Reason | None = None,
    targets: tuple[RetiredTarget, ...] = (),
    candidates: tuple[str, ...] = (),
) -> RuleDecision:
    return RuleDecision(
        claim_id=claim.id,
        outcome="retired" if targets else "none",
        reason=reason,
        rule=None if target is None else target.rule.name,
        trigger=claim.trigger,
        targets=targets,
        candidates=candidates,
    )


def _is_open(state: FamilyState, entry: Entry, seen_from: Claim) -> bool:
    """Whether a claim that confirms no other is open at the effective time of a later one, as that one may see it."""
    ruling = state.rulings.cover(entry.claim)
    if ruling is not None and seen_from.received_at > ruling.mark:
        return seen_from.effective_at < closing_time(ruling, entry.claim)
    return entry.closing is None or seen_from.effective_at < entry.closing.at


def _confirmed(state: FamilyState, claim: Claim) -> str | None:
    """Return the earliest equal open claim, which this one confirms, or None."""
    if claim.subject_id is None or claim.id in state.rulings.named:
        return None
    equal = [state.entries[claim_id] for claim_id in state.standing.get(claim_identity(claim), ())]
    open_ones = [entry.claim for entry in equal if _is_open(state, entry, claim)]
    return min(open_ones, key=fold_key).id if open_ones else None


def _close(state: FamilyState, entry: Entry, closing: Closing) -> FamilyState:
    claim = entry.claim
    state = replace(state, entries=state.entries.set(claim.id, replace(entry, closing=closing)))
    if state.rulings.cover(claim) is not None:
        return state  # still open for what is received after that decision
    identity = claim_identity(claim)
    standing = tuple(claim_id for claim_id in state.standing.get(identity, ()) if claim_id != claim.id)
    objects = state.objects
    for cue in object_cues(claim):
        objects = objects.set(cue, objects[cue].delete(claim.id))
    return replace(state, standing=state.standing.set(identity, standing), objects=objects)


def _open(state: FamilyState, entry: Entry) -> FamilyState:
    claim = entry.claim
    standing, objects = state.standing, state.objects
    if entry.confirms is None:
        identity = claim_identity(claim)
        standing = standing.set(identity, (*standing.get(identity, ()), claim.id))
        for cue in object_cues(claim):
            objects = objects.set(cue, objects.get(cue, Map()).set(claim.id, None))
    return FamilyState(
        rulings=state.rulings,
        entries=state.entries.set(claim.id, entry),
        standing=standing,
        objects=objects,
        newest=fold_key(claim),
    )

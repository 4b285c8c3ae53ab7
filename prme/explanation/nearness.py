"""Nearness: whether a claim would have been retired had one thing been otherwise, found by judging it again.

Nothing here guesses. A correction is taken with one thing changed, or beside an earlier claim with one thing changed,
and the fold of its family decides. So a sentence promises a retirement only when the rules would keep the promise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Literal

from prme.clock import MICROSECOND
from prme.correction.fold import FamilyState, Key, admit, fold_family, fold_key
from prme.correction.subject import FamilyKey, family_key
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, NearMiss, Reason, RuleDecision, Test
from prme.policy.policy import ASSERTING, Target
from prme.policy.registry import get_policy, predicate_family

Outcome = Literal["retired", "unclear", "one_more", "nothing"]

# Folded texts hold no such character, so it is another value than any that was said.
ANOTHER_VALUE = "\x00"


@dataclass(frozen=True, slots=True)
class Nearness:
    """A near miss, judged again as if the one test had been passed.

    `earlier` is the claim that it names, and `target` the folded value that the correction ends. `outcome` is
    `retired` when the correction would have retired it, `unclear` when it would have become ambiguous, `one_more` when
    it stays ambiguous with one more candidate, `nothing` when the claim would have stayed all the same. It is None when
    no single change passes the test. `same_value` says that the claim has the new value itself, and `closer` names the
    claim whose correction had closed it.
    """

    near_miss: NearMiss
    earlier: Claim
    target: str
    outcome: Outcome | None
    same_value: bool = False
    closer: str | None = None


@dataclass(frozen=True, slots=True)
class World:
    """All claims of one subject by id, and the explicit decisions about them, in which corrections are judged again."""

    claims: Mapping[str, Claim]
    decisions: tuple[ExplicitDecision, ...] = ()
    _folded: dict[tuple[str, FamilyKey, Key], FamilyState] = field(default_factory=dict, compare=False, repr=False)

    def judged(self, claim: Claim) -> RuleDecision:
        """Return the decision for a claim that takes the place of the one with its id, or comes in addition."""
        decided = self._decided(claim)
        if decided:
            return fold_family([*self._beside(claim), claim], decided).entries[claim.id].decision
        return admit(self.before(claim), claim).state.entries[claim.id].decision

    def closer(self, earlier: Claim, correction: Claim) -> str | None:
        """Return the claim by which a rule had closed an earlier one before a correction; None for one decided by hand.

        Both must be of one family.
        """
        decided = self._decided(correction)
        state = self.before(correction)
        if decided:
            state = fold_family([*self._beside(correction), correction], decided)
        entry = state.entries.get(earlier.id)
        if entry is None or entry.closing is None or state.rulings.cover(earlier) is not None:
            return None
        return entry.closing.successor

    def before(self, claim: Claim) -> FamilyState:
        """Return the state of a claim's family as the claim finds it, by rules alone.

        What follows a claim in the order of the fold does not change how it is judged. A changed claim mostly keeps its
        place, so the state there is kept for the next one.
        """
        place = (claim.id, family_key(claim), fold_key(claim))
        if place not in self._folded:
            earlier = (other for other in self._beside(claim) if fold_key(other) < fold_key(claim))
            self._folded[place] = fold_family(earlier)
        return self._folded[place]

    def with_claim(self, claim: Claim) -> World:
        """Return the world with a claim in place of the one with its id."""
        return World({**self.claims, claim.id: claim}, self.decisions)

    def without(self, claim_id: str) -> World:
        """Return the world in which a claim was not made."""
        return World({name: claim for name, claim in self.claims.items() if name != claim_id}, self.decisions)

    def _decided(self, claim: Claim) -> tuple[ExplicitDecision, ...]:
        """Return the decisions by hand that may concern a claim's family."""
        members = {claim.id, *(other.id for other in self._beside(claim))} if self.decisions else frozenset()
        return tuple(decision for decision in self.decisions if not members.isdisjoint((decision.old, decision.new)))

    def _beside(self, claim: Claim) -> Iterator[Claim]:
        family = family_key(claim)
        yield from (other for other in self.claims.values() if other.id != claim.id and family_key(other) == family)


def judge_near_misses(world: World, correction: Claim, decision: RuleDecision) -> tuple[Nearness, ...]:
    """Return the near misses of a decision, each judged again, in their order; those the world does not hold left out.

    `correction` must be the claim that the decision is about.
    """
    target = get_policy(correction.policy).authority(correction)
    if not isinstance(target, Target):
        return ()
    return tuple(
        _nearness(world, correction, target, miss, ambiguous=decision.reason == "ambiguous")
        for miss in decision.near_misses
        if miss.claim_id in world.claims
    )


def _nearness(world: World, correction: Claim, target: Target, miss: NearMiss, *, ambiguous: bool) -> Nearness:
    nearness = Nearness(miss, world.claims[miss.claim_id], target.object_key, outcome=None)
    if miss.test == "state":
        return _by_state(world, correction, nearness, ambiguous=ambiguous)
    earlier = nearness.earlier
    nearness = replace(nearness, same_value=miss.test == "object" and _is_new_value(correction, earlier))
    names_it = get_policy(correction.policy).objects.match(target.object_key, earlier.object_key) is not None
    if nearness.same_value and not names_it:
        return nearness
    if not ambiguous:
        said = _said_otherwise(correction, target, earlier, miss.test)
        return nearness if said is None else replace(nearness, outcome=_outcome(world, said, earlier))
    passing = _earlier_otherwise(correction, target, earlier, miss.test)
    outcome = None if passing is None else _outcome(world.with_claim(passing), correction, earlier)
    # Other words could retire it alone, but beside an ambiguous correction only its candidates matter.
    return replace(nearness, outcome="one_more" if outcome == "unclear" else None)


def _by_state(world: World, correction: Claim, nearness: Nearness, *, ambiguous: bool) -> Nearness:
    """Judge a claim again as if it had been open and plainly stated."""
    earlier = nearness.earlier
    if get_policy(correction.policy).may_retire(earlier):
        closer = world.closer(earlier, correction)
        if closer is None:
            return nearness
        nearness = replace(nearness, closer=closer)
        otherwise = world.without(closer)
    else:
        otherwise = world.with_claim(plainly(earlier))
    outcome = _outcome(otherwise, correction, earlier)
    return replace(nearness, outcome="one_more" if ambiguous and outcome == "unclear" else outcome)


def _outcome(world: World, correction: Claim, earlier: Claim) -> Outcome:
    decision = world.judged(correction)
    if earlier.id in {target.claim_id for target in decision.targets}:
        return "retired"
    if decision.reason == "ambiguous" and earlier.id in decision.candidates:
        return "unclear"
    return "nothing"


def _is_new_value(correction: Claim, earlier: Claim) -> bool:
    return correction.polarity == "positive" and correction.object_key == earlier.object_key


def _said_otherwise(correction: Claim, target: Target, earlier: Claim, test: Test) -> Claim | None:
    """Return the correction as it passes a test, or None when no claim of this kind does."""
    match test:
        case "predicate":
            return replace(correction, predicate=earlier.predicate)
        case "object":
            if _is_new_value(correction, earlier):
                return replace(correction, object_key=ANOTHER_VALUE)
            return naming(correction, target, earlier.object_key)
        case "source_type":
            return replace(correction, source_type=earlier.source_type)
        case "kind":
            return replace(correction, kind=earlier.kind)
        case "time":
            later = _moved(earlier.effective_at, MICROSECOND)
            return None if later is None else replace(correction, effective_at=later)
        case "state":
            return None


def _earlier_otherwise(correction: Claim, target: Target, earlier: Claim, test: Test) -> Claim | None:
    """Return an earlier claim as it passes a test of the correction, or None when no such claim does."""
    match test:
        case "predicate":
            return replace(earlier, predicate=correction.predicate)
        case "object":
            return None if _is_new_value(correction, earlier) else replace(earlier, object_key=target.object_key)
        case "source_type":
            return replace(earlier, source_type=correction.source_type)
        case "kind":
            return replace(earlier, kind=correction.kind)
        case "time":
            sooner = _moved(correction.effective_at, -MICROSECOND)
            return None if sooner is None else replace(earlier, effective_at=sooner)
        case "state":
            return plainly(earlier)


def _moved(moment: datetime, by: timedelta) -> datetime | None:
    try:
        return moment + by
    except OverflowError:
        return None


def naming(correction: Claim, target: Target, object_key: str) -> Claim:
    """Return a correction that names another object, in the place where it names its target."""
    if correction.replaces_key == target.object_key:
        return replace(correction, replaces_key=object_key)
    return replace(correction, object_key=object_key)


def plainly(claim: Claim) -> Claim:
    """Return a claim as a positive, unconditional statement of fact; one that was asserted or observed stays so."""
    epistemic_type = claim.epistemic_type if claim.epistemic_type in ASSERTING else "asserted"
    return replace(claim, polarity="positive", condition=None, epistemic_type=epistemic_type)


def telling_apart(world: World, correction: Claim, candidates: Iterable[str]) -> tuple[str, ...]:
    """Return those of an ambiguous correction's candidates that naming their object would have retired, one an object.

    A name that still fits another candidate tells nothing apart: "York" fits "New York" as well.
    """
    target = get_policy(correction.policy).authority(correction)
    if not isinstance(target, Target):
        return ()
    one_of_each: dict[str, str] = {}
    for claim_id in candidates:
        if claim_id in world.claims:
            one_of_each.setdefault(world.claims[claim_id].object_key, claim_id)
    return tuple(
        claim_id
        for object_key, claim_id in one_of_each.items()
        if claim_id in _retired(world.judged(naming(correction, target, object_key)))
    )


def _retired(decision: RuleDecision) -> tuple[str, ...]:
    return tuple(target.claim_id for target in decision.targets)


def without_obstacle(claim: Claim, reason: Reason) -> Claim | None:
    """Return a claim without what took its authority, or None when the reason is nothing that one change removes."""
    match reason:
        case "not_an_update":
            return replace(claim, temporal_intent="update")
        case "conditional":
            stated = "asserted" if claim.epistemic_type == "conditional" else claim.epistemic_type
            return replace(claim, condition=None, epistemic_type=stated)
        case "not_asserted":
            return replace(claim, epistemic_type="asserted")
        case "polarity_unknown":
            return replace(claim, polarity="negative")
        case _:
            return None


def corrects(claim: Claim) -> bool:
    """Whether a claim has the authority to correct under its own policy."""
    return isinstance(get_policy(claim.policy).authority(claim), Target)


def retired_without_obstacle(world: World, claim: Claim, reason: Reason) -> tuple[str, ...]:
    """Return the ids of the claims that a claim would have retired without what took its authority."""
    freed = without_obstacle(claim, reason)
    return () if freed is None or not corrects(freed) else _retired(world.judged(freed))


@dataclass(frozen=True, slots=True)
class Fitting:
    """What a correction would have retired: its predicates, and the words that name its object."""

    predicates: tuple[str, ...]
    target: str


def fitting(world: World, correction: Claim) -> Fitting | None:
    """Return what an earlier claim must have been for a correction to retire it, or None when no claim would do.

    None for a claim without a target, and for one whose target is its new value.
    """
    policy = get_policy(correction.policy)
    target = policy.authority(correction)
    if not isinstance(target, Target):
        return None
    predicates = [
        predicate
        for predicate in sorted(predicate_family(correction.predicate))
        if policy.relation(correction, replace(correction, predicate=predicate)) is not None
    ]
    fits = all(
        f"fitting {correction.id}" in _retired(_beside_fitting(world, correction, target, predicate))
        for predicate in predicates
    )
    return Fitting(tuple(predicates), target.object_key) if fits else None


def fitting_claim(correction: Claim, target: Target, predicate: str) -> Claim:
    """Return a plain statement of what a correction ends, in effect when it is and received just before it."""
    return replace(
        plainly(correction),
        id=f"fitting {correction.id}",
        predicate=predicate,
        object_key=target.object_key,
        replaces_key=None,
        temporal_intent=None,
        received_at=correction.received_at - MICROSECOND,
    )


def _beside_fitting(world: World, correction: Claim, target: Target, predicate: str) -> RuleDecision:
    return world.with_claim(fitting_claim(correction, target, predicate)).judged(correction)

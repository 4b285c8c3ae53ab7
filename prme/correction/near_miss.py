"""Near misses: earlier claims that a correction would have retired but for exactly one test (SPEC 8.3)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from prme.correction.family import EMPTY_FAMILY, NO_IDS, FamilyState, family_interval, fold_key
from prme.correction.subject import SubjectState, family_key
from prme.correction.timeline import EMPTY_TIMELINE, Key
from prme.model.claim import Claim
from prme.model.decision import NearMiss, Test
from prme.policy.policy import Policy, Target
from prme.policy.registry import get_policy

MOST_NEAR_MISSES = 20


def near_misses(subject: SubjectState, correction: Claim) -> tuple[NearMiss, ...]:
    """Return the claims of the subject that fail exactly one test of the correction, newest first, at most 20.

    A claim that only confirms another one is left out: that other one stands for it.
    """
    policy = get_policy(correction.policy)
    target = policy.authority(correction)
    if not isinstance(target, Target):
        return ()
    found = [
        *_by_another_test(subject, policy, correction, target),
        *_by_object(subject, policy, correction, target),
    ]
    found.sort(key=lambda miss: fold_key(miss[0]), reverse=True)
    return tuple(NearMiss(claim_id=claim.id, test=test) for claim, test in found[:MOST_NEAR_MISSES])


def _by_another_test(
    subject: SubjectState, policy: Policy, correction: Claim, target: Target
) -> Iterator[tuple[Claim, Test]]:
    """Yield what the target names, is new enough to count, and fails one of the other tests: it is kept under a cue."""
    cue, place = policy.objects.target_cue(target.object_key), fold_key(correction)

    def failing(family: FamilyState, names: Iterable[str]) -> Iterator[tuple[Claim, Test]]:
        objects = ((name, family.entries[name].claim.object_key) for name in names)
        named = (name for name, found in objects if policy.objects.match(target.object_key, found) is not None)
        failures = _single_failures(policy, correction, target, family, named)
        return (failure for failure in failures if failure[1] != "object")

    for key, family in subject.families.items():
        yield from failing(family, family.objects.get(cue, NO_IDS))
        # What is aside fails by its state. In another family that is one test too many, but for what was open then.
        is_own = key == family_key(correction)
        aside = family.aside.get(cue, EMPTY_TIMELINE).latest_first() if is_own else _closed_later(family, place)
        yield from islice(failing(family, aside), MOST_NEAR_MISSES)


def _by_object(
    subject: SubjectState, policy: Policy, correction: Claim, target: Target
) -> Iterator[tuple[Claim, Test]]:
    """Yield what fails by its object alone, and is new enough to count: it is of the family and was open."""
    family, place = subject.families.get(family_key(correction), EMPTY_FAMILY), fold_key(correction)
    open_now = (
        timeline.back_from(place)
        for predicate, timeline in family.open.items()
        if policy.relation(correction, replace(correction, predicate=predicate)) is not None
    )
    for names in (*open_now, _closed_later(family, place)):
        failures = _single_failures(policy, correction, target, family, names)
        yield from islice((failure for failure in failures if failure[1] == "object"), MOST_NEAR_MISSES)


def _single_failures(
    policy: Policy, correction: Claim, target: Target, family: FamilyState, names: Iterable[str]
) -> Iterator[tuple[Claim, Test]]:
    """Yield those of the named claims that fail exactly one test, each with it."""
    for name in names:
        earlier = family.entries[name].claim
        failed = failed_tests(policy, target, correction, family, earlier)
        if len(failed) == 1 and name != correction.id:
            yield earlier, failed[0]


def _closed_later(family: FamilyState, place: Key) -> list[str]:
    """Return the ids before a place in the fold that were closed after it, the latest first."""
    keys = ((fold_key(family.entries[name].claim), name) for name in family.closings.after(place))
    return [name for key, name in sorted((item for item in keys if item[0] < place), reverse=True)]


def failed_tests(
    policy: Policy, target: Target, correction: Claim, family: FamilyState, earlier: Claim
) -> tuple[Test, ...]:
    """Return every test of the correction that an earlier claim of its subject fails."""
    failed: list[Test] = []
    if policy.relation(correction, earlier) is None:
        failed.append("predicate")
    same_value = correction.polarity == "positive" and correction.object_key == earlier.object_key
    if same_value or policy.objects.match(target.object_key, earlier.object_key) is None:
        failed.append("object")
    if correction.source_type is not earlier.source_type:
        failed.append("source_type")
    if correction.kind != earlier.kind:
        failed.append("kind")
    if fold_key(earlier) > fold_key(correction):
        failed.append("time")
    if not policy.may_retire(earlier) or _was_closed(family, correction, earlier):
        failed.append("state")
    return tuple(failed)


def _was_closed(family: FamilyState, correction: Claim, earlier: Claim) -> bool:
    valid_to = family_interval(family, earlier.id).valid_to
    return valid_to is not None and valid_to <= max(correction.effective_at, earlier.effective_at)

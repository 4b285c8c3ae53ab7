"""Near misses: earlier claims that a correction would have retired but for exactly one test (SPEC 8.3)."""

from __future__ import annotations

from prme.correction.fold import FamilyState, family_interval, fold_key
from prme.correction.subject import SubjectState, newest_first
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
    found: list[NearMiss] = []
    for family, entry in newest_first(subject):
        if entry.claim.id == correction.id or entry.confirms is not None:
            continue
        failed = failed_tests(policy, target, correction, family, entry.claim)
        if len(failed) == 1:
            found.append(NearMiss(claim_id=entry.claim.id, test=failed[0]))
            if len(found) == MOST_NEAR_MISSES:
                break
    return tuple(found)


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

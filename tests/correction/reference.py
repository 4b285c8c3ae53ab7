"""What the incremental state must answer, found the plain way: by looking at every claim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from prme.correction.family import FamilyState
from prme.correction.judging import meets
from prme.correction.near_miss import MOST_NEAR_MISSES, failed_tests
from prme.correction.rulings import claim_identity
from prme.correction.subject import SubjectState, newest_first
from prme.correction.timeline import Timeline
from prme.model.claim import Claim
from prme.model.decision import NearMiss
from prme.policy.policy import Target
from prme.policy.registry import get_policy

BEFORE_ALL = (datetime.min.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC), 0)


def near_misses_among_all(subject: SubjectState, correction: Claim) -> tuple[NearMiss, ...]:
    """Return the near misses of a correction: every claim of its subject put to every test."""
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
    return tuple(found[:MOST_NEAR_MISSES])


def group_of(late: Claim, claims: Iterable[Claim]) -> set[str]:
    """Return the claims of a family that are linked to one, by equality or as what a correction names."""
    left = {each.id: each for each in claims}
    group, waiting = {late.id}, [late]
    while waiting:
        each = waiting.pop()
        linked = [other for other in left.values() if _are_linked(each, other)]
        for other in linked:
            del left[other.id]
        group |= {other.id for other in linked}
        waiting += linked
    return group


def _are_linked(one: Claim, other: Claim) -> bool:
    return claim_identity(one) == claim_identity(other) or _names(one, other) or _names(other, one)


def _names(correction: Claim, earlier: Claim) -> bool:
    policy = get_policy(correction.policy)
    target = policy.authority(correction)
    return isinstance(target, Target) and meets(policy, correction, target, earlier) is not None


def lookups(family: FamilyState) -> dict[str, Any]:
    """Return all that a family knows, without what only the order of arrival has formed."""
    by_key = ("standing", "ended", "confirming", "objects", "corrections")
    return {
        **{name: _present(getattr(family, name)) for name in by_key},
        "open": _in_order(family.open),
        "aside": _in_order(family.aside),
        "closings": list(family.closings.after(BEFORE_ALL)),
        "entries": dict(family.entries),
        "newest": family.newest,
        "rulings": family.rulings,
    }


def _present(index: Mapping[Any, Iterable[str]]) -> dict[Any, set[str]]:
    return {key: set(names) for key, names in index.items()}


def _in_order(lines: Mapping[str, Timeline]) -> dict[str, list[str]]:
    return {key: found for key, line in lines.items() if (found := list(line.after(BEFORE_ALL)))}

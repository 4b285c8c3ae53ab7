"""The one list of policies, and the predicate families that follow from it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from prme.errors import UnsupportedPlanError
from prme.policy import speech_act_v13, speech_act_v14
from prme.policy.policy import Policy

POLICIES: dict[str, Policy] = {module.POLICY.name: module.POLICY for module in (speech_act_v13, speech_act_v14)}
DEFAULT_POLICY = speech_act_v14.POLICY.name
NEWEST_POLICY = max(POLICIES.values(), key=lambda policy: policy.number)


def get_policy(name: str) -> Policy:
    """Return a policy by its recorded name.

    Raises `UnsupportedPlanError` when this release does not know it (003-56).
    """
    policy = POLICIES.get(name)
    if policy is None:
        known = ", ".join(sorted(POLICIES))
        raise UnsupportedPlanError(
            f"policy {name!r} is not known to this release, which knows {known}: "
            f"upgrade prme to a release that has {name!r}"
        )
    return policy


@cache
def _linked_predicates() -> dict[str, frozenset[str]]:
    """Every predicate that some policy relates to another one, with all it is linked to through any number of steps."""
    linked: dict[str, frozenset[str]] = {}
    for group in _related_groups():
        merged = group.union(*(linked[predicate] for predicate in group if predicate in linked))
        linked.update(dict.fromkeys(merged, merged))
    return linked


def _related_groups() -> Iterator[frozenset[str]]:
    for policy in POLICIES.values():
        yield from policy.predicate_classes
        for transition in policy.transitions:
            yield transition.replaces | {transition.predicate}


def predicate_family(predicate: str) -> frozenset[str]:
    """Return the predicates between which some rule can act: a class, a transition's predicates, or the one itself.

    Families are computed and never stored, so a later policy may join them.
    """
    return _linked_predicates().get(predicate) or frozenset({predicate})

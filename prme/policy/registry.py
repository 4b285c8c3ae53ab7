"""The registry: every policy of this package, and what follows from all of them together.

A policy is a module named `speech_act_v<number>` with a `POLICY`. It is found by its name, so a new one is one new
module: families, the places to look for earlier objects and the newest policy a store may hold follow from its data.
"""

from __future__ import annotations

import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module

import prme.policy
from prme.errors import UnsupportedPlanError
from prme.model.claim import Claim
from prme.policy.policy import Policy

_POLICY_MODULE = re.compile(r"speech_act_v\d+")


def _policies() -> Iterator[Policy]:
    for module in pkgutil.iter_modules(prme.policy.__path__, "prme.policy."):
        if _POLICY_MODULE.fullmatch(module.name.rpartition(".")[2]):
            policy: Policy = import_module(module.name).POLICY
            yield policy


POLICIES: dict[str, Policy] = {policy.name: policy for policy in sorted(_policies(), key=lambda policy: policy.number)}
NEWEST_POLICY = list(POLICIES.values())[-1]
# Not the newest: a release may know a policy before it is anybody's default.
DEFAULT_POLICY = "speech_act_v14"
# Policies share most of their functions, and these are asked of each claim.
_MAY_RETIRE = tuple(dict.fromkeys(policy.may_retire for policy in POLICIES.values()))
_OBJECT_CUES = tuple(dict.fromkeys(policy.objects.object_cues for policy in POLICIES.values()))


def get_policy(name: str) -> Policy:
    """Return a policy by its recorded name.

    Raises `UnsupportedPlanError` when this release does not know it (003-56).
    """
    policy = POLICIES.get(name)
    if policy is None:
        known = ", ".join(POLICIES)
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


def may_be_retired(claim: Claim) -> bool:
    """Whether some policy may ever retire a claim."""
    return any(may_retire(claim) for may_retire in _MAY_RETIRE)


def object_cues(object_key: str) -> tuple[str, ...]:
    """Return the cues under which some policy may seek an object."""
    return tuple(dict.fromkeys(cue for cues_of in _OBJECT_CUES for cue in cues_of(object_key)))

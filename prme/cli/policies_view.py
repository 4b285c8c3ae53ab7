"""The pages of the policies: which there are, and everything that one of them decides by."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import Any

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section, table
from prme.policy.policy import Policy
from prme.policy.registry import DEFAULT_POLICY, NEWEST_POLICY


def policies_page(policies: Iterable[Policy]) -> RenderableType:
    """Return every policy with its rules in words, in the order given."""
    parts: list[RenderableType] = []
    for policy in policies:
        parts += [heading(f"{policy.name}{_marks(policy)}"), *_rules(policy)]
    return page(parts)


def policy_page(policy: Policy) -> RenderableType:
    """Return one policy: its rules, the predicates that it relates, how it compares objects, and its word lists."""
    parts: list[RenderableType] = [heading(f"{policy.name}{_marks(policy)}"), line(_owner(policy))]
    parts += section("Rules", _rules(policy))
    parts += section("Predicates that mean the same", (line(", ".join(names)) for names in _classes(policy)))
    parts += section("Transitions", _transitions(policy))
    parts += section("Objects", _objects(policy))
    parts += section("Word lists", [_word_lists(policy)])
    return page(parts)


def policy_summary(policy: Policy) -> dict[str, Any]:
    """Return what the list of policies says of one, as data."""
    return {
        "name": policy.name,
        "number": policy.number,
        "default": policy.name == DEFAULT_POLICY,
        "newest": policy is NEWEST_POLICY,
        "rules": [asdict(rule) for rule in policy.rules],
    }


def policy_data(policy: Policy) -> dict[str, Any]:
    """Return everything that a policy holds as data; what its functions do, it says in words."""
    return {
        **policy_summary(policy),
        "binds_owner": policy.binds_owner,
        "predicate_classes": _classes(policy),
        "transitions": [{**asdict(found), "replaces": sorted(found.replaces)} for found in policy.transitions],
        "objects": {"says": policy.objects.says, "bounds": [asdict(bound) for bound in policy.objects.bounds]},
        "words": asdict(policy.words),
    }


def _marks(policy: Policy) -> str:
    marks = {"default": policy.name == DEFAULT_POLICY, "newest": policy is NEWEST_POLICY}
    found = ", ".join(mark for mark, is_so in marks.items() if is_so)
    return f" ({found})" if found else ""


def _owner(policy: Policy) -> str:
    if policy.binds_owner:
        return 'The "I" of a declared owner is the same person in every message.'
    return 'The "I" of a declared owner is known in its own message only.'


def _rules(policy: Policy) -> Iterator[RenderableType]:
    for rule in policy.rules:
        yield line(f"{rule.name}: {rule.says}")


def _classes(policy: Policy) -> list[list[str]]:
    return [sorted(predicates) for predicates in policy.predicate_classes]


def _transitions(policy: Policy) -> Iterator[RenderableType]:
    for found in policy.transitions:
        yield line(f"{found.predicate} replaces {', '.join(sorted(found.replaces))}, each a {found.kind}")


def _objects(policy: Policy) -> Iterator[RenderableType]:
    yield line(policy.objects.says)
    for bound in policy.objects.bounds:
        yield line(f"{bound.says}: {bound.value}", level=2)


def _word_lists(policy: Policy) -> RenderableType:
    sizes = ((name, f"{len(entries):,}") for name, entries in asdict(policy.words).items())
    return table(("List", "Entries"), sizes, level=1)

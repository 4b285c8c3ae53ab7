"""Finds the messages that a person sees: an edited or repeated message leaves another branch of its conversation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from prme.clock import EPOCH


class BadConversationError(Exception):
    """A conversation cannot be read; the text says why and is safe to print."""


def branch(parents: Mapping[str, str | None], times: Mapping[str, datetime | None], current: str | None) -> list[str]:
    """Return the nodes from the root to the current one.

    `parents` has every node in the order of the file with the one before it, None or an unknown one for a root. Without
    a current node it is the branch of the newest leaf, by its time and then by its place in the file.

    Raises `BadConversationError` for a current node that is unknown, and for nodes that follow one another in a circle.
    """
    if current is None:
        current = _newest_leaf(parents, times)
    elif current not in parents:
        raise BadConversationError("its current message is not among its messages")
    found: dict[str, None] = {}
    while current is not None and current in parents:
        if current in found:
            raise BadConversationError("its messages follow one another in a circle")
        found[current] = None
        current = parents[current]
    return list(reversed(found))


def _newest_leaf(parents: Mapping[str, str | None], times: Mapping[str, datetime | None]) -> str | None:
    followed = {parent for parent in parents.values() if parent is not None}
    leaves = [(times.get(node) or EPOCH, place, node) for place, node in enumerate(parents) if node not in followed]
    if parents and not leaves:
        raise BadConversationError("its messages follow one another in a circle")
    return max(leaves)[2] if leaves else None

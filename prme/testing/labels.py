"""Short names for the notes and claims of an owner, in place of ids: m1 is a message, m1.c2 its second claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from prme import ids
from prme.client import MemoryClient
from prme.model.change import Change
from prme.model.explanation import Explanation
from prme.model.node import Node

_PAGE = 1_000


def claim_label(message: str, position: int) -> str:
    """Return the name of the claim at a 0-based position of a message's extraction."""
    return f"{message}.c{position + 1}"


def changes_of(memory: MemoryClient, user_id: str) -> Iterator[Change]:
    """Yield every change of an owner, oldest first."""
    after: str | None = None
    while page := memory.changes(user_id=user_id, after=after, limit=_PAGE):
        yield from page
        after = page[-1].cursor


@dataclass(frozen=True, slots=True)
class Told:
    """A message: its name, its note, and everything that is known of it."""

    label: str
    note: Node
    explained: Explanation


def told_messages(memory: MemoryClient, user_id: str) -> list[Told]:
    """Return an owner's messages of all scopes in the order of receipt."""
    found: list[Told] = []
    stored = (change.event_id for change in changes_of(memory, user_id) if change.kind == "NOTE_STORED")
    for number, event_id in enumerate((one for one in stored if one is not None), start=1):
        explained = memory.explain(event_id, user_id=user_id)
        note = memory.get_event_nodes(event_id, user_id=user_id)[0]
        found.append(Told(f"m{number}", note, explained))
    return found


def node_labels(messages: list[Told]) -> Mapping[str, str]:
    """Return the names of all notes and claims by their ids; a note has the name of its message."""
    labels: dict[str, str] = {}
    for told in messages:
        labels[told.note.id] = told.label
        for claim in told.explained.claims:
            labels[claim.node.id] = claim_label(told.label, claim.node.position or 0)
    return labels


def pair_of(change: Change, labels: Mapping[str, str], kind: str) -> tuple[str, str] | None:
    """Return the two nodes of a decision by hand, in its order; None when they are not among those named.

    Operation ids are derived from the ordered pair, so the pair that gives the id is the one that was decided on.
    """
    for one in (node_id for node_id in change.nodes if node_id in labels):
        for other in labels:
            for pair in ((one, other), (other, one)):
                if ids.operation_id(kind, *pair) == change.operation_id:
                    return pair
    return None

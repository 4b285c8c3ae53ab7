"""Reading: events, nodes, plans and receipts for a caller, who sees one owner or, as trusted operator, all."""

from __future__ import annotations

from datetime import datetime

from prme import ids
from prme.clock import aware_or_none
from prme.model.message import Event
from prme.model.node import Node
from prme.store.database import Reader
from prme.store.nodes import event_nodes, find_node, owner_nodes
from prme.store.owners import find_owner
from prme.store.records import StoredEvent, find_event

HIDDEN = frozenset({"superseded", "deprecated"})


def visible_event(reader: Reader, event_id: str, user_id: str | None) -> StoredEvent | None:
    """Return an event that the caller may see; unknown, malformed and foreign ids are all None."""
    wanted = ids.normalise_id(event_id)
    if wanted is None:
        return None
    if user_id is None:
        return find_event(reader, wanted)
    owner_key = find_owner(reader, user_id)
    return None if owner_key is None else find_event(reader, wanted, owner_key=owner_key)


def read_event(reader: Reader, event_id: str, user_id: str | None) -> Event | None:
    """Return an event, or None when it is unknown or foreign."""
    stored = visible_event(reader, event_id, user_id)
    return None if stored is None else stored.event


def read_event_nodes(reader: Reader, event_id: str, user_id: str | None) -> list[Node]:
    """Return the NOTE and the claims of an event, closed ones included; `[]` when it is unknown or foreign."""
    stored = visible_event(reader, event_id, user_id)
    return [] if stored is None else event_nodes(reader, stored)


def visible_node(reader: Reader, node_id: str, user_id: str | None, *, known_at: datetime | None = None) -> Node | None:
    """Return a note or claim in any state that the caller may see, or None; with `known_at` as the store knew it."""
    wanted = ids.normalise_id(node_id)
    if wanted is None:
        return None
    if user_id is None:
        return find_node(reader, wanted, known_at=known_at)
    owner_key = find_owner(reader, user_id)
    return None if owner_key is None else find_node(reader, wanted, owner_key=owner_key, known_at=known_at)


def is_hidden(node: Node) -> bool:
    """Whether default reads leave a node out: closed, or confirming a claim that is closed."""
    return node.status in HIDDEN or (node.status == "confirming" and node.valid_to is not None)


def read_node(reader: Reader, node_id: str, user_id: str | None, *, include_superseded: bool) -> Node | None:
    """Return a node, closed ones only when asked for (003-03)."""
    node = visible_node(reader, node_id, user_id)
    if node is None or (is_hidden(node) and not include_superseded):
        return None
    return node


def read_claims(
    reader: Reader,
    user_id: str,
    scope: str | None,
    *,
    include_superseded: bool,
    valid_at: datetime | None = None,
    known_at: datetime | None = None,
) -> list[Node]:
    """Return an owner's claims in the order of the fold: the listed ones, or with `include_superseded` all.

    `valid_at` keeps those in effect at that time, closed ones that were open then included; `known_at` answers what the
    store would have said then. Raises `ValueError` for a time without a zone.
    """
    valid_at, known_at = aware_or_none(valid_at, "valid_at"), aware_or_none(known_at, "known_at")
    owner_key = find_owner(reader, user_id)
    if owner_key is None:
        return []
    nodes = owner_nodes(reader, owner_key, user_id, notes=False, known_at=known_at)
    return [
        node
        for node in nodes
        if (scope is None or node.scope == scope)
        and (valid_at is None or is_in_effect(node, valid_at))
        and (include_superseded or _is_listed(node, valid_at))
    ]


def _is_listed(node: Node, valid_at: datetime | None) -> bool:
    """Whether lists show a claim: no confirming one, for which another stands, and a closed one only in a look back."""
    return node.status != "confirming" and (valid_at is not None or not is_hidden(node))


def is_in_effect(node: Node, moment: datetime) -> bool:
    """Whether a node's interval holds a moment; it is half-open, so at its end it no longer does."""
    return node.valid_from <= moment and (node.valid_to is None or moment < node.valid_to)

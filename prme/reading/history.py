"""Reading history: every version of a node's interval, what came before and after it, and its relations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime

from prme.clock import aware_or_none
from prme.errors import NodeNotFoundError
from prme.model.history import History
from prme.model.node import Node
from prme.reading.relations import node_relations
from prme.reading.visible import visible_node
from prme.store.database import Reader
from prme.store.nodes import find_nodes, interval_versions, replaced_nodes
from prme.store.owners import find_owner


def read_history(reader: Reader, node_id: str, user_id: str | None, *, known_at: datetime | None = None) -> History:
    """Return everything the store ever said of a note or claim, or had said up to `known_at`.

    Raises `NodeNotFoundError` when the id is unknown, malformed, foreign or was not known yet, and `ValueError` for a
    time without a zone.
    """
    known_at = aware_or_none(known_at, "known_at")
    node = visible_node(reader, node_id, user_id, known_at=known_at)
    owner_key = None if node is None else find_owner(reader, node.user_id)
    if node is None or owner_key is None:
        then = "" if known_at is None else ", or it was not stored yet at that time"
        raise NodeNotFoundError(f"no note or claim with this id for this caller{then}")
    predecessors = replaced_nodes(reader, owner_key, node, known_at=known_at)
    return History(
        node=node,
        versions=interval_versions(reader, owner_key, node.id, known_at=known_at),
        predecessors=predecessors,
        successors=tuple(_successors(reader, owner_key, node, known_at)),
        relations=node_relations(reader, owner_key, node, _own(predecessors), known_at=known_at),
    )


def _own(predecessors: Iterable[Node]) -> list[Node]:
    """Return the nodes that were replaced themselves: one that confirms another only ends with it."""
    return [node for node in predecessors if node.status == "superseded"]


def _successors(reader: Reader, owner_key: int, node: Node, known_at: datetime | None) -> Iterator[Node]:
    """Yield what replaced a node, what replaced that, and so on: a chain, for no sequence of calls makes a cycle."""
    while node.superseded_by is not None:
        found = find_nodes(reader, owner_key, node.user_id, [node.superseded_by], known_at=known_at)
        if not found:
            return
        [node] = found.values()
        yield node

"""A LangGraph store over a memory: what is put is read as a message, what is searched for is what holds now.

A LangGraph store keeps values under keys; a memory keeps what was said and works out what of it still holds. So the two
differ where they must: nothing is overwritten or deleted, and a search finds claims, not the messages that were put.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any

from langgraph.store.base import BaseStore, GetOp, Item, ListNamespacesOp, Op, PutOp, Result, SearchItem, SearchOp

from prme import MemoryClient, Node

TEXT = "text"


class PrmeStore(BaseStore):
    """The store of one memory. The last part of a namespace is the `user_id`; a value is `{"text": "..."}`."""

    def __init__(self, memory: MemoryClient) -> None:
        """Take a memory, which stays the caller's to close."""
        self._memory = memory

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Carry out operations in order.

        Raises `ValueError` for what a memory does not do: overwriting, deleting, listing namespaces.
        """
        return [self._result(op) for op in ops]

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Do the same without holding up the event loop."""
        return await asyncio.to_thread(self.batch, list(ops))

    def _result(self, op: Op) -> Result:
        if isinstance(op, PutOp):
            return self._put(op)
        if isinstance(op, GetOp):
            return self._get(op)
        if isinstance(op, SearchOp):
            return self._search(op)
        assert isinstance(op, ListNamespacesOp)
        raise ValueError("a memory does not list its owners")

    def _put(self, op: PutOp) -> None:
        if op.value is None:
            raise ValueError("a memory deletes nothing: say what changed, or use memory.supersede")
        if set(op.value) != {TEXT}:
            raise ValueError('a value is {"text": "..."}: what was said, in the words of who said it')
        self._memory.ingest(op.value[TEXT], user_id=_owner(op.namespace), message_id=op.key, first_person_owner=True)

    def _get(self, op: GetOp) -> Item | None:
        node = self._memory.get_node(op.key, user_id=_owner(op.namespace))
        return None if node is None else Item(**_fields(node, op.namespace))

    def _search(self, op: SearchOp) -> list[SearchItem]:
        owner = _owner(op.namespace_prefix)
        if op.query:
            hits = self._memory.retrieve(
                op.query, user_id=owner, limit=op.offset + op.limit, exclude_node_types=["NOTE"]
            )
            found = [(hit.node, hit.score) for hit in hits]
        else:
            found = [(node, None) for node in reversed(self._memory.claims(user_id=owner))]
        items = [SearchItem(**_fields(node, op.namespace_prefix), score=score) for node, score in found]
        wanted = [item for item in items if _matches(item.value, op.filter or {})]
        return wanted[op.offset : op.offset + op.limit]


def _owner(namespace: tuple[str, ...]) -> str:
    if not namespace:
        raise ValueError("the last part of a namespace is the owner: it may not be empty")
    return namespace[-1]


def _fields(node: Node, namespace: tuple[str, ...]) -> dict[str, Any]:
    value = {
        TEXT: node.content,
        "subject": node.subject,
        "predicate": node.predicate,
        "object": node.object,
        "polarity": node.polarity,
    }
    return {
        "value": value,
        "key": node.id,
        "namespace": namespace,
        "created_at": node.valid_from,
        "updated_at": node.last_confirmed_at or node.valid_from,
    }


def _matches(value: dict[str, Any], wanted: dict[str, Any]) -> bool:
    for key, expected in wanted.items():
        if isinstance(expected, dict):
            raise ValueError("a filter compares for equality only")
        if value.get(key) != expected:
            return False
    return True

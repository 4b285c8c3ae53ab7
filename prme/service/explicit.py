"""Explicit decisions: a caller's ids become requests of one owner, and one job carries them out."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from prme import ids
from prme.decisions.decide import DecisionRequest, decide_all, store_superseding
from prme.decisions.view import NOT_FOUND
from prme.errors import ConflictError, NodeNotFoundError
from prme.message import checked_actor
from prme.model.decision import DecisionKind
from prme.model.message import Message
from prme.model.node import Node
from prme.model.receipt import DecisionReceipt
from prme.reading import visible_node
from prme.reading.arguments import owner_or_none
from prme.service.reads import SnapshotReads
from prme.store.database import Database, Reader
from prme.writer import Writer, WriteSession

T = TypeVar("T")
OPERATOR = "operator"
# How often, in seconds, a caller looks whether the writer has room again.
ROOM_EVERY = 0.01
ENTRY_FIELDS = frozenset({"old_id", "new_id", "evidence_id", "user_id", "actor_id"})


class ExplicitDecisions(SnapshotReads):
    """Supersede, contradict and resolve; each is durable when its coroutine returns (003-10)."""

    def __init__(self, database: Database, writer: Writer) -> None:
        super().__init__(database)
        self._writer = writer

    async def _submit(self, user_id: str, job: Callable[[WriteSession], T], *, alone: bool = False) -> Future[T]:
        """Queue a job once there is room for it, without holding up the event loop.

        Raises `StoreBusyError` when there is none for longer than the writer's patience.
        """
        tries = max(1, math.ceil(self._writer.patience / ROOM_EVERY))
        for _ in range(tries):
            future = self._writer.offer(user_id, job, alone=alone)
            if future is not None:
                return future
            await asyncio.sleep(ROOM_EVERY)
        raise self._writer.busy()

    async def supersede(
        self, old_id: str, new_id: str, *, evidence_id: str | None, user_id: str | None, actor_id: str | None
    ) -> DecisionReceipt:
        """Let one note or claim replace another."""
        entry = _Entry("supersede", old_id, new_id, evidence_id, user_id, actor_id)
        return (await self._decide([entry], named=False))[0]

    async def supersede_many(
        self,
        entries: Iterable[Mapping[str, Any]],
        *,
        evidence_id: str | None,
        user_id: str | None,
        actor_id: str | None,
    ) -> list[DecisionReceipt]:
        """Carry out several replacements of one owner, in order, all or none (003-18)."""
        if isinstance(entries, str | bytes | Mapping) or not isinstance(entries, Iterable):
            raise ValueError("entries must be a list of mappings with the arguments of supersede()")
        common = {"evidence_id": evidence_id, "user_id": user_id, "actor_id": actor_id}
        return await self._decide([_read_entry(i, entry, common) for i, entry in enumerate(entries)], named=True)

    async def contradict(
        self, a: str, b: str, *, evidence_id: str | None, user_id: str | None, actor_id: str | None
    ) -> DecisionReceipt:
        """Mark two open nodes as contested."""
        first, second = sorted((a, b), key=lambda wanted: ids.normalise_id(wanted) or "")
        entry = _Entry("contradict", first, second, evidence_id, user_id, actor_id)
        return (await self._decide([entry], named=False))[0]

    async def resolve_contradiction(
        self, winner: str, loser: str, *, evidence_id: str | None, user_id: str | None, actor_id: str | None
    ) -> DecisionReceipt:
        """Close the loser of a contradiction and let the winner stand."""
        entry = _Entry("resolve", loser, winner, evidence_id, user_id, actor_id)
        return (await self._decide([entry], named=False))[0]

    async def store_superseding(self, message: Message, old_id: str) -> str:
        """Store a validated message as a NOTE that replaces a note or claim, both or neither (000-01)."""
        node = await asyncio.to_thread(self._read, visible_node, old_id, message.user_id)
        if node is None:
            raise NodeNotFoundError(NOT_FOUND)
        job = partial(store_superseding, message=message, old_id=node.id)
        return await asyncio.wrap_future(await self._submit(message.user_id, job, alone=True))

    async def _decide(self, entries: Sequence[_Entry], *, named: bool) -> list[DecisionReceipt]:
        if not entries:
            return []
        owner, requests = await asyncio.to_thread(self._read, _requests, entries, named=named)
        job = partial(decide_all, requests=requests, named=named)
        return await asyncio.wrap_future(await self._submit(owner, job, alone=True))


class _Entry:
    """One decision as its caller passed it."""

    def __init__(
        self,
        kind: DecisionKind,
        old_id: str,
        new_id: str,
        evidence_id: str | None,
        user_id: str | None,
        actor_id: str | None,
    ) -> None:
        self.kind = kind
        self.old_id = old_id
        self.new_id = new_id
        self.evidence_id = None if evidence_id is None else str(evidence_id)
        self.user_id = owner_or_none(user_id)
        self.actor = (self.user_id or OPERATOR) if actor_id is None else checked_actor(actor_id)


def _read_entry(position: int, entry: object, common: Mapping[str, Any]) -> _Entry:
    """Return one entry of a batch; what it leaves out is common to all. Raises `ValueError` with the position."""
    if not isinstance(entry, Mapping):
        raise ValueError(f"entries[{position}]: an entry is a mapping with the arguments of supersede()")
    if unknown := sorted(str(name) for name in entry.keys() - ENTRY_FIELDS):
        raise ValueError(
            f"entries[{position}]: unknown field {unknown[0]!r}; known are {', '.join(sorted(ENTRY_FIELDS))}"
        )
    if missing := [name for name in ("old_id", "new_id") if entry.get(name) is None]:
        raise ValueError(f"entries[{position}]: {missing[0]} is missing")
    fields = {**common, **{name: value for name, value in entry.items() if value is not None}}
    if common["user_id"] is not None and fields["user_id"] != common["user_id"]:
        raise NodeNotFoundError(f"entries[{position}]: {NOT_FOUND}")
    try:
        return _Entry("supersede", **fields)
    except ValueError as error:
        raise ValueError(f"entries[{position}]: {error}") from None


def _requests(reader: Reader, entries: Sequence[_Entry], *, named: bool) -> tuple[str, list[DecisionRequest]]:
    """Find the nodes of all entries and their one owner: ids first, then owners (SPEC 10)."""
    owner: str | None = None
    requests: list[DecisionRequest] = []
    for position, entry in enumerate(entries):
        where = f"entries[{position}]: " if named else ""
        nodes: list[Node] = []
        for wanted in (entry.old_id, entry.new_id):
            node = visible_node(reader, wanted, entry.user_id)
            if node is None:
                raise NodeNotFoundError(where + NOT_FOUND)
            nodes.append(node)
        owner = owner or nodes[0].user_id
        if any(node.user_id != owner for node in nodes):
            raise ConflictError(f"{where}the nodes belong to different owners: a decision, or a batch, is one owner's")
        requests.append(DecisionRequest(entry.kind, nodes[0].id, nodes[1].id, entry.actor, entry.evidence_id))
    assert owner is not None, "there is at least one entry"
    return owner, requests

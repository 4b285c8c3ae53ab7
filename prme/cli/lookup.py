"""Looks up what a command names by an id, and says what to do when nothing is found."""

from __future__ import annotations

from datetime import datetime

from prme.errors import NodeNotFoundError, PlanNotFoundError
from prme.model.explanation import Explanation
from prme.model.history import History
from prme.model.node import NodeType
from prme.service import MemoryService


def explained(service: MemoryService, wanted: str, user_id: str | None, *, store: str) -> Explanation:
    """Return the explanation of a claim, note or message. Raises `NodeNotFoundError`, which names the way out."""
    try:
        return service.explain(wanted, user_id)
    except NodeNotFoundError:
        raise NodeNotFoundError(_unknown(user_id, store)) from None


def recorded(
    service: MemoryService, wanted: str, user_id: str | None, known_at: datetime | None, *, store: str
) -> History:
    """Return the history of a claim or note. Raises `NodeNotFoundError`, which names the way out."""
    try:
        return service.history(wanted, user_id, known_at=known_at)
    except NodeNotFoundError:
        if service.get_event(wanted, user_id) is not None:
            raise NodeNotFoundError("this is the id of a message, which never changes: prme why shows it") from None
        if known_at is not None and service.get_node(wanted, user_id, include_superseded=True) is not None:
            raise NodeNotFoundError("it was not stored yet at that time") from None
        raise NodeNotFoundError(_unknown(user_id, store)) from None


def plan_bytes(service: MemoryService, event_id: str, user_id: str | None, *, store: str) -> bytes:
    """Return the saved bytes of a message's plan. Raises `PlanNotFoundError`, which names the way out."""
    try:
        return service.get_plan_data(event_id, user_id)
    except PlanNotFoundError:
        raise PlanNotFoundError(_without_plan(service, event_id, user_id, store)) from None


def _without_plan(service: MemoryService, wanted: str, user_id: str | None, store: str) -> str:
    if service.get_event(wanted, user_id) is not None:
        return (
            "this message has no plan: its extraction is pending or failed, or it was stored as a note; prme why with "
            "the same id says which"
        )
    node = service.get_node(wanted, user_id, include_superseded=True)
    if node is not None:
        kind = "note" if node.node_type is NodeType.NOTE else "claim"
        return f"this is the id of a {kind}, and plans belong to messages: its message is {node.event_id}"
    return _unknown(user_id, store)


def _unknown(user_id: str | None, store: str) -> str:
    """Malformed, unknown and foreign ids read the same."""
    owner = "" if user_id is None else f" of the owner {user_id!r}"
    return (
        f"nothing{owner} in the store {store!r} has this id: prme claims --user-id OWNER --all lists the ids of an "
        "owner's claims, and prme why names the message of a claim"
    )

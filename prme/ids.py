"""Derived ids: UUIDv5 of an RFC 8785 array under one namespace, so the same input names the same thing everywhere.

No id contains a digest of content: an erased sentence must not be guessable from what stays.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from functools import lru_cache
from uuid import UUID

from prme.canonical import canonical_document
from prme.clock import utc_text
from prme.text_folding import fold_text

NAMESPACE = UUID("7b0e6c1e-5c0a-5d2e-9f51-3a1d6f7a2b90")
_BEGUN = hashlib.sha1(NAMESPACE.bytes, usedforsecurity=False)
_VARIANTS = {digit: "89ab"[int(digit, 16) & 3] for digit in "0123456789abcdef"}


def _derive(*parts: str | int | None) -> str:
    """Return the UUIDv5 of an array: the text that `uuid.uuid5` gives, without the object that it makes on the way."""
    hashed = _BEGUN.copy()
    hashed.update(canonical_document(parts))
    digest = hashed.hexdigest()
    return f"{digest[:8]}-{digest[8:12]}-5{digest[13:16]}-{_VARIANTS[digest[16]]}{digest[17:20]}-{digest[20:32]}"


def event_id(user_id: str, scope: str, message_id: str | None, received_at: datetime | None = None) -> str:
    """Return the id of an event: by the caller's `message_id` when given, else by the time it was received."""
    if message_id is not None:
        return _derive("event", user_id, scope, "message_id", message_id)
    if received_at is None:
        raise ValueError("an event without a message_id is named by the time it was received")
    return _derive("event", user_id, scope, "received_at", utc_text(received_at))


@lru_cache(maxsize=4_096)
def note_id(event: str) -> str:
    """Return the id of the NOTE node that carries the event's message."""
    return _derive("note", event)


def plan_id(event: str, policy: str) -> str:
    """Return the id of an event's plan under a policy."""
    return _derive("plan", event, policy)


def claim_id(event: str, position: int) -> str:
    """Return the id of the claim at a 0-based position of the event's extraction."""
    return _derive("claim", event, position)


def entity_id(user_id: str, scope: str, entity_type: str, name: str) -> str:
    """Return the identity of a named entity: owner, scope, type and folded name (SPEC 6)."""
    return _derive("entity", user_id, scope, entity_type, fold_text(name))


def owner_identity(user_id: str, scope: str) -> str:
    """Return the identity that the first-person forms of a declared owner share (003-46)."""
    return _derive("owner", user_id, scope)


def local_identity(event: str, pronoun: str) -> str:
    """Return the identity of a pronoun that means somebody in this event only."""
    return _derive("local", event, pronoun)


def operation_id(kind: str, first: str, second: str) -> str:
    """Return the id of an explicit operation, derived from the ordered pair of nodes (003-21)."""
    return _derive("operation", kind, first, second)


def edge_id(operation: str) -> str:
    """Return the id of the edge that an explicit operation makes."""
    return _derive("edge", operation)


def pair_edge_id(kind: str, source: str, target: str) -> str:
    """Return the id of an edge that no operation named: of its kind, from one node to another."""
    return _derive("edge", kind, source, target)


def normalise_id(value: object) -> str | None:
    """Return an id as lower-case UUID text, or None when it is not one."""
    try:
        return str(UUID(str(value).strip()))
    except ValueError:
        return None

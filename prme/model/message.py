"""Messages and events: what the caller hands in, and what it is once stored."""

from __future__ import annotations

import json
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from prme.model.value import Moment, Value

Role = Literal["user", "human", "assistant", "system", "tool"]
EventKind = Literal["ingest", "store"]

FIRST_PERSON_ROLES: frozenset[str] = frozenset({"user", "human"})


class SourceType(StrEnum):
    """Who stands behind a statement; a rule never lets one type correct another."""

    USER_STATED = "USER_STATED"
    SYSTEM_INFERRED = "SYSTEM_INFERRED"
    TOOL_OUTPUT = "TOOL_OUTPUT"

    @classmethod
    def of_role(cls, role: Role) -> SourceType:
        """Return the source type of a message role."""
        if role in FIRST_PERSON_ROLES:
            return cls.USER_STATED
        return cls.TOOL_OUTPUT if role == "tool" else cls.SYSTEM_INFERRED


class Message(Value):
    """One validated, normalised message as the caller passed it.

    `content` has no NULs, `role` is lower case, `occurred_at` is UTC or None (then the time of receipt counts), and
    `metadata_json` is canonical JSON text or None. Only `prme.message.validate_message` makes one.
    """

    content: str
    user_id: str
    role: Role = "user"
    scope: str = "personal"
    session_id: str | None = None
    message_id: str | None = None
    speaker: str | None = None
    first_person_owner: bool = False
    occurred_at: datetime | None = None
    metadata_json: str | None = None


class Event(Value):
    """A stored message: immutable, with id, content digest and the time it was received (UTC)."""

    id: str
    user_id: str
    scope: str
    role: Role
    content: str
    content_digest: str
    session_id: str | None
    message_id: str | None
    speaker: str | None
    first_person_owner: bool
    occurred_at: Moment
    received_at: Moment
    metadata_json: str | None

    @property
    def metadata(self) -> dict[str, Any] | None:
        """The caller's metadata as a fresh mapping, or None."""
        return None if self.metadata_json is None else json.loads(self.metadata_json)

    @property
    def source_type(self) -> SourceType:
        """The source type that follows from the role."""
        return SourceType.of_role(self.role)

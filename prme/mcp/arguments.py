"""What tools take: one strict model for each, without unknown fields. Which values are sound the engine judges."""

from __future__ import annotations

from datetime import datetime
from functools import cache
from typing import Annotated, Any

from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, create_model

from prme.message import MAX_CONTENT_CHARACTERS, MAX_ID_CHARACTERS, ROLES
from prme.model.message import SourceType
from prme.model.node import NodeType
from prme.retrieval.request import MOST_HITS


def _time(value: Any) -> Any:
    """Take an ISO 8601 text: strict validation would only take a datetime, which JSON cannot carry."""
    if not isinstance(value, str):
        raise ValueError("must be an ISO 8601 time with its zone, such as 2026-03-01T09:30:00Z")
    try:
        return datetime.fromisoformat(value)
    except ValueError:
        raise ValueError("must be an ISO 8601 time with its zone, such as 2026-03-01T09:30:00Z") from None


def _described(of: str, **schema: Any) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", **schema, "description": of})


Time = Annotated[AwareDatetime, BeforeValidator(_time), WithJsonSchema({"type": "string", "format": "date-time"})]
Owner = Annotated[str, _described("Whose memory it is.", minLength=1, maxLength=MAX_ID_CHARACTERS)]
Content = Annotated[str, _described("The message, word for word.", minLength=1, maxLength=MAX_CONTENT_CHARACTERS)]
Scope = Annotated[
    str, _described("A part of the owner's memory; corrections never cross it.", pattern="^[a-z0-9][a-z0-9_.-]{0,63}$")
]
Role = Annotated[str, _described("Who said it.", enum=list(ROLES))]
NodeTypeName = Annotated[str, WithJsonSchema({"type": "string", "enum": [kind.value for kind in NodeType]})]
SourceTypeName = Annotated[str, WithJsonSchema({"type": "string", "enum": [source.value for source in SourceType]})]
NodeId = Annotated[str, _described("The id of a note or claim, as memory_retrieve gives it.")]
ValidAt = Annotated[Time | None, Field(description="Ask what was in effect at this time, not now.")]
KnownAt = Annotated[Time | None, Field(description="Ask what the memory would have answered at this time.")]


class Arguments(BaseModel):
    """The arguments of a tool: unknown ones are refused, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class MessageArguments(Arguments):
    """One message."""

    content: Content
    role: Role = "user"
    scope: Scope = "personal"
    session_id: str | None = Field(None, description="The conversation that it belongs to.")
    message_id: str | None = Field(None, description="Your own id of the message: sending it again changes nothing.")
    speaker: str | None = Field(None, description="The name of who speaks, if that is not the owner.")
    first_person_owner: bool = Field(
        False, description="True when I, me and my in it mean the owner: the user's own words, not a quoted text."
    )
    occurred_at: Time | None = Field(None, description="When it was said; now when left out.")
    metadata: dict[str, Any] | None = Field(None, description="JSON to keep with it.")


class IngestArguments(MessageArguments):
    """A message to learn from."""

    wait_for_extraction: bool = Field(True, description="False answers as soon as the message is stored.")


class RetrieveArguments(Arguments):
    """A search."""

    query: str = Field(description="Words to look for. Words are compared, their meaning is not.")
    scope: Scope | None = None
    limit: int = Field(10, ge=1, le=MOST_HITS)
    exclude_node_types: list[NodeTypeName] = Field([], description="NOTE leaves out whole messages.")
    source_types: list[SourceTypeName] | None = Field(None, description="Only what these said; all when left out.")
    valid_at: ValidAt = None
    known_at: KnownAt = None
    include_superseded: bool = Field(False, description="Closed ones too, marked historical.")
    include_contested: bool = Field(True, description="False leaves out what an open contradiction names.")


class StateArguments(Arguments):
    """A subject and a predicate."""

    subject: str = Field(description="I for the owner, or a name.")
    predicate: str = Field(description="Such as uses or lives_in; it stands for its whole family.")
    scope: Scope = "personal"
    valid_at: ValidAt = None
    known_at: KnownAt = None
    node_types: list[NodeTypeName] | None = None


class DecisionArguments(Arguments):
    """What a decision rests on."""

    evidence_id: str | None = Field(
        None, description="The event_id of a stored message that shows why: store it first. Same owner and scope."
    )


class SupersedeArguments(DecisionArguments):
    """A note or claim, and the one that replaces it."""

    old_id: NodeId
    new_id: NodeId


class ContradictArguments(DecisionArguments):
    """Two notes or claims."""

    a: NodeId
    b: NodeId


class ResolveArguments(DecisionArguments):
    """The one that stands, and the one that closes."""

    winner: NodeId
    loser: NodeId


class HistoryArguments(Arguments):
    """A note or claim."""

    node_id: NodeId
    known_at: KnownAt = None


class ExplainArguments(Arguments):
    """A message, a note or a claim."""

    id: Annotated[str, _described("The id of a note or claim, or the event_id of a message.")]


@cache
def with_owner(model: type[Arguments]) -> type[Arguments]:
    """Return the same arguments and the owner: for a server that is bound to none."""
    made: type[Arguments] = create_model(model.__name__, __base__=model, user_id=(Owner, ...))
    return made

"""What requests carry: one model for each body and each set of query parameters."""

from __future__ import annotations

from typing import Any

from pydantic import ConfigDict, Field
from pydantic.config import JsonDict

from prme.context.request import DEFAULT_BUDGET
from prme.http.fields import (
    Actor,
    Body,
    Content,
    HitCount,
    Id,
    Identifier,
    NodeTypeName,
    Query,
    QueryCount,
    QueryFlag,
    RoleName,
    Scope,
    SourceTypeName,
    Speaker,
    Time,
    TokenBudget,
    Words,
    any_case,
)
from prme.http.settings import MOST_MESSAGES
from prme.model.message import FIRST_PERSON_ROLES

# A message whose "I" is the owner comes from a person, and names no other one.
_FIRST_PERSON: JsonDict = {
    "anyOf": [
        {"properties": {"first_person_owner": {"const": False}}},
        {"properties": {"speaker": {"type": "null"}, "role": any_case(sorted(FIRST_PERSON_ROLES))}},
    ]
}


class MessageBody(Body):
    """One message. `user_id` may be left out by a caller who is bound to an owner."""

    model_config = ConfigDict(json_schema_extra=_FIRST_PERSON)

    content: Content
    user_id: Identifier | None = None
    role: RoleName = "user"
    scope: Scope = "personal"
    session_id: Identifier | None = None
    message_id: Identifier | None = None
    speaker: Speaker | None = None
    first_person_owner: bool = False
    occurred_at: Time | None = None
    metadata: dict[str, Any] | None = None


class IngestBody(MessageBody):
    """One message to learn from. With `wait_for_extraction` false the answer comes as soon as the message is stored."""

    wait_for_extraction: bool = True


class IngestBatchBody(Body):
    """Messages in order, at most 1,000. All are checked before the first one is stored."""

    messages: list[MessageBody] = Field(json_schema_extra={"maxItems": MOST_MESSAGES})
    wait_for_extraction: bool = True


class StoreBody(MessageBody):
    """A message to keep as one note, without extraction; `supersedes` is the note or claim that it replaces."""

    supersedes: Id | None = None


class RetrieveBody(Body):
    """Words to look for, and what to leave out. Without a word there are no hits."""

    query: str
    user_id: Identifier | None = None
    scope: Scope | None = None
    limit: HitCount = 10
    exclude_node_types: list[NodeTypeName] = Field(default=[])
    source_types: list[SourceTypeName] | None = None
    valid_at: Time | None = None
    known_at: Time | None = None
    include_superseded: bool = False
    include_contested: bool = True


class ContextBody(Body):
    """Words to look for, none for the newest claims, and how many tokens the text may take, by an estimate."""

    query: str
    user_id: Identifier | None = None
    budget: TokenBudget = DEFAULT_BUDGET
    scope: Scope | None = None
    notes: bool = False


class StateBody(Body):
    """A subject, such as I or a name, and a predicate, which stands for its family."""

    subject: Words
    predicate: Words
    user_id: Identifier | None = None
    scope: Scope = "personal"
    valid_at: Time | None = None
    known_at: Time | None = None
    node_types: list[NodeTypeName] | None = None


class DecisionBody(Body):
    """Who decides, for whom, and on which event it rests. `actor_id` is an operator's to name."""

    evidence_id: Id | None = None
    user_id: Identifier | None = None
    actor_id: Actor | None = None


class SupersedeBody(DecisionBody):
    """A note or claim, and the one that replaces it."""

    old_id: Id
    new_id: Id


class SupersedeBatchBody(DecisionBody):
    """Replacements in order, all or none, at most 1,000. What stands beside `entries` holds for those without it."""

    entries: list[SupersedeBody] = Field(json_schema_extra={"maxItems": MOST_MESSAGES})


class ContradictBody(DecisionBody):
    """Two open notes or claims that contradict each other, in either order."""

    a: Id
    b: Id


class ResolveBody(DecisionBody):
    """Two notes or claims between which a contradiction was noted: the one that stands, and the one that closes."""

    winner: Id
    loser: Id


class OwnerQuery(Query):
    """Whose record it must be; a caller who is bound to an owner may leave it out."""

    user_id: Identifier | None = None


class NodeQuery(OwnerQuery):
    """Whether closed notes and claims are shown too."""

    include_superseded: QueryFlag = False


class HistoryQuery(OwnerQuery):
    """What the store knew at that time."""

    known_at: Time | None = None


class ClaimsQuery(OwnerQuery):
    """Which claims of an owner: of one scope, closed ones too, in effect or known at a time."""

    scope: Scope | None = None
    include_superseded: QueryFlag = False
    valid_at: Time | None = None
    known_at: Time | None = None


class ChangesQuery(OwnerQuery):
    """From where on, and how many at most; `after` is the cursor of the last change seen."""

    after: str | None = Field(
        default=None,
        json_schema_extra={"pattern": r"^(owner:[0-9]{1,18}|store:[0-9]{1,18}\.[0-9]{1,18}\.[0-9]{1,18})$"},
    )
    limit: QueryCount = 100

"""The arguments of a search, checked before anything is read."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Any, TypeVar

from prme.clock import aware_or_none
from prme.message import validate_message
from prme.model.message import SourceType
from prme.model.node import NodeType
from prme.model.retrieval import RetrieveRequest

MOST_HITS = 1_000

E = TypeVar("E", bound=StrEnum)


def checked_request(
    query: object,
    *,
    user_id: Any,
    scope: Any,
    limit: object,
    exclude_node_types: object,
    source_types: object,
    valid_at: object,
    known_at: object,
    include_superseded: object,
    include_contested: object,
) -> RetrieveRequest:
    """Return the request, with times in UTC and names as members.

    Raises `ValueError`, which names the argument and never repeats the query or the owner.
    """
    if not isinstance(query, str):
        raise ValueError(f"query must be a text (str), got {type(query).__name__}")
    # Owner and scope are what messages take: anything else could only ever find nothing.
    message = validate_message("x", user_id=user_id, **({} if scope is None else {"scope": scope}))
    return RetrieveRequest(
        query=query,
        user_id=message.user_id,
        scope=None if scope is None else message.scope,
        limit=_limit(limit),
        exclude_node_types=_members(exclude_node_types, NodeType, "exclude_node_types"),
        source_types=None if source_types is None else _members(source_types, SourceType, "source_types"),
        valid_at=aware_or_none(valid_at, "valid_at"),
        known_at=aware_or_none(known_at, "known_at"),
        include_superseded=_flag(include_superseded, "include_superseded"),
        include_contested=_flag(include_contested, "include_contested"),
    )


def _limit(value: object) -> int:
    if type(value) is not int or not 1 <= value <= MOST_HITS:
        raise ValueError(f"limit must be a whole number from 1 to {MOST_HITS:,}")
    return value


def _flag(value: object, name: str) -> bool:
    if type(value) is not bool:
        raise ValueError(f"{name} must be True or False, got {type(value).__name__}")
    return value


def _members(values: object, kind: type[E], name: str) -> frozenset[E]:
    known = ", ".join(kind)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a list of names, such as [{next(iter(kind)).value!r}]; known are {known}")
    found: set[E] = set()
    for value in values:
        if not isinstance(value, str) or value.upper() not in kind.__members__:
            raise ValueError(f"{name} holds something unknown; known are {known}")
        found.add(kind[value.upper()])
    return frozenset(found)

"""The arguments of a search, checked before anything is read."""

from __future__ import annotations

from typing import Any

from prme.clock import aware_or_none
from prme.message import checked_owner
from prme.model.message import SourceType
from prme.model.node import NodeType
from prme.model.retrieval import RetrieveRequest
from prme.reading.arguments import flag, members, scope_or_none, whole_number

MOST_HITS = 1_000


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
    return RetrieveRequest(
        query=query,
        user_id=checked_owner(user_id),
        scope=scope_or_none(scope),
        limit=whole_number(limit, "limit", most=MOST_HITS),
        exclude_node_types=members(exclude_node_types, NodeType, "exclude_node_types"),
        source_types=None if source_types is None else members(source_types, SourceType, "source_types"),
        valid_at=aware_or_none(valid_at, "valid_at"),
        known_at=aware_or_none(known_at, "known_at"),
        include_superseded=flag(include_superseded, "include_superseded"),
        include_contested=flag(include_contested, "include_contested"),
    )

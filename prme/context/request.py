"""The arguments of a context, checked before anything is read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prme.context.tokens import estimated_tokens
from prme.message import checked_owner
from prme.model.node import NodeType
from prme.model.retrieval import RetrieveRequest
from prme.reading.arguments import flag, scope_or_none, whole_number, words

MOST_TOKENS = 1_000_000
MOST_ENTRIES = 1_000
DEFAULT_BUDGET = 1_000

TokenCount = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class ContextRequest:
    """What a context is asked for. A blank query asks for the newest, `scope` None for all scopes."""

    query: str
    user_id: str
    budget: int
    scope: str | None
    notes: bool
    count: TokenCount

    def search(self) -> RetrieveRequest | None:
        """Return the search for what the context may show; None when there are no words to search for."""
        if not self.query.strip():
            return None
        return RetrieveRequest(
            query=self.query,
            user_id=self.user_id,
            scope=self.scope,
            limit=MOST_ENTRIES,
            exclude_node_types=frozenset() if self.notes else frozenset({NodeType.NOTE}),
            include_contested=False,
        )


def checked_context_request(
    query: object, user_id: object, budget: object, *, scope: object, notes: object, count: TokenCount | None
) -> ContextRequest:
    """Return the request. Raises `ValueError`, which names the argument and never repeats the query or the owner."""
    if count is not None and not callable(count):
        raise ValueError(f"count must be a function from text to a number of tokens, got {type(count).__name__}")
    return ContextRequest(
        query=words(query, "query"),
        user_id=checked_owner(user_id),
        budget=whole_number(budget, "budget", most=MOST_TOKENS),
        scope=scope_or_none(scope),
        notes=flag(notes, "notes"),
        count=count or estimated_tokens,
    )

"""Retrieval: what a search returns, and what it found and left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Literal, get_args

from prme.model.message import SourceType
from prme.model.node import Node, NodeType
from prme.model.value import Value

ExclusionReason = Literal[
    "scope", "node_type", "source_type", "confirming", "not_in_effect", "superseded", "deprecated", "contested"
]
EXCLUSION_REASONS: tuple[ExclusionReason, ...] = get_args(ExclusionReason)
"""Why a row that has the words is left out, in the order in which the reasons are tried: each row counts once."""


class RetrieveRequest(Value):
    """A search after its arguments were checked; times are UTC, None leaves a filter out."""

    query: str
    user_id: str
    scope: str | None = None
    limit: int = 10
    exclude_node_types: frozenset[NodeType] = frozenset()
    source_types: frozenset[SourceType] | None = None
    valid_at: datetime | None = None
    known_at: datetime | None = None
    include_superseded: bool = False
    include_contested: bool = True


class Hit(Value):
    """A note or claim that a search found.

    `score` is BM25, higher is better; `rank` counts from 1. `historical`: it is closed, and `successor` is what took
    its place, if anything did. `contested`: an unresolved contradiction names it. `evidence_mentions_retired`: its
    text is also the evidence of a claim of the same message that is closed now, so read it with care (003-51).
    `excerpt` is a piece of the node's content around the words, with "…" where it was cut.
    """

    node: Node
    score: float
    rank: int
    historical: bool
    successor: str | None
    contested: bool
    evidence_mentions_retired: bool
    excerpt: str


class Retrieval(list[Hit]):
    """The hits of a search, best first, and in `excluded` how many more rows had the words and why they were left out.

    A reason without rows is missing from `excluded`, and reads as 0. No hits and nothing excluded means not found; no
    hits and something excluded means found, but not what was asked for (004-02).
    """

    def __init__(self, hits: Iterable[Hit] = (), excluded: Mapping[str, int] | None = None) -> None:
        super().__init__(hits)
        counts = excluded or {}
        self.excluded: dict[str, int] = Counter({why: counts[why] for why in EXCLUSION_REASONS if counts.get(why)})

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles keep what was left out."""
        return type(self), (list(self), dict(self.excluded))


class IndexReport(Value):
    """What the text index holds after it was built again: how many owners, notes and claims."""

    owners: int
    notes: int
    claims: int

"""Relations between nodes as data: what replaced, contradicts or confirms what."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from prme.model.claim import Evidence
from prme.model.value import Value

RelationKind = Literal["supersedes", "conflicts_with", "confirms"]
How = Literal["rule", "explicit"]


class Relation(Value):
    """A directed relation from one note or claim, the `source`, to another one, the `target` (001-05 to 001-08).

    `supersedes` points from the successor to what it closed, `confirms` from the repetition to the claim repeated.
    A contradiction is one of both sides: `conflicts_with` points from the smaller id to the other. `status` is
    `active`, or `resolved` for a contradiction that a decision ended. `how` tells a rule from a decision by hand.
    `decided_at` (UTC) is when the store recorded it. `evidence` are the words that it rests on, for a rule; a decision
    by hand has `actor`, and `evidence_id`, the event that it named, if any.
    """

    id: str
    kind: RelationKind
    source: str
    target: str
    status: Literal["active", "resolved"]
    how: How
    decided_at: datetime
    evidence: tuple[Evidence, ...] = ()
    evidence_id: str | None = None
    actor: str | None = None

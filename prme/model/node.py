"""Nodes: how notes and claims are read."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Literal

from prme.model.claim import Evidence
from prme.model.extraction import EpistemicType, Kind, Polarity
from prme.model.message import SourceType
from prme.model.value import Value

Status = Literal["current", "confirming", "superseded", "contested", "deprecated"]


class NodeType(StrEnum):
    """What a node is: the raw note, an entity, or a claim of one of three kinds."""

    NOTE = "NOTE"
    ENTITY = "ENTITY"
    FACT = "FACT"
    PREFERENCE = "PREFERENCE"
    DECISION = "DECISION"

    @classmethod
    def of_kind(cls, kind: Kind) -> NodeType:
        """Return the node type of a claim's kind."""
        return cls[kind.upper()]


class Node(Value):
    """A note or claim with its newest interval `[valid_from, valid_to)`, UTC; `valid_to` None means open.

    A confirming claim reads `valid_to` and `superseded_by` from the claim it confirms. `content` is a note's message
    or a claim's own sentences; such a sentence may also mention a sibling claim that has been retired (003-51).
    """

    id: str
    node_type: NodeType
    user_id: str
    scope: str
    content: str
    source_type: SourceType
    status: Status
    valid_from: datetime
    valid_to: datetime | None
    superseded_by: str | None
    confirms: str | None
    last_confirmed_at: datetime | None
    event_id: str
    subject_id: str | None = None
    position: int | None = None
    subject: str | None = None
    predicate: str | None = None
    object: str | None = None
    polarity: Polarity | None = None
    epistemic_type: EpistemicType | None = None
    condition: str | None = None
    evidence: tuple[Evidence, ...] = ()

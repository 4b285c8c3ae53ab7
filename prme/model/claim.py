"""Evidence, grounded claims and the claim as the correction rules see it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from prme.model.extraction import EpistemicType, Kind, Polarity, TemporalIntent
from prme.model.message import SourceType
from prme.model.value import Value
from prme.text_folding import fold_text


class Evidence(Value):
    """A character span `[start, end)` of an event's content, and the text it slices to."""

    event_id: str
    start: int
    end: int
    quote: str


class Span(NamedTuple):
    """A character span `[start, end)` of the content that was grounded."""

    start: int
    end: int


class GroundedClaim(NamedTuple):
    """A proposed claim that passed the speech-act gate: what it says, as grounding left it.

    `predicate` is snake_case; `effective_at` is UTC; `spans` are its own sentences in the message and `content` is
    their text; `changes` are the reason codes of everything grounding altered.
    """

    position: int
    subject: str
    predicate: str
    object: str
    kind: Kind
    polarity: Polarity
    epistemic_type: EpistemicType
    condition: str | None
    condition_supported: bool | None
    temporal_intent: TemporalIntent | None
    replaces_object: str | None
    temporal_ref: str | None
    effective_at: datetime
    confidence: Decimal | None
    subject_entity_type: str | None
    object_entity_type: str | None
    spans: tuple[Span, ...]
    content: str
    changes: tuple[str, ...] = ()


class RejectedClaim(Value):
    """A proposed claim that was not admitted: its position in the extraction and why."""

    position: int
    reason: str


def folded_texts(obj: str, replaces_object: str | None) -> tuple[str, str | None]:
    """Return a claim's object and former value as the rules compare them; a blank former value is none.

    A claim that is published and one that is read back must be folded alike, or the stored state is not the fold.
    """
    return fold_text(obj), None if replaces_object is None else fold_text(replaces_object) or None


class Grounding(NamedTuple):
    """The outcome of grounding one extraction."""

    admitted: tuple[GroundedClaim, ...]
    rejected: tuple[RejectedClaim, ...]


@dataclass(frozen=True, slots=True)
class Claim:
    """An admitted claim as the correction rules see it: values only, folded where they are compared.

    `subject_id` is None for an unresolved subject: such a claim neither corrects nor is corrected. `trigger` are the
    words of the message that its decision rests on; they decide nothing.
    """

    id: str
    event_id: str
    position: int
    policy: str
    scope: str
    source_type: SourceType
    kind: Kind
    subject_id: str | None
    predicate: str
    object_key: str
    polarity: Polarity
    epistemic_type: EpistemicType
    condition: str | None
    temporal_intent: TemporalIntent | None
    replaces_key: str | None
    effective_at: datetime
    received_at: datetime
    trigger: Evidence

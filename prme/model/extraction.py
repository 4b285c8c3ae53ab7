"""What an extractor is asked and what it answers."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pydantic import Field

from prme.model.message import Message
from prme.model.value import Value

Kind = Literal["fact", "preference", "decision"]
Polarity = Literal["positive", "negative", "unknown"]
EpistemicType = Literal["observed", "asserted", "inferred", "hypothetical", "conditional", "unverified"]
TemporalIntent = Literal["update", "assertion"]


class ExtractedEntity(Value):
    """Somebody or something that the message names."""

    name: str
    entity_type: str
    description: str | None = None


class ExtractedClaim(Value):
    """One proposed claim: subject, predicate, object, as the extractor read them in the message.

    `condition`, `replaces_object`, `temporal_ref` and `evidence_quote` are verbatim pieces of the message.
    `confidence` (0..1) is informative and never decides anything.
    """

    subject: str
    predicate: str
    object: str
    kind: Kind = "fact"
    polarity: Polarity = "unknown"
    epistemic_type: EpistemicType = "asserted"
    condition: str | None = None
    temporal_intent: TemporalIntent | None = None
    replaces_object: str | None = None
    temporal_ref: str | None = None
    evidence_quote: str | None = None
    confidence: Decimal | None = Field(default=None, ge=0, le=1)
    subject_entity_type: str | None = None
    object_entity_type: str | None = None


class Extraction(Value):
    """What an extractor proposed for one message."""

    entities: list[ExtractedEntity] = []
    claims: list[ExtractedClaim] = []


class ExtractionRequest(Value):
    """What an extractor is given: the message as passed, the policy's name, and earlier messages of the session.

    `context` is oldest first and may be read but not cited. `validation_error` is set when the previous answer to the
    same message was not valid, and says why.
    """

    message: Message
    policy: str
    context: tuple[Message, ...] = ()
    validation_error: str | None = None

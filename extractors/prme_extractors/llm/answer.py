"""The form in which a model answers: one schema for both providers, and the way back to an extraction."""

from __future__ import annotations

import json
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from prme.extraction.failures import InvalidExtractionError
from prme.model.extraction import EpistemicType, Extraction, Kind, Polarity

Answer = TypeVar("Answer", bound=BaseModel)
# A model's "nothing" may be null, an empty text, or the word.
_NOTHING = frozenset({"", "null", "none", "n/a"})
_TITLES = ("title", "description")


class _Answered(BaseModel):
    """Every field is required and nothing else is allowed: what both providers enforce while the model writes."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class AnsweredEntity(_Answered):
    """Somebody or something that the message names."""

    name: str
    entity_type: str


class AnsweredClaim(_Answered):
    """One claim. The quote comes first: what a model has copied out it labels better."""

    evidence_quote: str
    subject: str
    predicate: str
    object: str
    polarity: Polarity
    temporal_intent: Literal["update", "assertion"]
    replaces_object: str | None
    epistemic_type: EpistemicType
    condition: str | None
    temporal_ref: str | None
    kind: Kind
    subject_entity_type: str | None


class MessageAnswer(_Answered):
    """The answer about one message."""

    entities: list[AnsweredEntity]
    claims: list[AnsweredClaim]


class TaggedAnswer(MessageAnswer):
    """The answer about one message of several: its number and its tag, both copied from the question."""

    message: int
    tag: str


class BatchAnswer(_Answered):
    """The answers about several messages."""

    answers: list[TaggedAnswer]


def json_schema(answer: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON Schema of an answer, without the words that only people read."""
    schema: dict[str, Any] = _without_titles(answer.model_json_schema())
    return schema


def read_message_answer(text: str) -> Extraction:
    """Return the extraction in an answer about one message. Raises `InvalidExtractionError`, without the answer."""
    return _extraction(_read(MessageAnswer, text))


def read_batch_answer(text: str, tags: list[str]) -> list[Extraction | None]:
    """Return an extraction for each tag, in order; None where no answer, or more than one, bears number and tag.

    Raises `InvalidExtractionError` when the answer as a whole cannot be read.
    """
    answers = _read(BatchAnswer, text).answers
    found: list[Extraction | None] = []
    for number, tag in enumerate(tags, start=1):
        mine = [answer for answer in answers if answer.message == number]
        found.append(_extraction(mine[0]) if len(mine) == 1 and mine[0].tag == tag else None)
    return found


def _read(kind: type[Answer], text: str) -> Answer:
    try:
        return kind.model_validate(_json_object(text))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_context=False, include_input=False)[0]
        place = ".".join(str(part) for part in fault["loc"]) or "answer"
        raise InvalidExtractionError(f"{place}: {fault['msg']}") from None


def _json_object(text: str) -> Any:
    """Return the JSON object of an answer; a server without structured output may wrap it in a fence or a sentence."""
    start = text.find("{")
    if start < 0:
        raise InvalidExtractionError("the answer holds no JSON object" if text.strip() else "the answer is empty")
    try:
        value, _ = json.JSONDecoder().raw_decode(text, start)
    except (json.JSONDecodeError, RecursionError, ValueError):
        raise InvalidExtractionError("the answer is not complete JSON") from None
    return value


def _extraction(answer: MessageAnswer) -> Extraction:
    claims = [
        {field: _something(value) if nullable else value for field, value, nullable in _fields(claim)}
        for claim in answer.claims
    ]
    return Extraction.model_validate(
        {"entities": [entity.model_dump() for entity in answer.entities], "claims": claims}
    )


def _fields(claim: AnsweredClaim) -> list[tuple[str, Any, bool]]:
    nullable = {"replaces_object", "condition", "temporal_ref", "subject_entity_type"}
    return [(field, value, field in nullable) for field, value in claim.model_dump().items()]


def _something(value: str | None) -> str | None:
    return None if value is None or value.strip().casefold() in _NOTHING else value


def _without_titles(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_without_titles(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    # The names under "properties" are names of fields, whatever they are called.
    return {
        key: {name: _without_titles(part) for name, part in value.items()}
        if key in {"properties", "$defs"}
        else _without_titles(value)
        for key, value in schema.items()
        if key not in _TITLES
    }

"""What routes answer, for the schema: their own answers, and the problems that any of them may have."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel

from prme.http.problems import PROBLEM_JSON, Problem
from prme.model.retrieval import Hit

_MEANINGS = {
    202: "Stored; the extraction is pending.",
    400: "The body is not strict JSON.",
    401: "A bearer token is needed, or the one given is not known.",
    403: "The caller may not do this, or not for that owner.",
    404: "Unknown, malformed, or another owner's.",
    408: "The body did not arrive in time.",
    409: "It contradicts what is stored.",
    413: "The body is too large, or the batch has too many items.",
    415: "The body is not application/json in UTF-8.",
    422: "A field or parameter is unknown, missing, or breaks its rule.",
    500: "A fault, or a damaged store.",
    503: "The store or the service is busy or closed; or the message is stored and its extraction failed.",
    504: "The answer takes too long; the work goes on.",
}
_READING = (401, 403, 413, 408, 415, 422, 500, 503, 504)
_WRITING = (400, *_READING)


class Stored(BaseModel):
    """The id of the event under which a note was stored."""

    event_id: str


class Found(BaseModel):
    """The hits of a search, best first, and how many more rows had the words, by the reason they were left out."""

    hits: list[Hit]
    excluded: dict[str, int]


class ContextText(BaseModel):
    """A text for a language model, the nodes that it shows, and how many more were found and had no room."""

    text: str
    tokens: int
    node_ids: list[str]
    left_out: int


class Health(BaseModel):
    """Whether the service works."""

    status: Literal["ok", "ready"]


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """Return the problems that a route may answer with, for the schema."""
    return {
        status: {
            "description": _MEANINGS[status],
            "content": {PROBLEM_JSON: {"schema": {"$ref": f"#/components/schemas/{Problem.__name__}"}}},
        }
        for status in sorted(statuses)
    }


def reading(model: Any, *more: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers of a route without a body."""
    return {200: {"model": model, "description": "Found."}, **problems(*_READING, *more)}


def writing(model: Any, *more: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers of a route with a body."""
    return {200: {"model": model, "description": "Done."}, **problems(*_WRITING, *more)}


def ingesting(model: Any, *more: int) -> dict[int | str, dict[str, Any]]:
    """Return the answers of a route that stores messages to extract from."""
    return {**writing(model, 409, *more), 202: {"model": model, "description": _MEANINGS[202]}}

"""Problem documents (RFC 9457): how every refusal and every error of prme is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi import Response
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from prme import errors
from prme.model.receipt import IngestReceipt

PROBLEM_JSON = "application/problem+json"
KIND_PREFIX = "urn:prme:problem:"
RETRY_AFTER = {"Retry-After": "1"}
LONGEST_NAME = 100

# The first class that an error belongs to counts, so the special ones stand first.
ERROR_MAP: Mapping[type[Exception], tuple[int, str]] = {
    errors.InvalidMessageError: (422, "invalid_message"),
    errors.MessageConflictError: (409, "message_conflict"),
    errors.ExtractionError: (503, "extraction_failed"),
    errors.PlanNotFoundError: (404, "not_found"),
    errors.UnsupportedPlanError: (500, "unsupported_plan"),
    errors.PlanCorruptError: (500, "plan_corrupt"),
    errors.PlanError: (500, "plan_unusable"),
    errors.NodeNotFoundError: (404, "not_found"),
    errors.ConflictError: (409, "conflict"),
    errors.StoreBusyError: (503, "store_busy"),
    errors.StoreLockedError: (503, "store_locked"),
    errors.StoreVersionError: (500, "store_version"),
    errors.StoreCorruptError: (500, "store_corrupt"),
    errors.StoreError: (503, "store_unavailable"),
    errors.UnknownExtractorError: (500, "unknown_extractor"),
    errors.PrmeError: (500, "fault"),
}
# What the store says of itself names files of the operator's: that is for the log.
_OPERATORS_MATTER = {
    "store_locked": "the store is held by another process",
    "store_unavailable": "the store cannot be used at the moment",
    "store_version": "the store was written by a newer release",
    "store_corrupt": "the store is damaged; the operator's log says more",
    "plan_corrupt": "the saved plan is damaged; the operator's log says more",
}


class FieldProblem(BaseModel):
    """What is wrong with one field: where it stands, and what it must be."""

    field: str
    says: str


class Problem(BaseModel):
    """A problem document.

    `type` is stable and says which problem it is; `detail` is for people. `reason_code` and `event_id` stand where a
    message was stored and its extraction failed, `receipts` where that happened within a batch. `errors` has the fields
    that were refused.
    """

    type: str
    title: str
    status: int
    detail: str
    reason_code: str | None = None
    event_id: str | None = None
    receipts: list[IngestReceipt] | None = None
    errors: list[FieldProblem] | None = None


class RefusedError(HTTPException):
    """A request that the service itself refuses, with what the problem document adds to status and text."""

    def __init__(
        self, status: int, kind: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
    ) -> None:
        super().__init__(status, detail, dict(headers or {}))
        self.kind = kind
        self.members = members

    def answer(self) -> Response:
        """Return the problem document."""
        return problem(self.status_code, self.kind, self.detail, headers=self.headers, **self.members)


def problem(
    status: int, kind: str, detail: str, *, headers: Mapping[str, str] | None = None, **members: Any
) -> Response:
    """Return a problem document; members that are None are left out."""
    document = Problem(
        type=KIND_PREFIX + kind, title=kind.replace("_", " ").capitalize(), status=status, detail=detail, **members
    )
    data = document.model_dump(mode="json", exclude_none=True)
    # In ASCII: the name of an unknown field may be one that UTF-8 cannot carry.
    return Response(json.dumps(data), status, dict(headers or {}), PROBLEM_JSON)


def kind_of(error: Exception) -> tuple[int, str] | None:
    """Return the status and the kind that an error is answered with; None for an error that nobody expected."""
    for known, answer in ERROR_MAP.items():
        if isinstance(error, known):
            return answer
    # An argument that breaks a rule is just that class; what other libraries raise are classes below it.
    return (422, "invalid_argument") if type(error) is ValueError else None


def error_problem(error: Exception) -> Response | None:
    """Return the problem document of an error; None for an error that nobody expected."""
    known = kind_of(error)
    if known is None:
        return None
    status, kind = known
    members: dict[str, Any] = {}
    if isinstance(error, errors.ExtractionError):
        members = {"reason_code": error.reason_code, "event_id": error.event_id}
    headers = RETRY_AFTER if status == 503 and kind.startswith("store_") else {}
    return problem(status, kind, _OPERATORS_MATTER.get(kind, str(error)), headers=headers, **members)


def field_problems(found: Sequence[Mapping[str, Any]]) -> list[FieldProblem]:
    """Return what pydantic found as fields and texts; never what it found there."""
    return [FieldProblem(field=_name(error["loc"]), says=_says(error)) for error in found]


def _name(location: Sequence[str | int]) -> str:
    """Return the place of a field, such as `messages[3].content`."""
    name = ""
    for part in location:
        if isinstance(part, int):
            name += f"[{part}]"
        else:
            name += ("." if name else "") + part[:LONGEST_NAME]
    return name


def _says(error: Mapping[str, Any]) -> str:
    if error["type"] == "value_error":
        return str(error["ctx"]["error"])  # ours: the validators of prme.http.fields
    return str(error["msg"])

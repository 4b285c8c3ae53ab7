"""Records: the saved plan, or the decision made by hand, that one line or file of a source holds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from prme.canonical import digest_document
from prme.errors import PlanCorruptError
from prme.model.decision import DecisionKind, ExplicitDecision
from prme.model.plan import ExtractionPlan
from prme.plan.codec import decode_plan
from prme.plan.document import PLAN_FORMAT

DECISION_FORMAT = "prme.decision/1"
# They say nothing of claims: events without a plan, and the list of what an export holds.
SILENT_FORMATS = frozenset({"prme.event/1", "prme.manifest/1"})

_PLAN_KEY = f'"format":"{PLAN_FORMAT}"'.encode("ascii")
_PLAN_FAMILY = "prme.plan/"


class BadRecordError(Exception):
    """Bytes are no record that can be used; the text says why and does not repeat them."""


@dataclass(frozen=True, slots=True)
class PlanRecord:
    """A saved plan and its canonical bytes."""

    plan: ExtractionPlan
    data: bytes


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """A decision made by hand, and the owner whose nodes it names."""

    user_id: str
    decision: ExplicitDecision


Record = PlanRecord | DecisionRecord


class _DecisionFields(BaseModel):
    """The fields of a decision's record that enter the fold; actor and evidence do not."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    user_id: str
    number: int = Field(ge=1, le=2**53 - 1)
    kind: DecisionKind
    old: str
    new: str
    at: AwareDatetime | None
    mark: AwareDatetime


def read_record(data: bytes) -> Record | None:
    """Return the record of canonical bytes, or None for one that says nothing of claims.

    Raises `PlanError` for a plan that is damaged or of an unknown format or policy, `BadRecordError` for anything else
    that is no record.
    """
    # Inside a text the quotation marks would be escaped, so this is the key itself.
    if _PLAN_KEY in data:
        return PlanRecord(decode_plan(data), data)
    document = _json_object(data)
    found = document.get("format")
    if isinstance(found, str) and found.startswith(_PLAN_FAMILY):
        decode_plan(data)  # which names the release that can read it
        raise PlanCorruptError("the plan is not in its canonical form: restore it from an export or a backup")
    if found in SILENT_FORMATS:
        return None
    if found == DECISION_FORMAT:
        return _decision(document, data)
    raise BadRecordError("no record of a plan or a decision: it names no format that this release reads")


def _decision(document: dict[str, Any], data: bytes) -> DecisionRecord:
    if "checksum" in document:
        unsigned = {key: value for key, value in document.items() if key != "checksum"}
        if document["checksum"] != _digest(unsigned):
            raise BadRecordError("the decision does not match its checksum: it was changed after it was written")
    try:
        fields = _DecisionFields.model_validate_json(data)
    except ValidationError as error:
        names = ", ".join(sorted({".".join(map(str, item["loc"])) for item in error.errors()}))
        raise BadRecordError(f"the decision does not have the fields of {DECISION_FORMAT}: {names}") from None
    if fields.at is None and fields.kind != "contradict":
        raise BadRecordError(f"the decision says not when it closes what it closes: {DECISION_FORMAT} needs at")
    return DecisionRecord(
        user_id=fields.user_id,
        decision=ExplicitDecision(
            number=fields.number,
            kind=fields.kind,
            old=fields.old,
            new=fields.new,
            at=None if fields.at is None else _in_utc(fields.at),
            mark=_in_utc(fields.mark),
        ),
    )


def _in_utc(moment: datetime) -> datetime:
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise BadRecordError("the decision has a time that no calendar has in UTC") from None


def _digest(document: dict[str, Any]) -> str | None:
    try:
        return digest_document(document)
    except ValueError:  # a number or a text that no record of ours has
        return None


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        document = json.loads(data)
    except UnicodeDecodeError:
        raise BadRecordError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise BadRecordError(f"not JSON (column {error.colno})") from None
    except (RecursionError, ValueError):
        raise BadRecordError("not JSON that can be read") from None
    if not isinstance(document, dict):
        raise BadRecordError("not a JSON object")
    return document

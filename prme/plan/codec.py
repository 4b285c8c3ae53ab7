"""Plan bytes: writing the canonical form with its checksum, and reading saved bytes without canonicalising again.

`checksum` sorts before every other key of a plan. So the bytes begin with it, and the document that it covers is the
rest of the very same bytes.
"""

from __future__ import annotations

import json
import re
from typing import Any

from pydantic import ValidationError

from prme.canonical import canonical_document, digest_bytes
from prme.errors import PlanCorruptError, PlanError, UnsupportedPlanError
from prme.model.plan import ExtractionPlan
from prme.plan.document import PLAN_FORMAT
from prme.policy.registry import get_policy

_HEAD = re.compile(rb'\{"checksum":"(sha256:[0-9a-f]{64})",')
_FORMAT_FAMILY = "prme.plan/"


def encode_plan(document: dict[str, Any]) -> tuple[bytes, str]:
    """Return the canonical bytes of a plan and its checksum."""
    body = canonical_document(document)
    checksum = digest_bytes(body)
    return b'{"checksum":"' + checksum.encode("ascii") + b'",' + body[1:], checksum


def plan_checksum(data: bytes) -> str:
    """Return the checksum that saved bytes claim, after proving it on the same bytes.

    Raises `PlanCorruptError` when the bytes are not what was saved.
    """
    head = _HEAD.match(data)
    if head is None:
        raise PlanCorruptError("the plan does not begin with its checksum: restore it from an export or a backup")
    claimed = head.group(1).decode("ascii")
    if digest_bytes(b"{" + data[head.end() :]) != claimed:
        raise PlanCorruptError(
            "the plan's bytes do not match its checksum: it was changed after it was saved; restore it from a backup"
        )
    return claimed


def decode_plan(data: bytes) -> ExtractionPlan:
    """Return the plan of saved bytes.

    Raises `PlanCorruptError` when the bytes are not what was saved, and `UnsupportedPlanError` when they are but were
    written under a format or policy that this release does not know (003-54, 003-56).
    """
    try:
        plan_checksum(data)
    except PlanCorruptError:
        _refuse_other_format(_format_of(data))
        raise
    try:
        plan = ExtractionPlan.model_validate_json(data)
    except ValidationError as error:
        raise _unreadable(data, error) from None
    _refuse_other_format(plan.format)
    get_policy(plan.policy)
    return plan


def _unreadable(data: bytes, error: ValidationError) -> PlanError:
    """Return why bytes that are what was saved are no plan: of another release, or nothing that was ever one."""
    document = _read_object(data)
    if document is None:
        return PlanCorruptError(
            "the plan has a valid checksum but is no JSON object: restore it from an export or a backup"
        )
    try:
        _refuse_other_format(document.get("format"))
        policy = document.get("policy")
        if isinstance(policy, str):
            get_policy(policy)
    except UnsupportedPlanError as unsupported:
        return unsupported
    fields = ", ".join(sorted({".".join(map(str, item["loc"])) for item in error.errors()})[:5])
    return PlanCorruptError(f"the plan has a valid checksum but not the fields of {PLAN_FORMAT}: {fields}")


def _format_of(data: bytes) -> object:
    """Return the format that damaged or foreign bytes name, if they can be read at all."""
    if _HEAD.match(data):
        return None  # our own layout with a wrong digest is damage, whatever the rest says
    document = _read_object(data)
    return None if document is None else document.get("format")


def _read_object(data: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _refuse_other_format(found: object) -> None:
    if isinstance(found, str) and found.startswith(_FORMAT_FAMILY) and found != PLAN_FORMAT:
        raise UnsupportedPlanError(
            f"the plan has format {found!r}, this release reads {PLAN_FORMAT!r}: upgrade prme to read it"
        )

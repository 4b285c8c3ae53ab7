"""Heads: what a record is and whom it concerns, told without reading all of it, once its bytes are those saved."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NamedTuple

import orjson

from prme.canonical import canonical_document, digest_document
from prme.errors import PlanCorruptError, PlanError, UnsupportedPlanError
from prme.message import MAX_ID_CHARACTERS
from prme.plan.codec import plan_checksum
from prme.plan.document import PLAN_FORMAT
from prme.records.writing import DECISION_FORMAT, EVENT_FORMAT, MANIFEST_FORMAT

NOT_CANONICAL = "the plan is not in its canonical form: restore it from an export or a backup"
RecordKind = Literal["plan", "event", "decision", "manifest"]
_KINDS: dict[str, RecordKind] = {
    PLAN_FORMAT: "plan",
    EVENT_FORMAT: "event",
    DECISION_FORMAT: "decision",
    MANIFEST_FORMAT: "manifest",
}
# Keys of a canonical plan. Inside a text the quotation marks would be escaped, so these are the keys themselves.
_IS_PLAN = f',"format":"{PLAN_FORMAT}",'.encode("ascii")
_BEFORE_EVENT = b',"event":'
_AFTER_EVENT = b',"extraction":{'
_ID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_LONGEST_FORMAT = 40
_MOST_DECISIONS = 2**53 - 1
_NOT_ITSELF = "the record does not match its checksum: it was changed after it was saved; restore it from a backup"


class RecordHead(NamedTuple):
    """What tells records apart: the owner, and the id of the event or the number of the decision that it is about."""

    kind: RecordKind
    user_id: str
    name: str
    checksum: str


def record_head(data: bytes) -> RecordHead:
    """Return what a record is, after proving its checksum on its own bytes; nothing else in it is checked.

    Raises `PlanCorruptError` when the bytes are not what was saved, and `UnsupportedPlanError` when they are, in a
    format that this release does not know (003-56).
    """
    if data.rfind(_IS_PLAN) != -1:  # from the end, where it stands
        return _plan_head(data)
    document = read_object(data)
    found = document.get("format")
    kind = _KINDS.get(found) if isinstance(found, str) else None
    if kind == "plan":
        plan_checksum(data)
        raise PlanCorruptError(NOT_CANONICAL)
    checksum = _document_checksum(data, document, known=kind is not None)
    if kind is None:
        raise _unknown_format(found)
    if kind == "manifest":
        return RecordHead(kind, "", "", checksum)
    if kind == "decision":
        return RecordHead(kind, _owner(document.get("user_id")), _number(document.get("number")), checksum)
    return _event_head(kind, document.get("event"), checksum)


def read_object(data: bytes) -> dict[str, Any]:
    """Return the JSON object that some bytes are. Raises `PlanCorruptError`."""
    try:
        document = json.loads(data)
    except UnicodeDecodeError:
        raise PlanCorruptError("not UTF-8") from None
    except json.JSONDecodeError as error:
        raise PlanCorruptError(f"not JSON (column {error.colno})") from None
    except (RecursionError, ValueError):
        raise PlanCorruptError("not JSON that can be read") from None
    if not isinstance(document, dict):
        raise PlanCorruptError("not a JSON object")
    return document


def _plan_head(data: bytes) -> RecordHead:
    """Return the head of a plan, of which only the event is read; whoever reads all of it compares the two."""
    checksum = plan_checksum(data)
    start = data.find(_BEFORE_EVENT) + len(_BEFORE_EVENT)
    end = data.find(_AFTER_EVENT, start)
    try:
        event = orjson.loads(data[start:end])
    except ValueError:
        raise PlanCorruptError(NOT_CANONICAL) from None
    return _event_head("plan", event, checksum)


def _event_head(kind: RecordKind, event: object, checksum: str) -> RecordHead:
    if not isinstance(event, dict):
        raise PlanCorruptError("the record has no event")
    return RecordHead(kind, _owner(event.get("user_id")), _event_id(event.get("id")), checksum)


def _document_checksum(data: bytes, document: dict[str, Any], *, known: bool) -> str:
    """Return the checksum that a document claims, after proving it; an unknown format may have none."""
    claimed = document.get("checksum")
    if not isinstance(claimed, str):
        if known:
            raise PlanCorruptError("the record has no checksum: it is no record of an export")
        return ""
    rest = {key: value for key, value in document.items() if key != "checksum"}
    try:
        unchanged = digest_document(rest) == claimed and canonical_document(document) == data
    except (ValueError, RecursionError):
        unchanged = False
    if not unchanged:
        raise PlanCorruptError(_NOT_ITSELF)
    return claimed


def _unknown_format(found: object) -> PlanError:
    if not isinstance(found, str) or not found.startswith("prme."):
        return PlanCorruptError("the record names no format of prme: it is no record of an export")
    return UnsupportedPlanError(
        f"the record has format {found[:_LONGEST_FORMAT]!r}, this release reads {', '.join(sorted(_KINDS))}: "
        "upgrade prme to read it"
    )


def _owner(user_id: object) -> str:
    if isinstance(user_id, str) and user_id.strip() and len(user_id) <= MAX_ID_CHARACTERS and "\x00" not in user_id:
        try:
            user_id.encode("utf-8")
        except UnicodeEncodeError:
            pass
        else:
            return user_id
    raise PlanCorruptError("the record names no owner")


def _event_id(found: object) -> str:
    if not isinstance(found, str) or _ID.fullmatch(found) is None:
        raise PlanCorruptError("the record's event has no id")
    return found


def _number(found: object) -> str:
    if not isinstance(found, int) or not 1 <= found <= _MOST_DECISIONS:
        raise PlanCorruptError("the decision has no number")
    return str(found)

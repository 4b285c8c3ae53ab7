"""A node as a row of the text index, and back."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import orjson

from prme.clock import from_microseconds, to_microseconds
from prme.model.node import Node, NodeType
from prme.retrieval.words import folded, indexed

NODE_COLUMNS = (
    "rowid",
    "owner_key",
    "node_id",
    "event_id",
    "scope",
    "node_type",
    "source_type",
    "valid_from",
    "valid_to",
    "status",
    "superseded_by",
    "confirms",
    "content",
    "document",
    "checksum",
)
DAMAGED = "a row of the text index was damaged"
# What has a column of its own is not repeated in the document; every other field of a node goes there by itself.
_COLUMNS = {"id", "user_id", *NODE_COLUMNS}


def node_row(rowid: int, owner_key: int, node: Node) -> tuple[Any, ...]:
    """Return the row of `nodes`, in the order of `NODE_COLUMNS`."""
    document = node.model_dump(mode="json", exclude=_COLUMNS, exclude_defaults=True)
    row = (
        rowid,
        owner_key,
        node.id,
        node.event_id,
        node.scope,
        node.node_type.value,
        node.source_type.value,
        to_microseconds(node.valid_from),
        None if node.valid_to is None else to_microseconds(node.valid_to),
        node.status,
        node.superseded_by,
        node.confirms,
        node.content,
        orjson.dumps(document).decode("utf-8"),
    )
    return (*row, _checksum(row))


def node_of(stored: tuple[Any, ...], user_id: str) -> Node:
    """Return the node of a row. Raises `sqlite3.DatabaseError` when the row is not the one that was written.

    SQLite does not notice a changed byte inside a value, and what is shown must be what the store holds.
    """
    *row, checksum = stored
    if checksum != _checksum(row):
        raise sqlite3.DatabaseError(DAMAGED)
    _, _, node_id, event_id, scope, node_type, source_type, valid_from, valid_to, status = row[:10]
    superseded_by, confirms, content, document = row[10:]
    return Node.model_validate(
        {
            "last_confirmed_at": None,
            **_with_times(orjson.loads(document)),
            "id": node_id,
            "user_id": user_id,
            "event_id": event_id,
            "scope": scope,
            "node_type": node_type,
            "source_type": source_type,
            "valid_from": from_microseconds(valid_from),
            "valid_to": None if valid_to is None else from_microseconds(valid_to),
            "status": status,
            "superseded_by": superseded_by,
            "confirms": confirms,
            "content": content,
        }
    )


def _checksum(row: Sequence[Any]) -> str:
    try:
        said = orjson.dumps(row)
    except orjson.JSONEncodeError:  # damage made a value of another kind
        raise sqlite3.DatabaseError(DAMAGED) from None
    return hashlib.blake2b(said, digest_size=16).hexdigest()


def text_row(rowid: int, node: Node) -> tuple[int, str, str]:
    """Return the row of an owner's words: what a claim says, and the content of the note or claim."""
    if node.node_type is NodeType.NOTE:
        return rowid, "", indexed(node.content)
    predicate = node.predicate or ""
    said = indexed(" ".join((node.subject or "", predicate.replace("_", " "), node.object or "")))
    # `works_at` is found as it is written and as "works at".
    return rowid, f"{said} {folded(predicate)}" if "_" in predicate else said, indexed(node.content)


def _with_times(document: dict[str, Any]) -> dict[str, Any]:
    confirmed = document.get("last_confirmed_at")
    if confirmed is not None:
        document["last_confirmed_at"] = datetime.fromisoformat(confirmed)
    return document

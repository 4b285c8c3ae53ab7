"""What a store holds, in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prme.store.database import Reader
from prme.store.records import unfinished_counts


@dataclass(frozen=True, slots=True)
class StoreSummary:
    """How much a store holds.

    `pending` and `failed` count messages without a plan; `heads` has the newest journal entry of each owner.
    """

    owners: int
    messages: int
    claims: int
    commits: int
    pending: int
    failed: int
    heads: Mapping[int, int]


def summary(reader: Reader) -> StoreSummary:
    """Count what is stored."""
    unfinished = unfinished_counts(reader)
    return StoreSummary(
        owners=_number(reader, "select count(*) from owners"),
        messages=_number(reader, "select count(*) from events"),
        claims=_number(reader, "select count(*) from claims"),
        commits=_number(reader, "select coalesce(max(commit_no), 0) from journal"),
        pending=unfinished.pending,
        failed=unfinished.failed,
        heads=dict(reader.query("select owner_key, max(seq) from journal group by owner_key")),
    )


def _number(reader: Reader, sql: str) -> int:
    return int(reader.query(sql)[0][0])

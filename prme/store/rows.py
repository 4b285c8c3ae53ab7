"""Rows of the tables as plain tuples in column order, and what one transaction inserts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

Row = tuple[Any, ...]

TABLES = (
    "meta",
    "owners",
    "events",
    "extractions",
    "plans",
    "claims",
    "evidence",
    "intervals",
    "decisions",
    "explicit_decisions",
    "entities",
    "work",
    "journal",
)


@dataclass(slots=True)
class RowBatch:
    """Rows to insert, by table: what one message, or one transaction of several, adds to the store."""

    tables: dict[str, list[Row]] = field(default_factory=dict)

    def add(self, table: str, *rows: Row) -> None:
        """Append rows to a table."""
        if rows:
            self.tables.setdefault(table, []).extend(rows)

    def extend(self, others: Iterable[RowBatch]) -> None:
        """Append all rows of other batches, in order."""
        for other in others:
            for table, rows in other.tables.items():
                self.tables.setdefault(table, []).extend(rows)

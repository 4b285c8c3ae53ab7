"""What tests of a whole store share: a settable clock, extractors with a script, and a raw look at the tables."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import duckdb

from prme import ExtractedClaim, ExtractedEntity, Extraction, ExtractionRequest
from prme.store.opening import DATABASE_FILE
from prme.store.rows import TABLES

NOON = datetime(2031, 4, 1, 12, 0, tzinfo=UTC)
TEA = "I drink tea."
NO_TEA = "I don't drink tea anymore."
COFFEE = "I drink coffee."


class SettableClock:
    """A clock that stands still until it is told otherwise."""

    def __init__(self, moment: datetime = NOON) -> None:
        self.moment = moment

    def __call__(self) -> datetime:
        return self.moment

    def advance(self, **units: float) -> None:
        self.moment += timedelta(**units)


def claim(subject: str, predicate: str, obj: str, **fields: Any) -> ExtractedClaim:
    return ExtractedClaim(subject=subject, predicate=predicate, object=obj, **{"polarity": "positive", **fields})


def denial(subject: str, predicate: str, obj: str, **fields: Any) -> ExtractedClaim:
    return claim(subject, predicate, obj, **{"polarity": "negative", "temporal_intent": "update", **fields})


def extraction(*claims: ExtractedClaim, entities: Mapping[str, str] | None = None) -> Extraction:
    listed = tuple(ExtractedEntity(name=name, entity_type=kind) for name, kind in (entities or {}).items())
    return Extraction(entities=listed, claims=claims)


DRINKS: dict[str, Any] = {
    TEA: extraction(claim("I", "drinks", "tea")),
    COFFEE: extraction(claim("I", "drinks", "coffee")),
    NO_TEA: extraction(denial("I", "drinks", "tea")),
}


class Scripted:
    """A local extractor that answers each message from a script; what is not in the script has no claims.

    An answer may be an exception, which is raised, or a list, of which each call takes the next one.
    """

    local = True
    name = "scripted"
    model = "1"

    def __init__(self, script: Mapping[str, Any] = DRINKS) -> None:
        self.script = dict(script)
        self.requests: list[ExtractionRequest] = []

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.requests.append(request)
        answer = self.script.get(request.message.content, Extraction())
        if isinstance(answer, list):
            answer = answer.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer


class Remote(Scripted):
    """The same, but not local: the event is stored before it is asked."""

    local = False


class Stalled(Remote):
    """A remote extractor that answers nothing until it is released."""

    def __init__(self, script: Mapping[str, Any] = DRINKS) -> None:
        super().__init__(script)
        self.released = asyncio.Event()

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.requests.append(request)
        await self.released.wait()
        return self.script.get(request.message.content, Extraction())


def raw(directory: Path, sql: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    """Run one statement on the database file of a store, past prme."""
    with duckdb.connect(str(directory / DATABASE_FILE)) as connection:
        return connection.execute(sql, list(parameters)).fetchall()


def row_counts(directory: Path) -> dict[str, int]:
    """Return the number of rows of every table that a message can add to."""
    return {table: raw(directory, f"select count(*) from {table}")[0][0] for table in TABLES if table != "meta"}


def everything_stored(directory: Path) -> str:
    """Return the content of all tables and the bytes of all files as one text."""
    tables = (raw(directory, f"select * from {table}") for table in TABLES)
    files = (path.read_bytes().decode("utf-8", errors="replace") for path in sorted(directory.iterdir()))
    return "\n".join([*map(repr, tables), *files])

"""The spool: records of any number of sources sorted by owner, in a temporary file that goes with the process."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from types import TracebackType
from typing import Self

from prme.clock import parse_utc_text, utc_text, utc_text_or_none
from prme.comparison.outcome import Unread
from prme.comparison.records import DecisionRecord, PlanRecord, Record
from prme.errors import StoreError
from prme.model.decision import ExplicitDecision
from prme.model.plan import ExtractionPlan

# SQLite gives this name to a file in the temporary folder, which vanishes when it is closed.
_TEMPORARY = ""
_TABLES = """
    create table plans (
        user_id text not null, event_id text not null, data blob not null, source text not null, line integer,
        primary key (user_id, event_id)
    ) without rowid;
    create table decisions (
        user_id text not null, number integer not null, kind text not null, old text not null, new text not null,
        at text, mark text not null, primary key (user_id, number)
    ) without rowid;
    create table unread (source text not null, line integer, reason text not null);
"""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a record stands: its source, and its line when the source has lines."""

    source: str
    line: int | None

    def __str__(self) -> str:
        return self.source if self.line is None else f"{self.source}, line {self.line}"

    def unread(self, reason: str) -> Unread:
        """Return the report of a record here that cannot be used."""
        return Unread(source=self.source, line=self.line, reason=reason)


class Spool:
    """Plans and decisions by owner, each once. Every call may raise `StoreError` when the temporary folder is full."""

    def __init__(self) -> None:
        with _reported():
            self._connection = sqlite3.connect(_TEMPORARY, isolation_level=None)
            self._connection.executescript(_TABLES)
            # Nothing here outlives the process, so nothing has to be undone.
            self._connection.execute("pragma journal_mode = off")
            self._connection.execute("pragma synchronous = off")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def add(self, record: Record, place: Place) -> Unread | None:
        """Keep a record. A repetition is no error; one that contradicts what is there is returned as unread."""
        return self._add_plan(record, place) if isinstance(record, PlanRecord) else self._add_decision(record, place)

    def refuse(self, unread: Unread) -> None:
        """Keep the report of a record that cannot be used."""
        with _reported():
            self._connection.execute("insert into unread values (?, ?, ?)", (unread.source, unread.line, unread.reason))

    def owners(self) -> Iterator[str]:
        """Yield the owners of plans in order of their ids."""
        user_id: str | None = None
        while True:
            with _reported():
                [(user_id,)] = self._connection.execute(
                    "select min(user_id) from plans where ? is null or user_id > ?", (user_id, user_id)
                ).fetchall()
            if user_id is None:
                return
            yield user_id

    def plans(self, user_id: str) -> Iterator[ExtractionPlan]:
        """Yield an owner's plans."""
        with _reported():
            rows = self._connection.execute("select data from plans where user_id = ?", (user_id,))
            for (data,) in rows:
                yield ExtractionPlan.model_validate_json(data)  # its checksum was proved when it was added

    def decisions(self, user_id: str) -> list[ExplicitDecision]:
        """Return an owner's decisions in the order in which they were made."""
        with _reported():
            rows = self._connection.execute(
                "select number, kind, old, new, at, mark from decisions where user_id = ? order by number", (user_id,)
            ).fetchall()
        return [
            ExplicitDecision(number=number, kind=kind, old=old, new=new, at=_moment(at), mark=parse_utc_text(mark))
            for number, kind, old, new, at, mark in rows
        ]

    def unread(self) -> Iterator[Unread]:
        """Yield the reports of what cannot be used, in the order in which it was read."""
        with _reported():
            for source, line, reason in self._connection.execute("select * from unread order by rowid"):
                yield Unread(source=source, line=line, reason=reason)

    def _add_plan(self, record: PlanRecord, place: Place) -> Unread | None:
        event = record.plan.event
        row = (event.user_id, event.id, record.data, place.source, place.line)
        with _reported():
            if self._connection.execute("insert or ignore into plans values (?, ?, ?, ?, ?)", row).rowcount == 1:
                return None
            [(data, source, line)] = self._connection.execute(
                "select data, source, line from plans where user_id = ? and event_id = ?", row[:2]
            ).fetchall()
        # Plans of one event under several policies have the same recorded extraction, and that is all that counts.
        if data == record.data or _recorded(ExtractionPlan.model_validate_json(data)) == _recorded(record.plan):
            return None
        return place.unread(
            f"event {event.id} has another recorded extraction in {Place(source, line)}, which was read first"
        )

    def _add_decision(self, record: DecisionRecord, place: Place) -> Unread | None:
        made = record.decision
        row = (
            record.user_id,
            made.number,
            made.kind,
            made.old,
            made.new,
            utc_text_or_none(made.at),
            utc_text(made.mark),
        )
        with _reported():
            if self._connection.execute("insert or ignore into decisions values (?,?,?,?,?,?,?)", row).rowcount == 1:
                return None
            same = self._connection.execute(
                "select * from decisions where user_id = ? and number = ?", row[:2]
            ).fetchall()
        return None if same == [row] else place.unread(f"another decision {made.number} of its owner was read first")


def _recorded(plan: ExtractionPlan) -> tuple[object, ...]:
    return plan.event, plan.extraction, plan.extractor, plan.options


def _moment(text: str | None) -> datetime | None:
    return None if text is None else parse_utc_text(text)


@contextlib.contextmanager
def _reported() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise StoreError(
            f"the temporary file of the comparison cannot be used ({error}): check the space in the temporary folder"
        ) from None

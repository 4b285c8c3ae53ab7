"""The run log: what each extraction took, in a small SQLite file beside the database.

It is no part of the memory. Nothing is decided by it, plans and journal do not mention it, and a store without it is
whole. It holds ids, counts and times; no text of messages, no owners.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from prme.clock import to_microseconds
from prme.model.extractor_run import ExtractorRun, ExtractorStats

RUN_LOG_FILE = "extractor-runs.sqlite"
MOST_RUNS = 1_000_000

T = TypeVar("T")
_FORMAT = 1
_COLUMNS = (
    "event_id, recorded_at, extractor, model, outcome, reason_code, batch, calls, input_tokens, output_tokens, "
    "cached_tokens, milliseconds"
)
_TABLE = """
    create table runs (
        run integer primary key, event_id text not null, recorded_at integer not null, extractor text not null,
        model text not null, outcome text not null, reason_code text, batch integer not null, calls integer not null,
        input_tokens integer not null, output_tokens integer not null, cached_tokens integer not null,
        milliseconds integer not null
    )
"""

logger = logging.getLogger("prme")


class RunLog:
    """The runs of one store, the newest million; safe for several threads.

    Losing it must not stop an extraction: what goes wrong with the file is a warning in the log, and the run is lost.
    """

    def __init__(self, path: Path | None) -> None:
        """Name the file; None keeps the runs in memory. Nothing is opened before it is needed."""
        self._path = path
        self._connection: sqlite3.Connection | None = None
        self._lock = threading.Lock()

    def append(self, runs: Iterable[ExtractorRun]) -> None:
        """Add runs at the end; the oldest beyond a million are forgotten."""
        rows = [_row(run) for run in runs]
        marks = ", ".join("?" for _ in _COLUMNS.split(","))

        def write(connection: sqlite3.Connection) -> None:
            with connection:
                connection.executemany(f"insert into runs ({_COLUMNS}) values ({marks})", rows)
                connection.execute("delete from runs where run <= (select max(run) from runs) - ?", [MOST_RUNS])

        self._use(write, None)

    def stats(self) -> list[ExtractorStats]:
        """Return the totals of each extractor and model, by name; an unreadable log has none."""
        if self._path is not None and not self._path.exists():
            return []
        return self._use(_stats, [])

    def close(self) -> None:
        """Close the file, if it is open; a later use opens it again."""
        with self._lock:
            self._drop()

    def _use(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            try:
                if self._connection is None:
                    self._connection = _connect(self._path)
                return work(self._connection)
            except sqlite3.Error as error:
                self._drop()
                logger.warning("the log of extractor runs cannot be used (%s)", type(error).__name__)
                return otherwise

    def _drop(self) -> None:
        if self._connection is not None:
            with contextlib.suppress(sqlite3.Error):
                self._connection.close()
            self._connection = None


def _connect(path: Path | None) -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:" if path is None else path, timeout=1, check_same_thread=False)
    try:
        # A reader in another process sees the runs while this one adds to them.
        connection.execute("pragma journal_mode = wal").fetchall()
        connection.execute("pragma synchronous = normal").fetchall()
        found = connection.execute("pragma user_version").fetchone()[0]
        if found not in (0, _FORMAT):
            raise sqlite3.DatabaseError("a newer release wrote it")
        if found == 0:
            with connection:
                connection.execute(_TABLE)
                connection.execute(f"pragma user_version = {_FORMAT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _row(run: ExtractorRun) -> tuple[str | int | None, ...]:
    return (
        run.event_id,
        to_microseconds(run.recorded_at),
        run.extractor,
        run.model,
        run.outcome,
        run.reason_code,
        run.batch,
        run.calls,
        run.input_tokens,
        run.output_tokens,
        run.cached_tokens,
        run.milliseconds,
    )


def _stats(connection: sqlite3.Connection) -> list[ExtractorStats]:
    totals = connection.execute(
        """
        select extractor, model, count(*), sum(outcome = 'answered'), sum(calls), sum(input_tokens), sum(output_tokens),
            sum(cached_tokens)
        from runs group by extractor, model order by extractor, model
        """
    ).fetchall()
    return [_stats_of(connection, row) for row in totals]


def _stats_of(connection: sqlite3.Connection, row: tuple[str, str, int, int, int, int, int, int]) -> ExtractorStats:
    extractor, model, runs, answered, calls, input_tokens, output_tokens, cached_tokens = row
    mine = [extractor, model]
    failures = connection.execute(
        """
        select coalesce(reason_code, outcome), count(*) from runs
        where extractor = ? and model = ? and outcome = 'failed' group by 1 order by 1
        """,
        mine,
    ).fetchall()

    def milliseconds(share: float) -> int:
        # The smallest time that at least this share of the runs did not exceed.
        place = max(0, -int(-runs * share // 1) - 1)
        found = connection.execute(
            "select milliseconds from runs where extractor = ? and model = ? order by 1 limit 1 offset ?",
            [*mine, place],
        ).fetchone()
        return int(found[0])

    return ExtractorStats(
        extractor=extractor,
        model=model,
        runs=runs,
        answered=answered,
        failed=runs - answered,
        calls=calls,
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cached_tokens=cached_tokens,
        median_milliseconds=milliseconds(0.5),
        p95_milliseconds=milliseconds(0.95),
        failures=dict(failures),
    )

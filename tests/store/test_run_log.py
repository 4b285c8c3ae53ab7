"""The log of extractor runs: counts that add up, and a file whose loss stops nothing."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import prme.store.run_log
from prme.model.extractor_run import ExtractorRun, ExtractorStats
from prme.store.run_log import RunLog

NOON = datetime(2031, 4, 1, 12, tzinfo=UTC)


def run(**fields: Any) -> ExtractorRun:
    return ExtractorRun(
        **{
            "event_id": "e1",
            "recorded_at": NOON,
            "extractor": "openai",
            "model": "m1",
            "outcome": "answered",
            "input_tokens": 100,
            "output_tokens": 20,
            "cached_tokens": 50,
            "milliseconds": 10,
            **fields,
        }
    )


@pytest.fixture(params=["file", "memory"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[RunLog]:
    opened = RunLog(tmp_path / "runs" if request.param == "file" else None)
    yield opened
    opened.close()


def test_an_empty_log_has_no_totals(log: RunLog):
    assert log.stats() == []


def test_runs_are_added_up_for_each_model(log: RunLog):
    log.append([run(calls=2), run(outcome="failed", reason_code="rate_limited", output_tokens=0), run(model="m2")])

    first, second = log.stats()
    assert first == ExtractorStats(
        extractor="openai",
        model="m1",
        runs=2,
        answered=1,
        failed=1,
        calls=3,
        input_tokens=200,
        output_tokens=20,
        cached_tokens=100,
        median_milliseconds=10,
        p95_milliseconds=10,
        failures={"rate_limited": 1},
    )
    assert (second.model, second.runs, second.failures) == ("m2", 1, {})


@pytest.mark.parametrize(
    ("times", "median", "p95"), [([7], 7, 7), ([1, 2], 1, 2), (list(range(1, 101)), 50, 95), ([3, 1, 2], 2, 3)]
)
def test_times_are_those_that_half_and_nearly_all_did_not_exceed(log: RunLog, times: list[int], median: int, p95: int):
    log.append([run(milliseconds=time) for time in times])

    (stats,) = log.stats()
    assert (stats.median_milliseconds, stats.p95_milliseconds) == (median, p95)


def test_runs_are_there_when_the_log_is_opened_again(tmp_path: Path):
    with closing(RunLog(tmp_path / "runs")) as log:
        log.append([run()])
    with closing(RunLog(tmp_path / "runs")) as log:
        assert [stats.runs for stats in log.stats()] == [1]


def test_another_reader_sees_what_is_being_added(tmp_path: Path):
    with closing(RunLog(tmp_path / "runs")) as writer, closing(RunLog(tmp_path / "runs")) as reader:
        writer.append([run()])
        assert [stats.runs for stats in reader.stats()] == [1]


def test_asking_an_unwritten_log_makes_no_file(tmp_path: Path):
    with closing(RunLog(tmp_path / "runs")) as log:
        assert log.stats() == []
    assert list(tmp_path.iterdir()) == []


def test_the_oldest_runs_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(prme.store.run_log, "MOST_RUNS", 3)
    with closing(RunLog(tmp_path / "runs")) as log:
        log.append([run(model="old")])
        log.append([run(), run(), run()])
        assert [(stats.model, stats.runs) for stats in log.stats()] == [("m1", 3)]


@pytest.mark.parametrize("damage", ["text", "newer", "directory"])
def test_a_file_that_cannot_be_used_stops_nothing_and_is_told(
    tmp_path: Path, damage: str, caplog: pytest.LogCaptureFixture
):
    path = tmp_path / "runs"
    if damage == "text":
        path.write_text("this is no database, and long enough not to be taken for an empty one " * 20)
    elif damage == "newer":
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("pragma user_version = 99")
    else:
        path.mkdir()
    with closing(RunLog(path)) as log:
        log.append([run()])
        assert log.stats() == []

    assert "the log of extractor runs cannot be used" in caplog.text


def test_a_log_that_is_whole_warns_of_nothing(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    with closing(RunLog(tmp_path / "runs")) as log:
        log.append([run()])

    assert caplog.text == ""

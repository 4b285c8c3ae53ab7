"""Effective times: from words and the time they were said, and from nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.grounding.dates import resolve_temporal_ref

SAID_AT = datetime(2031, 4, 1, 9, 0, 0, 123456, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two weeks ago", datetime(2031, 3, 18, 9, 0, 0, 123456, tzinfo=UTC)),
        ("yesterday", datetime(2031, 3, 31, 9, 0, 0, 123456, tzinfo=UTC)),
        ("March 3", datetime(2031, 3, 3, tzinfo=UTC)),
        ("May 3", datetime(2030, 5, 3, tzinfo=UTC)),
        ("5pm EST on March 3 2031", datetime(2031, 3, 3, 22, tzinfo=UTC)),
        ("2031-03-03T10:00:00+02:00", datetime(2031, 3, 3, 8, tzinfo=UTC)),
        ("next week", datetime(2031, 4, 8, 9, 0, 0, 123456, tzinfo=UTC)),
        ("since the thing", None),
        ("in 2030", None),
        ("May", None),
        ("year 0 is 99999 years ago", None),
    ],
)
def test_words_resolve_against_the_time_they_were_said(text: str, expected: datetime | None) -> None:
    assert resolve_temporal_ref(text, SAID_AT) == expected


@pytest.mark.parametrize("text", ["April 1", "2031-04-01", "today"])
def test_a_date_of_the_same_day_means_the_time_it_was_said(text: str) -> None:
    assert resolve_temporal_ref(text, SAID_AT) == SAID_AT


@pytest.mark.parametrize("text", ["April 1 at 00:00", "2031-04-01T00:00:00Z"])
def test_a_time_of_the_same_day_is_taken_as_given(text: str) -> None:
    assert resolve_temporal_ref(text, SAID_AT) == datetime(2031, 4, 1, tzinfo=UTC)


def test_the_day_is_that_of_utc() -> None:
    said_at = datetime(2031, 4, 1, 23, 0, tzinfo=timezone(timedelta(hours=-3)))

    assert resolve_temporal_ref("April 2", said_at) == said_at
    assert resolve_temporal_ref("April 1", said_at) == datetime(2031, 4, 1, tzinfo=UTC)


@pytest.mark.parametrize("said_at", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
@pytest.mark.parametrize(
    "text", ["two weeks ago", "next week", "0001-01-01T00:00:00+14:00", "9999-12-31T23:00:00-09:00"]
)
def test_the_ends_of_the_calendar_raise_nothing(text: str, said_at: datetime) -> None:
    assert isinstance(resolve_temporal_ref(text, said_at), datetime | None)


@given(st.text(alphabet="0123456789/-:. agoyersdinTZ+½²٣", max_size=30), st.datetimes(timezones=st.just(UTC)))
def test_odd_words_raise_nothing(text: str, said_at: datetime) -> None:
    assert isinstance(resolve_temporal_ref(text, said_at), datetime | None)


def test_neither_time_zone_nor_locale_of_the_machine_matters() -> None:
    program = (
        "from datetime import datetime, UTC\n"
        "from prme.grounding.dates import resolve_temporal_ref as resolve\n"
        "said_at = datetime(2031, 4, 1, 0, 30, tzinfo=UTC)\n"
        "for text in ('two weeks ago', 'yesterday', 'April 1', '5pm March 3', '01/02/2031', '3 hours ago'):\n"
        "    print(resolve(text, said_at))\n"
    )
    outputs = set()
    for zone, locale in (("UTC", "C"), ("Asia/Tokyo", "ja_JP.UTF-8"), ("America/New_York", "de_DE")):
        environment = {
            **os.environ,
            "TZ": zone,
            "LC_ALL": locale,
            "LANG": locale,
            "PYTHONPATH": os.pathsep.join(sys.path),
        }
        run = subprocess.run(
            [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True
        )
        outputs.add(run.stdout)

    assert len(outputs) == 1


def test_importing_the_gate_imports_neither_dates_nor_splitter() -> None:
    program = "import sys, prme.grounding; print(*{'dateparser', 'syntok', 'regex'} & set(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    run = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)

    assert run.stdout.strip() == ""

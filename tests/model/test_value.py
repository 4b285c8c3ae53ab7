"""A time that a record gives in UTC is read with Python's own zone; any other one stays as it is written."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from prme.clock import utc_text
from prme.model.value import Moment

MOMENT: TypeAdapter[datetime] = TypeAdapter(Moment)


def read(text: str) -> datetime:
    return MOMENT.validate_json(f'"{text}"')


@given(st.datetimes(timezones=st.just(UTC)))
def test_what_is_written_in_utc_is_read_in_utc(moment: datetime):
    found = read(utc_text(moment))

    assert found == moment
    assert found.tzinfo is UTC


@pytest.mark.parametrize("text", ["2031-04-01T09:00:00Z", "2031-04-01T09:00:00+00:00", "2031-04-01T09:00:00-00:00"])
def test_no_offset_is_utc_however_it_is_written(text: str):
    assert read(text) == datetime(2031, 4, 1, 9, tzinfo=UTC)
    assert read(text).tzinfo is UTC


def test_another_offset_is_kept():
    assert read("2031-04-01T09:00:00+02:00").utcoffset() == timedelta(hours=2)


def test_a_time_without_a_zone_gets_none():
    assert read("2031-04-01T09:00:00").tzinfo is None


@pytest.mark.parametrize("zone", [UTC, timezone(timedelta(0), "GMT"), timezone(timedelta(hours=-3)), None])
def test_a_value_in_memory_is_treated_as_one_that_is_read(zone: timezone | None):
    moment = datetime(2031, 4, 1, 9, tzinfo=zone)

    found = MOMENT.validate_python(moment)

    assert found.isoformat() == moment.isoformat()
    assert found.tzinfo is (UTC if zone is not None and not zone.utcoffset(None) else zone)

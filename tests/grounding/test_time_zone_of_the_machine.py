"""The time zone of the machine has no part in effective times."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from prme.grounding.dates import resolve_temporal_ref

SAID_AT = datetime(2031, 4, 1, 20, 0, tzinfo=UTC)


@pytest.fixture(params=["UTC", "Asia/Tokyo", "America/New_York"], autouse=True)
def machine(request: pytest.FixtureRequest) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", request.param)
        time.tzset()
        yield
    time.tzset()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two weeks ago", "2031-03-18T20:00:00+00:00"),
        ("yesterday 5pm", "2031-03-31T17:00:00+00:00"),
        ("yesterday 5pm PST", "2031-04-01T01:00:00+00:00"),
        ("2031-03-03T10:00:00+02:00", "2031-03-03T08:00:00+00:00"),
        ("April 1", "2031-04-01T20:00:00+00:00"),
        ("March 3", "2031-03-03T00:00:00+00:00"),
    ],
)
def test_words_mean_the_same_time_on_every_machine(text: str, expected: str) -> None:
    moment = resolve_temporal_ref(text, SAID_AT)

    assert moment is not None
    assert moment.isoformat() == expected


def test_a_claim_takes_effect_at_the_same_time_on_every_machine(ground_one) -> None:
    plain = ground_one("I dropped Figma two weeks ago.")
    dated = ground_one("I dropped Figma two weeks ago.", temporal_ref="two weeks ago")

    assert plain.effective_at.isoformat() == "2031-04-01T09:00:00+00:00"
    assert dated.effective_at.isoformat() == "2031-03-18T09:00:00+00:00"
    assert dated.temporal_ref == "two weeks ago"

"""A clock that stands still until a test moves it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from prme.clock import aware_or_none

START = datetime(2031, 1, 1, 9, 0, tzinfo=UTC)
"""When every test begins."""


class MemoryClock:
    """A `Clock` that a test sets; messages received at one reading are one microsecond apart."""

    def __init__(self, now: datetime = START) -> None:
        """Stand at an aware datetime. Raises `ValueError` when it has no time zone."""
        self.set(now)

    def __call__(self) -> datetime:
        """Return the time that was set, in UTC."""
        return self._now

    def set(self, now: datetime) -> None:
        """Stand at another time, earlier ones included. Raises `ValueError` when it has no time zone."""
        moment = aware_or_none(now, "now")
        if moment is None:
            raise ValueError("now must be a datetime, a clock cannot stand at None")
        self._now = moment

    def advance(self, by: timedelta) -> None:
        """Move forward, or back by a negative time."""
        self._now += by

"""Times on the command line: a date, or a date with a time of day, in UTC unless it names another zone."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import click


class Time(click.ParamType[datetime]):
    """An ISO 8601 date or time, which becomes an aware datetime in UTC; a date is its first moment."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> datetime:
        """Return the time, or end the command with status 2 and an example."""
        try:
            moment = datetime.fromisoformat(str(value).strip())
            return (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment).astimezone(UTC)
        except (ValueError, OverflowError):
            self.fail(f"{value!r} is not a time: write 2026-03-01 or 2026-03-01T09:30:00+01:00", param, ctx)

"""Effective time: when a claim holds, from the words of the message and the time it was said."""

from __future__ import annotations

from datetime import UTC, datetime, time
from functools import lru_cache
from typing import Any

LONGEST_TEMPORAL_REF = 100


def resolve_temporal_ref(text: str, occurred_at: datetime) -> datetime | None:
    """Return the UTC time that English words such as "two weeks ago" mean at `occurred_at` (aware), or None.

    Depends on nothing but the arguments: neither on the time zone or locale of the machine nor on its clock. A date
    without a time is its midnight; on the day of `occurred_at` itself it is `occurred_at`. The result may lie in the
    future.
    """
    said_at = occurred_at.astimezone(UTC)
    try:
        data = _parser(said_at.replace(tzinfo=None)).get_date_data(text)
        moment: datetime | None = data.date_obj
        if moment is None:
            return None
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        # Words and zones that lead out of the years 1 to 9999: dateparser lets errors of its arithmetic through.
        return None
    is_day = data.period != "time" and moment.time() == time.min
    return occurred_at.astimezone(UTC) if is_day and moment.date() == said_at.date() else moment


@lru_cache(maxsize=256)
def _parser(base: datetime) -> Any:
    # Imported on first use: dateparser takes longer to import than the rest of prme.
    from dateparser.date import DateDataParser

    return DateDataParser(
        languages=["en"],
        settings={
            "PREFER_DATES_FROM": "past",
            "REQUIRE_PARTS": ["day", "month"],
            "TIMEZONE": "UTC",
            "RELATIVE_BASE": base,
            "RETURN_TIME_AS_PERIOD": True,
        },
    )

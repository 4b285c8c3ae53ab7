"""The only reader of "now", and the one way a time becomes text or a number."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
"""A callable that returns an aware datetime; the only source of "now"."""

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_SECONDS_PER_DAY = 86_400
_MICROSECONDS_PER_SECOND = 1_000_000


def system_clock() -> datetime:
    """Return the machine's time in UTC."""
    return datetime.now(UTC)


def read_clock(clock: Clock) -> datetime:
    """Return the clock's reading in UTC. Raises `ValueError` when it is naive: it would mean another time elsewhere."""
    reading = clock()
    if not isinstance(reading, datetime):
        raise ValueError(f"the clock returned {type(reading).__name__}: it must return an aware datetime")
    if reading.utcoffset() is None:
        raise ValueError("the clock returned a datetime without a time zone: it must return an aware one")
    return reading.astimezone(UTC)


def aware_or_none(moment: object, name: str) -> datetime | None:
    """Return a caller's time in UTC, or None. Raises `ValueError`, which names the argument, when it has no zone."""
    if moment is None:
        return None
    if not isinstance(moment, datetime) or moment.utcoffset() is None:
        raise ValueError(f"{name} must be a datetime with a time zone, such as datetime(2026, 3, 1, tzinfo=UTC)")
    try:
        return moment.astimezone(UTC)
    except OverflowError:
        raise ValueError(f"{name} is outside the years 1 to 9999 in UTC") from None


def utc_text(moment: datetime) -> str:
    """Return a time as UTC text with six digits and Z; such texts sort as the times do."""
    in_utc = moment if moment.tzinfo is UTC else moment.astimezone(UTC)
    # Two thirds of the cost of `isoformat`, and a plan has several times.
    return "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ" % (  # noqa: UP031
        in_utc.year,
        in_utc.month,
        in_utc.day,
        in_utc.hour,
        in_utc.minute,
        in_utc.second,
        in_utc.microsecond,
    )


def utc_text_or_none(moment: datetime | None) -> str | None:
    """Return `utc_text(moment)`, or None for an open end."""
    return None if moment is None else utc_text(moment)


def parse_utc_text(text: str) -> datetime:
    """Return the aware UTC datetime of a text written by `utc_text`."""
    return datetime.fromisoformat(text).astimezone(UTC)


def to_microseconds(moment: datetime) -> int:
    """Return microseconds since 1970-01-01 UTC: how the store keeps a time."""
    since = moment - EPOCH
    return (since.days * _SECONDS_PER_DAY + since.seconds) * _MICROSECONDS_PER_SECOND + since.microseconds


def from_microseconds(value: int) -> datetime:
    """Return the aware UTC datetime of a stored time."""
    return EPOCH + timedelta(microseconds=value)

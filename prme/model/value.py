"""What all public value objects share: frozen, strict about unknown fields."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict

_NO_OFFSET = timedelta(0)


class Value(BaseModel):
    """A frozen value object that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is UTC or moment.utcoffset() != _NO_OFFSET:
        return moment
    return moment.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A time as the caller or the record gave it. One that is UTC gets Python's own zone: with that of the JSON reader each
later use of it costs several times as much."""

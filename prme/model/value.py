"""What all public value objects share: frozen, strict about unknown fields."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter

from prme.clock import EPOCH

_NO_OFFSET = timedelta(0)
# What the JSON reader makes of a time that ends in Z: always of one and the same zone, which is not Python's own.
_EPOCH_AS_READ = TypeAdapter(datetime).validate_json(b'"1970-01-01T00:00:00Z"')
_UTC_AS_READ = _EPOCH_AS_READ.tzinfo


class Value(BaseModel):
    """A frozen value object that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _in_utc(moment: datetime) -> datetime:
    if moment.tzinfo is _UTC_AS_READ:
        return EPOCH + (moment - _EPOCH_AS_READ)  # a third of what asking for the offset and converting takes
    if moment.tzinfo is UTC or moment.utcoffset() != _NO_OFFSET:
        return moment
    return moment.astimezone(UTC)


Moment = Annotated[datetime, AfterValidator(_in_utc)]
"""A time as the caller or the record gave it. One that is UTC gets Python's own zone: with that of the JSON reader each
later use of it costs several times as much."""

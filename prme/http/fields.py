"""Fields of requests: strict types for the parser, and for readers of the schema the rules that the engine checks.

A type is checked here. Whether a text is one that the engine takes is its own to judge, in its own words: here that
only stands in the schema.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema

from prme.context.request import MOST_TOKENS
from prme.message import MAX_CONTENT_CHARACTERS, MAX_ID_CHARACTERS, MAX_SPEAKER_CHARACTERS, ROLES
from prme.model.message import SourceType
from prme.model.node import NodeType
from prme.reading.changes import MOST_CHANGES
from prme.retrieval.request import MOST_HITS

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_A_TIME = "must be an RFC 3339 time with its zone, such as 2026-03-01T09:30:00Z"
# For patterns of the schema. Readers differ in whether \s covers the separators of ASCII, which Python strips.
_BLANK = r"\s\x1c-\x1f\x85"
_NO_NAME = r"\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
_COUNT = re.compile(r"[0-9]{1,6}", re.ASCII)


class Body(BaseModel):
    """A request's body: unknown fields are refused, and nothing is converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class Query(BaseModel):
    """The parameters of a query: unknown ones are refused; they are texts and become what their type says."""

    model_config = ConfigDict(extra="forbid")


def _time(value: Any) -> Any:
    if not isinstance(value, str) or _RFC_3339.fullmatch(value) is None:
        raise ValueError(_A_TIME)
    try:
        return datetime.fromisoformat(value.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        pass
    raise ValueError(f"{_A_TIME}, within the years 1 to 9999")


def _flag(value: Any) -> Any:
    if value not in ("true", "false"):
        raise ValueError("must be true or false")
    return value == "true"


def _count(value: Any) -> Any:
    if isinstance(value, str) and _COUNT.fullmatch(value) is None:
        raise ValueError("must be a whole number")
    return value


def _whole(value: Any) -> Any:
    # 10.0 is the same number as 10 in JSON, and some writers know no other form.
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _text(**schema: Any) -> WithJsonSchema:
    return WithJsonSchema({"type": "string", **schema})


def any_case(names: Sequence[str]) -> dict[str, Any]:
    """Return the schema of names that are read in any case."""
    spelt = ("".join(f"[{c.upper()}{c.lower()}]" if c.isalpha() else c for c in name) for name in names)
    return {"type": "string", "pattern": f"^({'|'.join(spelt)})$", "examples": [names[0]]}


def _without(refused: str) -> str:
    """Return the pattern of texts that have no refused character and are not blank."""
    return f"^[^{refused}]*[^{refused}{_BLANK}][^{refused}]*$"


Content = Annotated[str, _text(minLength=1, maxLength=MAX_CONTENT_CHARACTERS, pattern=f"[^\\x00{_BLANK}]")]
Identifier = Annotated[str, _text(minLength=1, maxLength=MAX_ID_CHARACTERS, pattern=_without(r"\x00"))]
Actor = Annotated[str, _text(minLength=1, maxLength=MAX_ID_CHARACTERS, pattern=_without(_NO_NAME))]
Id = Annotated[str, _text(description="The id of an event, note or claim: a UUID.")]
Speaker = Annotated[str, _text(minLength=1, maxLength=MAX_SPEAKER_CHARACTERS, pattern=_without(_NO_NAME))]
Scope = Annotated[str, _text(pattern=r"^[a-z0-9][a-z0-9_.-]{0,63}$")]
Words = Annotated[str, _text(minLength=1, pattern=f"[^{_BLANK}]")]
RoleName = Annotated[str, WithJsonSchema(any_case(ROLES))]
NodeTypeName = Annotated[str, WithJsonSchema(any_case([kind.value for kind in NodeType]))]
SourceTypeName = Annotated[str, WithJsonSchema(any_case([source.value for source in SourceType]))]
Time = Annotated[datetime, BeforeValidator(_time), WithJsonSchema({"type": "string", "format": "date-time"})]
QueryFlag = Annotated[bool, BeforeValidator(_flag)]
HitCount = Annotated[int, Field(ge=1, le=MOST_HITS), BeforeValidator(_whole)]
TokenBudget = Annotated[int, Field(ge=1, le=MOST_TOKENS), BeforeValidator(_whole)]
QueryCount = Annotated[int, Field(ge=1, le=MOST_CHANGES), BeforeValidator(_count)]

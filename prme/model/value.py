"""What all public value objects share: frozen, strict about unknown fields."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Value(BaseModel):
    """A frozen value object that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")

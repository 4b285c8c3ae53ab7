"""What asking an extractor cost, and what became of it: kept beside the memory, never in a plan."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import Field

from prme.model.value import Value

RunOutcome = Literal["answered", "failed"]


class ModelUsage(Value):
    """The tokens of one call to a model, as its provider counted them.

    `cached_tokens` is the part of `input_tokens` that the provider had kept from an earlier call.
    """

    input_tokens: int = Field(ge=0)
    output_tokens: int = Field(ge=0)
    cached_tokens: int = Field(default=0, ge=0)


class ExtractorRun(Value):
    """One message and what its extraction took.

    `recorded_at` is UTC. `calls` counts the times the extractor was asked, `batch` the messages that shared the
    first question; calls and tokens of a shared question are divided among its messages, so that sums are right.
    `milliseconds` is the whole wait, with retries. `reason_code` says why the outcome is `failed`.
    """

    event_id: str
    recorded_at: datetime
    extractor: str
    model: str
    outcome: RunOutcome
    reason_code: str | None = None
    batch: int = Field(default=1, ge=1)
    calls: int = Field(default=1, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cached_tokens: int = Field(default=0, ge=0)
    milliseconds: int = Field(default=0, ge=0)


class ExtractorStats(Value):
    """What one model was asked in all, as far as the run log remembers.

    `failures` counts failed runs by reason code. The two times are in milliseconds: the median, and what 95 of 100 runs
    did not exceed.
    """

    extractor: str
    model: str
    runs: int
    answered: int
    failed: int
    calls: int
    input_tokens: int
    output_tokens: int
    cached_tokens: int
    median_milliseconds: int
    p95_milliseconds: int
    failures: dict[str, int] = {}

"""How an extractor may be asked: how often, how long, how many at once, and how much in all."""

from __future__ import annotations

from pydantic import Field

from prme.model.value import Value


class ExtractionLimits(Value):
    """How an extractor may be asked; times in seconds. Local extractors are asked once and have no limits.

    `tries` bounds the calls for one question, `re_asks` the further questions after an answer that is not valid, and
    `total_seconds` everything together, a call that never returns included. Waits are drawn at random from
    0 to `first_wait_seconds`, a range that doubles with each try up to `longest_wait_seconds`; what a server asks to
    wait comes on top.

    `concurrency` is how many questions are open at once. `batch_size` is how many messages of one conversation may
    share a question, if the extractor can read several. Once `max_tokens` have been spent since the store was opened,
    nothing more is asked: messages are stored and stay pending. It may be exceeded by the questions open at that time.
    """

    tries: int = Field(default=4, ge=1)
    re_asks: int = Field(default=2, ge=0, le=2)
    total_seconds: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    first_wait_seconds: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    longest_wait_seconds: float = Field(default=30.0, ge=0, allow_inf_nan=False)
    concurrency: int = Field(default=4, ge=1, le=256)
    batch_size: int = Field(default=1, ge=1, le=100)
    max_tokens: int | None = Field(default=None, ge=0)


DEFAULT_LIMITS = ExtractionLimits()

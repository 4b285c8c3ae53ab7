"""An extractor with a meter: what its answers cost, and no further question once enough was spent."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from prme.errors import ExtractionError
from prme.extraction.batch import can_batch, run_batch
from prme.extraction.limits import ExtractionLimits
from prme.extraction.protocol import Extractor
from prme.extraction.run import run_extractor
from prme.extraction.spending import Spending, counted_spending
from prme.model.extraction import Extraction, ExtractionRequest
from prme.pipeline import Answer, FailedExtraction


@dataclass(frozen=True, slots=True)
class Metered:
    """An answer, what it cost, how long it took in seconds, and how many messages its first question was about."""

    answer: Answer
    spending: Spending
    seconds: float
    batch: int = 1


async def answer_of(extractor: Extractor, request: ExtractionRequest, limits: ExtractionLimits) -> Answer:
    """Return an extractor's answer to one message; a failure takes its place."""
    try:
        return await run_extractor(extractor, request, limits)
    except ExtractionError as error:
        return FailedExtraction(error.reason_code)


class MeteredExtractor:
    """Asks an extractor within its limits and remembers what was spent since it was made."""

    def __init__(
        self, extractor: Extractor, limits: ExtractionLimits, *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._extractor = extractor
        self._limits = limits
        self._monotonic = monotonic
        self._spent = 0

    @property
    def name(self) -> str:
        """The extractor's name."""
        return self._extractor.name

    @property
    def model(self) -> str:
        """The extractor's model."""
        return self._extractor.model

    @property
    def batch_size(self) -> int:
        """How many messages may share a question."""
        return self._limits.batch_size if can_batch(self._extractor) else 1

    @property
    def is_exhausted(self) -> bool:
        """Whether as many tokens were spent as the limits allow."""
        return self._limits.max_tokens is not None and self._spent >= self._limits.max_tokens

    async def answers(self, requests: Sequence[ExtractionRequest]) -> list[Metered]:
        """Return the answer to each request of one conversation: asked together, and alone where that settled nothing.

        A failure takes the place of an answer. Messages under different policies are asked alone.
        """
        if len(requests) == 1 or len({request.policy for request in requests}) > 1:
            return [await self._alone(request) for request in requests]
        return [
            await self._alone(request, after=found) if answer is None else replace(found, answer=answer)
            for request, (answer, found) in zip(requests, await self._together(requests), strict=True)
        ]

    async def _together(self, requests: Sequence[ExtractionRequest]) -> list[tuple[Answer | None, Metered]]:
        began = self._monotonic()
        answers: Sequence[Extraction | FailedExtraction | None]
        with counted_spending() as spending:
            try:
                answers = await run_batch(self._extractor, requests, self._limits)
            except ExtractionError as error:
                answers = [FailedExtraction(error.reason_code)] * len(requests)
        self._spent += spending.tokens
        seconds = self._monotonic() - began
        shares = spending.shares(len(requests))
        return [
            (answer, Metered(Extraction(), share, seconds, len(requests)))
            for answer, share in zip(answers, shares, strict=True)
        ]

    async def _alone(self, request: ExtractionRequest, *, after: Metered | None = None) -> Metered:
        began = self._monotonic()
        with counted_spending() as spending:
            answer = await answer_of(self._extractor, request, self._limits)
        self._spent += spending.tokens
        seconds = self._monotonic() - began
        if after is None:
            return Metered(answer, spending, seconds)
        return Metered(answer, after.spending + spending, after.seconds + seconds, after.batch)

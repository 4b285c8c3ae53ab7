"""Asks an extractor: waits out passing failures, asks again about unreadable answers, and lets no provider text out."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from pydantic import Field, ValidationError

from prme.errors import ExtractionError
from prme.extraction.answer import check_answer, storable, validation_report
from prme.extraction.failures import (
    FAULT,
    INVALID,
    TIMEOUT,
    UNAVAILABLE,
    InvalidExtractionError,
    is_transient,
    retry_after,
)
from prme.extraction.protocol import Extractor, is_local
from prme.model.extraction import Extraction, ExtractionRequest
from prme.model.value import Value

if TYPE_CHECKING:
    from tenacity import RetryCallState
    from tenacity.wait import wait_base

_REASON_CODE = re.compile(r"[a-z][a-z0-9_]{0,63}")


class ExtractionLimits(Value):
    """How long an extractor may be asked; times in seconds.

    `tries` bounds the calls for one question, `re_asks` the further questions after an answer that is not valid, and
    `total_seconds` everything together, a call that never returns included. Waits are drawn at random from
    0 to `first_wait_seconds`, a range that doubles with each try up to `longest_wait_seconds`.
    """

    tries: int = Field(default=4, ge=1)
    re_asks: int = Field(default=2, ge=0, le=2)
    total_seconds: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    first_wait_seconds: float = Field(default=1.0, ge=0, allow_inf_nan=False)
    longest_wait_seconds: float = Field(default=30.0, ge=0, allow_inf_nan=False)


DEFAULT_LIMITS = ExtractionLimits()


async def run_extractor(
    extractor: Extractor,
    request: ExtractionRequest,
    limits: ExtractionLimits = DEFAULT_LIMITS,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    monotonic: Callable[[], float] = time.monotonic,
    backoff: wait_base | None = None,
) -> Extraction:
    """Return a valid extraction for the request.

    A local extractor is asked once, since asking again could not change its answer; when it awaits nothing, neither
    does this call. `backoff` takes the place of the random waits.

    Raises `ExtractionError` with a reason code: `extractor_unavailable` or `extractor_timeout` (passing failures that
    did not pass), `invalid_extraction`, `extractor_error`, or the code that the extractor itself gave. Its text names
    the extractor and the class of the failure, never what a provider said. Cancellation passes through.
    """
    try:
        if is_local(extractor):
            return check_answer(await _extract(extractor, request))
        asking = _Asking(extractor, limits, sleep, monotonic, backoff or _random_backoff(limits))
        return await asking.until_valid(request)
    except Exception as error:
        failure = _sanitised(extractor, error)
    # Raised out here: inside, the provider's error would stay attached as context.
    raise failure


class _Asking:
    """One run: its limits, its clock and when it began."""

    def __init__(
        self,
        extractor: Extractor,
        limits: ExtractionLimits,
        sleep: Callable[[float], Awaitable[None]],
        monotonic: Callable[[], float],
        backoff: wait_base,
    ) -> None:
        self._extractor = extractor
        self._limits = limits
        self._sleep = sleep
        self._monotonic = monotonic
        self._backoff = backoff
        self._deadline = monotonic() + limits.total_seconds

    async def until_valid(self, request: ExtractionRequest) -> Extraction:
        for _ in range(self._limits.re_asks):
            try:
                return await self._until_answered(request)
            except InvalidExtractionError as error:
                report = storable(str(error))
            except ValidationError as error:
                report = validation_report(error)
            request = request.model_copy(update={"validation_error": report})
        return await self._until_answered(request)

    async def _until_answered(self, request: ExtractionRequest) -> Extraction:
        # Imported here: local extractors, the default, never need it.
        from tenacity import AsyncRetrying, retry_if_exception

        retrying = AsyncRetrying(
            retry=retry_if_exception(is_transient),
            wait=self._wait,
            stop=self._is_spent,
            sleep=self._sleep,
            reraise=True,
        )
        return await retrying(self._ask, request)

    async def _ask(self, request: ExtractionRequest) -> Extraction:
        async with asyncio.timeout(self._deadline - self._monotonic()):
            answer = await _extract(self._extractor, request)
        return check_answer(answer)

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        return self._backoff(state) + (retry_after(error) if error else 0.0)

    def _is_spent(self, state: RetryCallState) -> bool:
        wakes_at = self._monotonic() + state.upcoming_sleep
        return state.attempt_number >= self._limits.tries or wakes_at >= self._deadline


async def _extract(extractor: Extractor, request: ExtractionRequest) -> Extraction:
    """Ask once. What an extractor raises to end a program or a task ends neither: it is its failure like any other.

    A real interrupt arrives in the main thread, a real cancellation is asked for from outside; both pass through.
    """
    try:
        return await extractor.extract(request)
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
    except KeyboardInterrupt:
        if threading.current_thread() is threading.main_thread():
            raise
    except SystemExit:
        pass
    raise ExtractionError("the extractor ended itself instead of answering", reason_code=FAULT)


def _random_backoff(limits: ExtractionLimits) -> wait_base:
    from tenacity import wait_random_exponential

    return wait_random_exponential(multiplier=limits.first_wait_seconds, max=limits.longest_wait_seconds)


def _sanitised(extractor: Extractor, error: Exception) -> ExtractionError:
    return ExtractionError(
        f"extractor {extractor.name!r} gave no usable answer ({type(error).__name__}); the event can be retried",
        reason_code=_reason_code(error),
    )


def _reason_code(error: Exception) -> str:
    if isinstance(error, ExtractionError):
        return error.reason_code if _REASON_CODE.fullmatch(error.reason_code) else FAULT
    if isinstance(error, ValidationError):
        return INVALID
    if isinstance(error, TimeoutError):
        return TIMEOUT
    return UNAVAILABLE if is_transient(error) else FAULT

"""Passing failures are waited out, unreadable answers are asked for again, and provider text stays inside."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from tenacity.wait import wait_base, wait_exponential

from prme.errors import ExtractionError
from prme.extraction.failures import InvalidExtractionError, TransientExtractionError
from prme.extraction.limits import ExtractionLimits
from prme.extraction.run import run_extractor
from prme.message import validate_message
from prme.model.extraction import Extraction, ExtractionRequest

REQUEST = ExtractionRequest(message=validate_message("I use Figma.", user_id="u1"), policy="speech_act_v14")
ANSWER = Extraction()
BUSY = TransientExtractionError("server said Zebrafish")


class Scripted:
    """An extractor that answers or raises what a test lays out, one step for each call."""

    name = "scripted"
    model = "s1"

    def __init__(self, *steps: Any, local: bool = False) -> None:
        self.steps = list(steps)
        self.local = local
        self.requests: list[ExtractionRequest] = []

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.requests.append(request)
        step = self.steps.pop(0)
        if isinstance(step, BaseException):
            raise step
        answer: Extraction = step() if callable(step) else step
        return answer


class Time:
    """A clock that moves only when somebody sleeps."""

    def __init__(self) -> None:
        self.now = 1_000.0
        self.waits: list[float] = []

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += seconds


def run(extractor: Any, time: Time | None = None, backoff: wait_base | None = None, **limits: Any) -> Extraction:
    time = time or Time()
    asked = run_extractor(
        extractor,
        REQUEST,
        ExtractionLimits(**limits),
        sleep=time.sleep,
        monotonic=time.monotonic,
        backoff=backoff or wait_exponential(multiplier=1),
    )
    return asyncio.run(asked)


def failure(extractor: Any, time: Time | None = None, **limits: Any) -> ExtractionError:
    with pytest.raises(ExtractionError) as caught:
        run(extractor, time, **limits)
    return caught.value


def test_a_good_answer_is_returned_without_waiting():
    time, extractor = Time(), Scripted(ANSWER)

    assert run(extractor, time) == ANSWER
    assert (extractor.requests, time.waits) == ([REQUEST], [])


def test_passing_failures_are_waited_out_longer_each_time():
    time, extractor = Time(), Scripted(BUSY, ConnectionResetError(), TimeoutError(), ANSWER)

    assert run(extractor, time, tries=4) == ANSWER
    assert time.waits == [1, 2, 4]


def test_the_tries_are_bounded():
    extractor = Scripted(BUSY, BUSY, BUSY, ANSWER)

    assert failure(extractor, tries=3).reason_code == "extractor_unavailable"
    assert len(extractor.requests) == 3


def test_the_wait_a_server_asked_for_is_added():
    time = Time()
    run(Scripted(TransientExtractionError("busy", retry_after=20), ANSWER), time)

    assert time.waits == [21]


def test_a_wait_that_would_end_too_late_is_not_begun():
    time = Time()
    extractor = Scripted(TransientExtractionError("busy", retry_after=20), ANSWER)

    assert failure(extractor, time, total_seconds=21).reason_code == "extractor_unavailable"
    assert (time.waits, len(extractor.requests)) == ([], 1)


def test_the_total_time_spans_all_waits():
    time = Time()
    extractor = Scripted(*[BUSY] * 10)

    assert failure(extractor, time, tries=10, total_seconds=8).reason_code == "extractor_unavailable"
    assert time.waits == [1, 2, 4]


def test_random_waits_stay_within_their_doubling_ranges():
    time = Time()
    asked = run_extractor(
        Scripted(*[BUSY] * 5, ANSWER),
        REQUEST,
        ExtractionLimits(tries=6, first_wait_seconds=2, longest_wait_seconds=5),
        sleep=time.sleep,
        monotonic=time.monotonic,
    )

    assert asyncio.run(asked) == ANSWER
    assert all(0 <= wait <= bound for wait, bound in zip(time.waits, [2, 4, 5, 5, 5], strict=True))
    assert any(time.waits)


def test_a_call_that_never_returns_is_ended():
    class Hanging(Scripted):
        async def extract(self, request: ExtractionRequest) -> Extraction:
            await asyncio.Event().wait()
            raise AssertionError

    assert failure(Hanging(), total_seconds=0.01).reason_code == "extractor_timeout"


@pytest.mark.parametrize(
    "invalid",
    [
        InvalidExtractionError("no JSON object found"),
        {"claims": []},
        None,
        lambda: Extraction.model_validate({"claims": [{"subject": 1}]}),
    ],
    ids=["said so", "a dict", "None", "pydantic"],
)
def test_an_invalid_answer_is_asked_for_again_with_the_reason(invalid: Any):
    extractor = Scripted(invalid, ANSWER)

    assert run(extractor) == ANSWER
    first, second = extractor.requests
    assert (first, first.validation_error) == (REQUEST, None)
    assert second.validation_error
    assert second.model_copy(update={"validation_error": None}) == REQUEST


def test_the_reason_is_what_the_extractor_said_of_the_answer():
    extractor = Scripted(InvalidExtractionError("no JSON\ud800 object"), ANSWER)
    run(extractor)

    assert extractor.requests[1].validation_error == "no JSON\ufffd object"


@pytest.mark.parametrize(("re_asks", "calls"), [(2, 3), (1, 2), (0, 1)])
@pytest.mark.parametrize(
    "invalid", [None, lambda: Extraction.model_validate({"claims": 1})], ids=["wrong type", "pydantic"]
)
def test_invalid_answers_are_asked_for_at_most_twice_more(invalid: Any, re_asks: int, calls: int):
    extractor = Scripted(*[invalid] * 3, ANSWER)

    assert failure(extractor, re_asks=re_asks).reason_code == "invalid_extraction"
    assert len(extractor.requests) == calls


def test_the_limit_of_two_cannot_be_raised():
    with pytest.raises(ValueError, match="re_asks"):
        ExtractionLimits(re_asks=3)

    assert ExtractionLimits(re_asks=2).re_asks == 2


def test_a_question_asked_again_has_its_own_tries():
    extractor = Scripted(BUSY, None, BUSY, ANSWER)

    assert run(extractor, tries=2) == ANSWER


def test_any_other_failure_is_final():
    extractor = Scripted(RuntimeError("no such deployment"), ANSWER)

    assert failure(extractor).reason_code == "extractor_error"
    assert len(extractor.requests) == 1


def test_an_extractor_that_is_not_async_fails_cleanly():
    class Synchronous(Scripted):
        def extract(self, request: ExtractionRequest) -> Extraction:  # type: ignore[override]
            return ANSWER

    assert failure(Synchronous()).reason_code == "extractor_error"


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("recorded_miss", "recorded_miss"),
        ("Key sk-Zebrafish", "extractor_error"),
        ("", "extractor_error"),
        ("x" * 65, "extractor_error"),
    ],
)
def test_a_reason_code_is_kept_when_it_is_a_plain_word(given: str, kept: str):
    assert failure(Scripted(ExtractionError("miss", reason_code=given))).reason_code == kept


def raising(error: BaseException) -> Callable[[], Any]:
    def step() -> Any:
        raise error

    return step


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("Zebrafish"),
        TransientExtractionError("Zebrafish", retry_after=500),
        InvalidExtractionError("Zebrafish"),
        ExtractionError("Zebrafish", reason_code="recorded_miss"),
        TimeoutError("Zebrafish"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_no_provider_text_comes_out(error: Exception):
    caught = failure(Scripted(*[raising(error)] * 9))

    assert "Zebrafish" not in str(caught)
    assert type(error).__name__ in str(caught)
    assert "'scripted'" in str(caught)
    assert (caught.__cause__, caught.__context__) == (None, None)


def test_cancellation_passes_through_a_call():
    async def scenario() -> None:
        started = asyncio.Event()

        class Hanging(Scripted):
            async def extract(self, request: ExtractionRequest) -> Extraction:
                started.set()
                await asyncio.Event().wait()
                raise AssertionError

        task = asyncio.ensure_future(run_extractor(Hanging(), REQUEST))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(scenario())


def test_cancellation_passes_through_a_wait():
    async def scenario() -> None:
        async def sleep(seconds: float) -> None:
            raise asyncio.CancelledError

        with pytest.raises(asyncio.CancelledError):
            await run_extractor(Scripted(BUSY, ANSWER), REQUEST, sleep=sleep)

    asyncio.run(scenario())


def test_an_interrupt_passes_through():
    with pytest.raises(KeyboardInterrupt):
        run(Scripted(KeyboardInterrupt()))


def test_a_local_extractor_answers_without_giving_up_control():
    coroutine = run_extractor(Scripted(ANSWER, local=True), REQUEST)

    with pytest.raises(StopIteration) as finished:
        coroutine.send(None)

    assert finished.value.value == ANSWER


@pytest.mark.parametrize(
    ("step", "reason"),
    [(BUSY, "extractor_unavailable"), (None, "invalid_extraction"), (KeyError("x"), "extractor_error")],
)
def test_a_local_extractor_is_asked_once(step: Any, reason: str):
    extractor = Scripted(step, ANSWER, local=True)

    assert failure(extractor).reason_code == reason
    assert len(extractor.requests) == 1

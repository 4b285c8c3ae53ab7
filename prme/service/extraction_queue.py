"""Messages that wait for an extractor: who works on which, how many at once, and in which order they are published."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from prme.clock import Clock, read_clock
from prme.extraction.batch import shared_questions
from prme.model.extraction import ExtractionRequest
from prme.model.extractor_run import ExtractorRun
from prme.model.receipt import IngestReceipt
from prme.pipeline import Answer, FailedExtraction, PipelineSettings
from prme.service.metered_extractor import Metered, MeteredExtractor
from prme.store.records import StoredEvent
from prme.store.run_log import RunLog

TOKEN_LIMIT_REACHED = "token_limit_reached"
# So many events are looked at together; a queue of any length takes no more memory than that.
WINDOW = 1_000

Outcome = IngestReceipt | BaseException


@dataclass(frozen=True, slots=True)
class Work:
    """What one stored message is asked with, and what its plan is made under."""

    request: ExtractionRequest
    settings: PipelineSettings


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer for one stored message, and what its plan is made under."""

    answer: Answer
    settings: PipelineSettings


WorkOf = Callable[[StoredEvent], Awaitable[Work]]
Publish = Callable[[StoredEvent, Answered], Awaitable[IngestReceipt]]
Ask = Callable[[Sequence[StoredEvent]], Awaitable[list[Answered | None]]]


class Leases:
    """Which call works on which event.

    A lease ends with its call, and a store is open in one process: after a crash every pending event is free again, so
    nothing of this has to be written down.
    """

    def __init__(self) -> None:
        self._held: dict[str, asyncio.Future[IngestReceipt]] = {}

    async def settled(self, event_id: str, work: Callable[[], Awaitable[IngestReceipt]]) -> IngestReceipt:
        """Do the work on an event, or wait for the call that does it already; if that one gives up, take over."""
        while (other := self._held.get(event_id)) is not None:
            await asyncio.wait([other])
            if not other.cancelled():
                return other.result()
        mine: asyncio.Future[IngestReceipt] = asyncio.get_running_loop().create_future()
        self._held[event_id] = mine
        try:
            receipt = await work()
            mine.set_result(receipt)
            return receipt
        finally:
            del self._held[event_id]
            mine.cancel()  # does nothing once the result is set


class ExtractionQueue:
    """Asks the extractor about stored messages and has the answers published in order."""

    def __init__(
        self,
        extractor: MeteredExtractor,
        run_log: RunLog,
        clock: Clock,
        *,
        concurrency: int,
        work_of: WorkOf,
        publish: Publish,
    ) -> None:
        self._extractor = extractor
        self._run_log = run_log
        self._clock = clock
        self._work_of = work_of
        self._publish = publish
        self._leases = Leases()
        self._slots = asyncio.Semaphore(concurrency)

    async def finish_in_order(self, events: Sequence[StoredEvent]) -> list[Outcome]:
        """Extract several events at once and publish them in order: no receipt depends on which answer came first.

        All are tried; an error takes the place of the receipt.
        """
        outcomes: list[Outcome] = []
        for start in range(0, len(events), WINDOW):
            outcomes += await self._finish_window(events[start : start + WINDOW])
        return outcomes

    async def _finish_window(self, events: Sequence[StoredEvent]) -> list[Outcome]:
        turns = [asyncio.Event() for _ in events]
        questions = self._questions(events)

        async def finish(place: int) -> IngestReceipt:
            stored = events[place]

            async def work() -> IngestReceipt:
                answered = await questions[place].answered(stored)
                if place:
                    await turns[place - 1].wait()
                if answered is None:
                    return IngestReceipt(event_id=stored.event.id, status="pending", reason_code=TOKEN_LIMIT_REACHED)
                return await self._publish(stored, answered)

            try:
                return await self._leases.settled(stored.event.id, work)
            finally:
                turns[place].set()

        try:
            return await asyncio.gather(*map(finish, range(len(events))), return_exceptions=True)
        finally:
            for question in questions:
                await question.end()

    def _questions(self, events: Sequence[StoredEvent]) -> list[_Question]:
        """Return the question that each event is part of; two owners, or two conversations, never share one."""
        conversations = [(stored.owner_key, stored.event.scope, stored.event.session_id) for stored in events]
        questions: dict[int, _Question] = {}
        for places in shared_questions(conversations, self._extractor.batch_size):
            questions |= dict.fromkeys(places, _Question(self._ask))
        return [questions[place] for place in range(len(events))]

    async def _ask(self, events: Sequence[StoredEvent]) -> list[Answered | None]:
        """Return an answer for each event; None for all of them once the tokens are spent."""
        async with self._slots:
            if self._extractor.is_exhausted:
                return [None] * len(events)
            works = [await self._work_of(stored) for stored in events]
            answers = await self._extractor.answers([work.request for work in works])
            runs = [self._run(stored, metered) for stored, metered in zip(events, answers, strict=True)]
            await asyncio.to_thread(self._run_log.append, runs)
        return [Answered(metered.answer, work.settings) for metered, work in zip(answers, works, strict=True)]

    def _run(self, stored: StoredEvent, metered: Metered) -> ExtractorRun:
        answer, spending = metered.answer, metered.spending
        reason_code = answer.reason_code if isinstance(answer, FailedExtraction) else None
        return ExtractorRun(
            event_id=stored.event.id,
            recorded_at=read_clock(self._clock),
            extractor=self._extractor.name,
            model=self._extractor.model,
            outcome="answered" if reason_code is None else "failed",
            reason_code=reason_code,
            batch=metered.batch,
            calls=spending.calls,
            input_tokens=spending.input_tokens,
            output_tokens=spending.output_tokens,
            cached_tokens=spending.cached_tokens,
            milliseconds=round(metered.seconds * 1000),
        )


class _Question:
    """One question about the events that turn out to be asked for before it begins."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask
        self._wanted: list[StoredEvent] = []
        self._answers: asyncio.Task[dict[str, Answered | None]] | None = None

    async def answered(self, stored: StoredEvent) -> Answered | None:
        """Return the answer for an event, once the question is answered."""
        self._wanted.append(stored)
        if self._answers is None:
            # It begins after all that are ready now have said what they want.
            self._answers = asyncio.ensure_future(self._asked())
        # Who gives up waiting does not take the answer from the others.
        answers = await asyncio.shield(self._answers)
        if stored.event.id not in answers:  # it was another call's until now, and the question had begun
            return (await self._ask([stored]))[0]
        return answers[stored.event.id]

    async def end(self) -> None:
        """Stop asking, if it goes on, and wait until it has stopped: nobody waits for the answer any more."""
        if self._answers is not None:
            self._answers.cancel()
            await asyncio.wait([self._answers])
            if not self._answers.cancelled():
                self._answers.exception()  # whoever waited has seen it

    async def _asked(self) -> dict[str, Answered | None]:
        wanted = list(self._wanted)
        answers = await self._ask(wanted)
        return {stored.event.id: answered for stored, answered in zip(wanted, answers, strict=True)}

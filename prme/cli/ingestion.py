"""Reads messages from lines into a store, batch by batch, and counts what they did to memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from prme.cli.message_lines import BadLineError, Line, LineReader
from prme.cli.stored_part import Answer, newest_entries, stored_part
from prme.errors import MessageConflictError, PrmeError, StoreError
from prme.model.explanation import JournalLine
from prme.model.message import Message
from prme.model.receipt import IngestReceipt
from prme.model.value import Value
from prme.service import MemoryService

LINES_PER_BATCH = 100
MOST_LISTED_FAILURES = 1_000


class LineFailure(Value):
    """A line that did not do its work: `refused` was not stored at all, `failed` is stored without an extraction.

    `reason` is a text for a refused line and a reason code for a failed one; neither repeats the message.
    """

    line: int
    kind: Literal["refused", "failed"]
    reason: str
    event_id: str | None = None


class IngestError(Value):
    """The error that ended an ingestion before the end of the file.

    From `first_line_not_stored` on nothing was stored; None when the store could not be read to find out.
    """

    message: str
    first_line_not_stored: int | None


class IngestSummary(Value):
    """What a file did to memory: counts of its messages, and the journal head of each of its owners.

    `failures` are the first 1,000; `unlisted_failures` counts the rest. With an `error` the counts end before it.
    """

    messages: int
    published: int
    duplicates: int
    failed: int
    refused: int
    claims: int
    retired: int
    journal: dict[str, JournalLine]
    failures: tuple[LineFailure, ...] = ()
    unlisted_failures: int = 0
    error: IngestError | None = None

    @property
    def ok(self) -> bool:
        """Whether every line was stored and extracted."""
        return not self.failed and not self.refused and self.error is None


class IngestStoppedError(PrmeError):
    """The store failed in the middle of a file. What was reported of lines before is stored."""

    def __init__(self, error: StoreError, *, first_line_not_stored: int | None) -> None:
        """Say what failed, and from which line on nothing was stored; None when that is not known."""
        where = "stopped, and the store does not say any more what it holds"
        if first_line_not_stored is not None:
            where = f"stopped at line {first_line_not_stored}, from where on nothing is stored"
        super().__init__(f"{where}: {error}. What was counted before is stored: run the file again to go on")
        self.report = IngestError(message=str(error), first_line_not_stored=first_line_not_stored)


@dataclass(frozen=True, slots=True)
class LineOutcome:
    """What became of one line: a receipt for its owner, or a failure, or neither when it was empty."""

    line: Line
    user_id: str | None = None
    receipt: IngestReceipt | None = None
    failure: LineFailure | None = None


@dataclass(slots=True)
class Tally:
    """Counts outcomes as they come."""

    published: int = 0
    duplicates: int = 0
    failed: int = 0
    refused: int = 0
    claims: int = 0
    retired: int = 0
    failures: list[LineFailure] = field(default_factory=list)
    unlisted_failures: int = 0
    owners: set[str] = field(default_factory=set)

    def add(self, outcome: LineOutcome) -> None:
        """Count one outcome."""
        if outcome.user_id is not None:
            self.owners.add(outcome.user_id)
        if outcome.failure is not None:
            self._add_failure(outcome.failure)
        elif outcome.receipt is not None:
            self._add_receipt(outcome.receipt)

    def summary(self, heads: Mapping[str, JournalLine], error: IngestError | None = None) -> IngestSummary:
        """Return the counts, with the journal heads of the owners as they are now."""
        return IngestSummary(
            messages=self.published + self.duplicates + self.failed,
            published=self.published,
            duplicates=self.duplicates,
            failed=self.failed,
            refused=self.refused,
            claims=self.claims,
            retired=self.retired,
            journal=dict(heads),
            failures=tuple(self.failures),
            unlisted_failures=self.unlisted_failures,
            error=error,
        )

    def _add_failure(self, failure: LineFailure) -> None:
        if failure.kind == "failed":
            self.failed += 1
        else:
            self.refused += 1
        if len(self.failures) < MOST_LISTED_FAILURES:
            self.failures.append(failure)
        else:
            self.unlisted_failures += 1

    def _add_receipt(self, receipt: IngestReceipt) -> None:
        if receipt.status == "duplicate":
            self.duplicates += 1
            return
        self.published += 1
        self.claims += len(receipt.claims)
        self.retired += len(receipt.retired)


def owner_heads(service: MemoryService, owners: Iterable[str]) -> dict[str, JournalLine]:
    """Return the journal heads of some owners, in the order of their ids; an owner without records has none."""
    heads = ((owner, service.journal_head(owner)) for owner in sorted(owners))
    return {owner: head for owner, head in heads if head is not None}


def ingest_counted(
    open_service: Callable[[], MemoryService],
    lines: Iterable[Line],
    reader: LineReader,
    watch: Callable[[LineOutcome, Tally], None],
) -> tuple[IngestSummary, IngestStoppedError | None]:
    """Store the messages of the lines, show every outcome to `watch`, and return the counts and what ended it early."""
    tally = Tally()
    stopped: IngestStoppedError | None = None
    try:
        for outcome in ingest_lines(open_service, lines, reader):
            tally.add(outcome)
            watch(outcome, tally)
    except IngestStoppedError as error:
        stopped = error
    report = None if stopped is None else stopped.report
    can_be_read = report is None or report.first_line_not_stored is not None
    heads = owner_heads(open_service(), tally.owners) if tally.owners and can_be_read else {}
    return tally.summary(heads, report), stopped


def ingest_lines(
    open_service: Callable[[], MemoryService], lines: Iterable[Line], reader: LineReader
) -> Iterator[LineOutcome]:
    """Store the messages of the lines and yield what became of each line, in order; one batch is held at a time.

    The store is opened for the first message: lines without one make no store. A message that is stored already changes
    nothing; when its extraction is pending or failed, it is tried again.

    Raises `IngestStoppedError` when the store fails, after the outcomes of the lines that it took.
    """
    remaining = iter(lines)
    with asyncio.Runner() as runner:
        while batch := list(islice(remaining, LINES_PER_BATCH)):
            read = [_read(reader, line) for line in batch]
            messages = [item for item in read if isinstance(item, Message)]
            taken = _Taken([])
            if messages:
                taken = runner.run(_ingest(open_service(), messages))
            yield from _outcomes(batch, read, taken)


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a store answered to the messages of a batch: None for one that an error kept out of it.

    `is_certain` is False when the store could not be asked any more.
    """

    answers: Sequence[Answer | None]
    error: StoreError | None = None
    is_certain: bool = True


def _outcomes(
    batch: Sequence[Line], read: Sequence[Message | LineFailure | None], taken: _Taken
) -> Iterator[LineOutcome]:
    answers = iter(taken.answers)
    found = [
        _outcome(line, item, next(answers) if isinstance(item, Message) else None)
        for line, item in zip(batch, read, strict=True)
    ]
    if taken.error is None:
        yield from found
        return
    ends = [place for place, outcome in enumerate(found, start=1) if outcome.receipt is not None]
    end = ends[-1] if ends else 0
    yield from found[:end]
    rest = batch[end].number if end < len(batch) else batch[-1].number + 1
    raise IngestStoppedError(taken.error, first_line_not_stored=rest if taken.is_certain else None)


def _read(reader: LineReader, line: Line) -> Message | LineFailure | None:
    try:
        return reader.message(line)
    except BadLineError as error:
        return _refused(line, str(error))


async def _ingest(service: MemoryService, messages: Sequence[Message]) -> _Taken:
    failed: StoreError | None = None
    try:
        before = newest_entries(service, messages)
        try:
            return _Taken(await _ingest_batch(service, messages))
        except StoreError as error:
            failed = error
        return _Taken(await stored_part(service, messages, before), failed)
    except StoreError as error:
        return _Taken([None] * len(messages), failed or error, is_certain=False)


async def _ingest_batch(service: MemoryService, messages: Sequence[Message]) -> list[Answer]:
    try:
        answers: list[Answer] = [*await service.ingest_batch(messages)]
    except MessageConflictError:
        # A batch with a conflict stores nothing; one by one only the conflicting message is left out.
        answers = [await _ingest_one(service, message) for message in messages]
    return [await _tried_again(service, answer) for answer in answers]


async def _ingest_one(service: MemoryService, message: Message) -> Answer:
    try:
        return await service.ingest(message)
    except MessageConflictError as error:
        return error


async def _tried_again(service: MemoryService, answer: Answer) -> Answer:
    if isinstance(answer, IngestReceipt) and answer.status == "duplicate" and answer.plan_id is None:
        return await service.retry(answer.event_id)
    return answer


def _outcome(line: Line, item: Message | LineFailure | None, answer: Answer | None) -> LineOutcome:
    if not isinstance(item, Message):
        return LineOutcome(line, failure=item)
    if answer is None:
        return LineOutcome(line, failure=_refused(line, "the store did not take it; run the file again"))
    if isinstance(answer, MessageConflictError):
        return LineOutcome(line, failure=_refused(line, str(answer)))
    failure = None
    if answer.status in {"failed", "pending"}:
        reason = answer.reason_code or "extractor_error"
        failure = LineFailure(line=line.number, kind="failed", reason=reason, event_id=answer.event_id)
    return LineOutcome(line, item.user_id, answer, failure)


def _refused(line: Line, reason: str) -> LineFailure:
    return LineFailure(line=line.number, kind="refused", reason=reason)

"""Reads messages from lines into a store, batch by batch, and counts what they did to memory."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from prme.cli.message_lines import BadLineError, Line, LineReader
from prme.errors import MessageConflictError
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


class IngestSummary(Value):
    """What a file did to memory: counts of its messages, and the journal head of each of its owners.

    `failures` are the first 1,000; `unlisted_failures` counts the rest.
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

    @property
    def ok(self) -> bool:
        """Whether every line was stored and extracted."""
        return not self.failed and not self.refused


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

    def summary(self, service: MemoryService) -> IngestSummary:
        """Return the counts with the journal heads as they are now."""
        heads = {owner: service.journal_head(owner) for owner in sorted(self.owners)}
        return IngestSummary(
            messages=self.published + self.duplicates + self.failed,
            published=self.published,
            duplicates=self.duplicates,
            failed=self.failed,
            refused=self.refused,
            claims=self.claims,
            retired=self.retired,
            journal={owner: head for owner, head in heads.items() if head is not None},
            failures=tuple(self.failures),
            unlisted_failures=self.unlisted_failures,
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


def ingest_lines(service: MemoryService, lines: Iterable[Line], reader: LineReader) -> Iterator[LineOutcome]:
    """Store the messages of the lines and yield what became of each line, in order; one batch is held at a time.

    A message that is stored already changes nothing; when its extraction is pending or failed, it is tried again.
    """
    remaining = iter(lines)
    with asyncio.Runner() as runner:
        while batch := list(islice(remaining, LINES_PER_BATCH)):
            read = [_read(reader, line) for line in batch]
            messages = [item for item in read if isinstance(item, Message)]
            answers = iter(runner.run(_ingest(service, messages)))
            for line, item in zip(batch, read, strict=True):
                if isinstance(item, Message):
                    yield _outcome(line, item, next(answers))
                else:
                    yield LineOutcome(line, failure=item)


def _read(reader: LineReader, line: Line) -> Message | LineFailure | None:
    try:
        return reader.message(line)
    except BadLineError as error:
        return LineFailure(line=line.number, kind="refused", reason=str(error))


async def _ingest(service: MemoryService, messages: Sequence[Message]) -> list[IngestReceipt | MessageConflictError]:
    try:
        answers: list[IngestReceipt | MessageConflictError] = [*await service.ingest_batch(messages)]
    except MessageConflictError:
        # A batch with a conflict stores nothing; one by one only the conflicting message is left out.
        answers = [await _ingest_one(service, message) for message in messages]
    return [await _tried_again(service, answer) for answer in answers]


async def _ingest_one(service: MemoryService, message: Message) -> IngestReceipt | MessageConflictError:
    try:
        return await service.ingest(message)
    except MessageConflictError as error:
        return error


async def _tried_again(
    service: MemoryService, answer: IngestReceipt | MessageConflictError
) -> IngestReceipt | MessageConflictError:
    if isinstance(answer, IngestReceipt) and answer.status == "duplicate" and answer.plan_id is None:
        return await service.retry(answer.event_id)
    return answer


def _outcome(line: Line, message: Message, answer: IngestReceipt | MessageConflictError) -> LineOutcome:
    if isinstance(answer, MessageConflictError):
        return LineOutcome(line, failure=LineFailure(line=line.number, kind="refused", reason=str(answer)))
    failure = None
    if answer.status == "failed":
        reason = answer.reason_code or "extractor_error"
        failure = LineFailure(line=line.number, kind="failed", reason=reason, event_id=answer.event_id)
    return LineOutcome(line, message.user_id, answer, failure)

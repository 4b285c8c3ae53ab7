"""Reads messages from the entries of a file into a store, batch by batch, and counts what they did to memory."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal, Protocol, TypeVar

from pydantic import Field

from prme.cli.message_lines import BadLineError
from prme.cli.stored_part import Answer, newest_entries, stored_part
from prme.errors import MessageConflictError, PrmeError, StoreError
from prme.model.explanation import JournalLine
from prme.model.message import Message
from prme.model.receipt import IngestReceipt
from prme.model.value import Value
from prme.service import TOKEN_LIMIT_REACHED, MemoryService

ENTRIES_PER_BATCH = 100
MOST_LISTED_FAILURES = 1_000


class Entry(Protocol):
    """What may be a message: a line of a file, or a message of an exported conversation."""

    @property
    def place(self) -> str:
        """Where it stands, in words: `line 4`, or `conversation 3, message 17`."""

    @property
    def line(self) -> int | None:
        """The number of its line, from 1, where a line is what it is."""

    @property
    def size(self) -> int:
        """How much of the whole it is, in whatever the whole is counted."""


E = TypeVar("E", bound=Entry)
E_contra = TypeVar("E_contra", bound=Entry, contravariant=True)


class EntryReader(Protocol[E_contra]):
    """Turns entries into messages."""

    def message(self, entry: E_contra, /) -> Message | None:
        """Return the message of an entry, or None for an empty one; raise `BadLineError` when it is none."""


class EntryFailure(Value):
    """An entry that did not do its work: `refused` was not stored at all, `failed` is stored without an extraction.

    `place` says where it stands, `line` is the number of its line, if it is one. `reason` is a text for a refused entry
    and a reason code for a failed one; neither repeats the message.
    """

    place: str
    line: int | None
    kind: Literal["refused", "failed"]
    reason: str
    event_id: str | None = None


class IngestError(Value):
    """The error that ended an ingestion before the end of the file.

    `stored_until` says in words where it stopped: from there on nothing was stored. None when the store could not be
    read to find out. `first_line_not_stored` is the same as a number, where the entries are lines.
    """

    message: str
    stored_until: str | None
    first_line_not_stored: int | None


class IngestSummary(Value):
    """What a file did to memory: counts of its messages, and the journal head of each of its owners.

    `failures` are the first 1,000; `unlisted_failures` counts the rest. `skipped` counts what of an export is not taken
    in, by its reason. With an `error` the counts end before it. `pending` are stored and wait for their extraction,
    because the limit of tokens was reached; `stopped_after` then says in words what was the last that was read.
    """

    messages: int
    published: int
    duplicates: int
    failed: int
    pending: int
    refused: int
    claims: int
    retired: int
    journal: dict[str, JournalLine]
    skipped: dict[str, int] = Field(default_factory=dict)
    failures: tuple[EntryFailure, ...] = ()
    unlisted_failures: int = 0
    stopped_after: str | None = None
    error: IngestError | None = None

    @property
    def ok(self) -> bool:
        """Whether every message was stored and extracted."""
        return not self.failed and not self.refused and self.stopped_after is None and self.error is None


class IngestStoppedError(PrmeError):
    """The store failed in the middle of a file. What was reported of entries before is stored."""

    def __init__(self, error: StoreError, *, last: Entry | None = None, following: Entry | None = None) -> None:
        """Say what failed, and from where on nothing was stored.

        That is the entry `following`, or the end after the `last` one; neither is given when it is not known.
        """
        until, line = None, None
        if following is not None:
            until, line = f"at {following.place}", following.line
        elif last is not None:
            until, line = f"after {last.place}", None if last.line is None else last.line + 1
        where = "stopped, and the store does not say any more what it holds"
        if until is not None:
            where = f"stopped {until}, from where on nothing is stored"
        super().__init__(f"{where}: {error}. What was counted before is stored: run the file again to go on")
        self.report = IngestError(message=str(error), stored_until=until, first_line_not_stored=line)


@dataclass(frozen=True, slots=True)
class EntryOutcome:
    """What became of one entry: a receipt for its owner, or a failure, or neither when it was empty."""

    entry: Entry
    user_id: str | None = None
    receipt: IngestReceipt | None = None
    failure: EntryFailure | None = None


@dataclass(slots=True)
class Tally:
    """Counts outcomes as they come."""

    published: int = 0
    duplicates: int = 0
    failed: int = 0
    pending: int = 0
    refused: int = 0
    claims: int = 0
    retired: int = 0
    failures: list[EntryFailure] = field(default_factory=list)
    unlisted_failures: int = 0
    owners: set[str] = field(default_factory=set)
    last_place: str | None = None

    def add(self, outcome: EntryOutcome) -> None:
        """Count one outcome."""
        self.last_place = outcome.entry.place
        if outcome.user_id is not None:
            self.owners.add(outcome.user_id)
        if outcome.failure is not None:
            self._add_failure(outcome.failure)
        elif outcome.receipt is not None:
            self._add_receipt(outcome.receipt)

    def summary(
        self,
        heads: Mapping[str, JournalLine],
        error: IngestError | None = None,
        skipped: Mapping[str, int] | None = None,
    ) -> IngestSummary:
        """Return the counts, with the journal heads of the owners as they are now."""
        return IngestSummary(
            messages=self.published + self.duplicates + self.failed + self.pending,
            published=self.published,
            duplicates=self.duplicates,
            failed=self.failed,
            pending=self.pending,
            refused=self.refused,
            claims=self.claims,
            retired=self.retired,
            journal=dict(heads),
            skipped=dict(skipped or {}),
            failures=tuple(self.failures),
            unlisted_failures=self.unlisted_failures,
            stopped_after=self.last_place if self.pending else None,
            error=error,
        )

    def _add_failure(self, failure: EntryFailure) -> None:
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
        if receipt.status == "pending":
            self.pending += 1
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
    entries: Iterable[E],
    reader: EntryReader[E],
    watch: Callable[[EntryOutcome, Tally], None],
    skipped: Mapping[str, int] | None = None,
) -> tuple[IngestSummary, IngestStoppedError | None]:
    """Store the messages of the entries, show every outcome to `watch`, and return the counts and what ended it early.

    `skipped` is counted already and comes back in the summary.
    """
    tally = Tally()
    stopped: IngestStoppedError | None = None
    try:
        for outcome in ingest_entries(open_service, entries, reader):
            tally.add(outcome)
            watch(outcome, tally)
    except IngestStoppedError as error:
        stopped = error
    report = None if stopped is None else stopped.report
    can_be_read = report is None or report.stored_until is not None
    heads = owner_heads(open_service(), tally.owners) if tally.owners and can_be_read else {}
    return tally.summary(heads, report, skipped), stopped


def ingest_entries(
    open_service: Callable[[], MemoryService], entries: Iterable[E], reader: EntryReader[E]
) -> Iterator[EntryOutcome]:
    """Store the messages of the entries and yield what became of each, in order; one batch is held at a time.

    The store is opened for the first message: entries without one make no store. A message that is stored already
    changes nothing; when its extraction is pending or failed, it is tried again. Once the limit of tokens is reached,
    the batch is stored to its end and nothing more is read.

    Raises `IngestStoppedError` when the store fails, after the outcomes of the entries that it took.
    """
    remaining = iter(entries)
    with asyncio.Runner() as runner, _closed_extractor(runner) as used:
        while batch := list(islice(remaining, ENTRIES_PER_BATCH)):
            read = [read_entry(reader, entry) for entry in batch]
            messages = [item for item in read if isinstance(item, Message)]
            taken = _Taken([])
            if messages:
                used.append(open_service())
                taken = runner.run(_ingest(used[-1], messages))
            yield from _outcomes(batch, read, taken)
            if any(isinstance(answer, IngestReceipt) and _waits(answer) for answer in taken.answers):
                return


@contextmanager
def _closed_extractor(runner: asyncio.Runner) -> Iterator[list[MemoryService]]:
    """Collect the stores that are used; their extractors' connections belong to the runner's event loop."""
    used: list[MemoryService] = []
    try:
        yield used
    finally:
        for service in used[-1:]:
            runner.run(service.close_extractor())


@dataclass(frozen=True, slots=True)
class _Taken:
    """What a store answered to the messages of a batch: None for one that an error kept out of it.

    `is_certain` is False when the store could not be asked any more.
    """

    answers: Sequence[Answer | None]
    error: StoreError | None = None
    is_certain: bool = True


def _outcomes(
    batch: Sequence[Entry], read: Sequence[Message | EntryFailure | None], taken: _Taken
) -> Iterator[EntryOutcome]:
    answers = iter(taken.answers)
    found = [
        _outcome(entry, item, next(answers) if isinstance(item, Message) else None)
        for entry, item in zip(batch, read, strict=True)
    ]
    if taken.error is None:
        yield from found
        return
    ends = [place for place, outcome in enumerate(found, start=1) if outcome.receipt is not None]
    end = ends[-1] if ends else 0
    yield from found[:end]
    if not taken.is_certain:
        raise IngestStoppedError(taken.error)
    raise IngestStoppedError(taken.error, last=batch[-1], following=batch[end] if end < len(batch) else None)


def read_entry(reader: EntryReader[E], entry: E) -> Message | EntryFailure | None:
    """Return the message of an entry, the reason why it is none, or None for an empty one."""
    try:
        return reader.message(entry)
    except BadLineError as error:
        return _refused(entry, str(error))


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
    again = [answer.event_id for answer in answers if isinstance(answer, IngestReceipt) and _is_unfinished(answer)]
    tried = {receipt.event_id: receipt for receipt in await service.retry_all(again)} if again else {}
    return [tried.get(answer.event_id, answer) if isinstance(answer, IngestReceipt) else answer for answer in answers]


async def _ingest_one(service: MemoryService, message: Message) -> Answer:
    try:
        return await service.ingest(message)
    except MessageConflictError as error:
        return error


def _is_unfinished(receipt: IngestReceipt) -> bool:
    return receipt.status == "duplicate" and receipt.plan_id is None


def _waits(receipt: IngestReceipt) -> bool:
    return receipt.status == "pending" and receipt.reason_code == TOKEN_LIMIT_REACHED


def _outcome(entry: Entry, item: Message | EntryFailure | None, answer: Answer | None) -> EntryOutcome:
    if not isinstance(item, Message):
        return EntryOutcome(entry, failure=item)
    if answer is None:
        return EntryOutcome(entry, failure=_refused(entry, "the store did not take it; run the file again"))
    if isinstance(answer, MessageConflictError):
        return EntryOutcome(entry, failure=_refused(entry, str(answer)))
    failure = None
    if answer.status in {"failed", "pending"} and not _waits(answer):
        failure = EntryFailure(
            place=entry.place,
            line=entry.line,
            kind="failed",
            reason=answer.reason_code or "extractor_error",
            event_id=answer.event_id,
        )
    return EntryOutcome(entry, item.user_id, answer, failure)


def _refused(entry: Entry, reason: str) -> EntryFailure:
    return EntryFailure(place=entry.place, line=entry.line, kind="refused", reason=reason)

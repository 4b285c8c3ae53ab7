"""Finds out what of a batch reached the store when an error of the store ended it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prme import ids
from prme.clock import EPOCH
from prme.errors import MessageConflictError
from prme.model.message import Message
from prme.model.receipt import IngestReceipt, ReceiptStatus
from prme.service import NOT_PUBLISHED, MemoryService

Answer = IngestReceipt | MessageConflictError


def newest_entries(service: MemoryService, messages: Sequence[Message]) -> dict[str, int]:
    """Return the number of the newest journal entry of each owner in a batch, 0 for a new owner."""
    heads = {owner: service.journal_head(owner) for owner in {message.user_id for message in messages}}
    return {owner: 0 if head is None else head.seq for owner, head in heads.items()}


async def stored_part(
    service: MemoryService, messages: Sequence[Message], before: Mapping[str, int]
) -> list[Answer | None]:
    """Return for each message of a batch what its call would have answered, or None when it is not stored.

    `before` are the `newest_entries` from before the batch. Nothing is written. Raises `StoreError` when the store
    cannot be read either.
    """
    return [await _answer(service, message, before[message.user_id]) for message in messages]


async def _answer(service: MemoryService, message: Message, newest_before: int) -> Answer | None:
    event_id = ids.event_id(message.user_id, message.scope, message.message_id, EPOCH)
    if service.get_event(event_id, message.user_id) is None:
        return None
    try:
        receipt = await service.ingest(message)  # a known message: it is only read
    except MessageConflictError as error:
        return error
    if service.explain(event_id, message.user_id).journal[-1].seq <= newest_before:
        return receipt
    status: ReceiptStatus = "failed" if receipt.plan_id is None else "published"
    reason = None if status == "published" else receipt.reason_code or NOT_PUBLISHED
    return receipt.model_copy(update={"status": status, "reason_code": reason})

"""Routes that take messages in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from prme.http.answers import Stored, ingesting, writing
from prme.http.bodies import IngestBatchBody, IngestBody, MessageBody, OwnerQuery, StoreBody
from prme.http.front import Front, StrictRoute, TheCaller, TheFront, answer
from prme.http.problems import RefusedError
from prme.http.rights import one_owner, owner_or_any
from prme.http.settings import MOST_MESSAGES
from prme.http.tokens import Caller
from prme.model.receipt import IngestReceipt

routes = APIRouter(prefix="/v1", tags=["messages"], route_class=StrictRoute)
EventId = Annotated[str, Path(description="The id of an event.")]
RETRY = "POST /v1/events/{id}/retry extracts it again"


@routes.post("/ingest", responses=ingesting(IngestReceipt), operation_id="ingest")
async def ingest(front: TheFront, caller: TheCaller, body: IngestBody) -> Response:
    """Store one message and let it correct what the memory says.

    A `message_id` makes it safe to send again. Without one, a message that is sent twice is stored twice.
    """
    receipt = await front.write(front.engine.ingest(**_fields(caller, body)))
    return _ingested(front, receipt)


@routes.post("/ingest/batch", responses=ingesting(list[IngestReceipt]), operation_id="ingest_batch")
async def ingest_batch(front: TheFront, caller: TheCaller, body: IngestBatchBody) -> Response:
    """Store messages in order; the whole batch is checked before anything is stored."""
    refuse_long(body.messages)
    messages = [_fields(caller, message) for message in body.messages]
    receipts = await front.write(front.engine.ingest_batch(messages, wait_for_extraction=body.wait_for_extraction))
    for receipt in receipts:
        front.metrics.ingested(receipt)
    failed = sum(1 for receipt in receipts if _status(receipt) == 503)
    if failed:
        raise RefusedError(
            503,
            "extraction_failed",
            f"the messages are stored, and the extraction of {failed} failed: {RETRY}",
            receipts=receipts,
        )
    return answer(receipts, max(map(_status, receipts), default=200))


@routes.post("/store", responses=writing(Stored, 404, 409), operation_id="store")
async def store(front: TheFront, caller: TheCaller, body: StoreBody) -> Response:
    """Store a message as one note, without extraction; with `supersedes` it replaces a node, both or neither."""
    return answer({"event_id": await front.write(front.engine.store(**_fields(caller, body)))})


@routes.post("/events/{id}/retry", responses=ingesting(IngestReceipt, 404), operation_id="retry")
async def retry(front: TheFront, caller: TheCaller, id: EventId, query: Annotated[OwnerQuery, Query()]) -> Response:
    """Extract a pending or failed message again. It has no body."""
    owner = owner_or_any(caller, query.user_id)
    if await front.read(front.engine.get_event(id, user_id=owner)) is None:
        raise RefusedError(404, "not_found", "no event with this id")
    return _ingested(front, await front.write(front.engine.retry(id)))


def refuse_long(items: Sequence[object]) -> None:
    """Raise `RefusedError` (413) for a batch with too many items."""
    if len(items) > MOST_MESSAGES:
        raise RefusedError(
            413, "too_large", f"the batch has {len(items)} items, the limit is {MOST_MESSAGES}; send several batches"
        )


def _fields(caller: Caller, body: MessageBody) -> dict[str, Any]:
    """Return the arguments of the engine's method: the body's own, unconverted, with the owner."""
    return {**dict(body), "user_id": one_owner(caller, body.user_id)}


def _ingested(front: Front, receipt: IngestReceipt) -> Response:
    front.metrics.ingested(receipt)
    status = _status(receipt)
    if status == 503:
        raise RefusedError(
            503,
            "extraction_failed",
            f"the message is stored and its extraction failed: {RETRY}; do not send it as a new one",
            event_id=receipt.event_id,
            reason_code=receipt.reason_code,
        )
    return answer(receipt, status)


def _status(receipt: IngestReceipt) -> int:
    """Return 200 for what is published, 202 for what is pending, 503 for what failed; also of a repeated message."""
    if receipt.plan_id is not None:
        return 200
    is_pending = receipt.status == "pending" or receipt.reason_code is None
    return 202 if is_pending else 503

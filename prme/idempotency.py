"""Idempotency: a `message_id` names one message of an owner and scope, for ever (SPEC 3)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prme import ids
from prme.clock import EPOCH
from prme.errors import MessageConflictError
from prme.message import differing_fields
from prme.model.message import Event, EventKind, Message
from prme.publication.publish import new_event
from prme.store.database import Reader
from prme.store.owners import find_owner
from prme.store.records import StoredEvent, find_events

KnownMessages = Mapping[str, StoredEvent]


def named_event(message: Message) -> str | None:
    """Return the id of the event that a message's `message_id` names, or None when it has none."""
    if message.message_id is None:
        return None
    return ids.event_id(message.user_id, message.scope, message.message_id)


def known_messages(reader: Reader, messages: Sequence[Message]) -> KnownMessages:
    """Return, by event id, the stored events that the messages' `message_id`s name."""
    wanted: dict[str, list[str]] = {}
    for message in messages:
        if (event_id := named_event(message)) is not None:
            wanted.setdefault(message.user_id, []).append(event_id)
    known: dict[str, StoredEvent] = {}
    for user_id, event_ids in wanted.items():
        owner_key = find_owner(reader, user_id)
        if owner_key is not None:
            known |= find_events(reader, owner_key, event_ids)
    return known


def refuse_other_message(stored: StoredEvent, message: Message, kind: EventKind) -> None:
    """Raise `MessageConflictError` when a `message_id` is used again for something else."""
    if stored.kind != kind:
        raise MessageConflictError(
            f"this message_id was used by {stored.kind}() and cannot be used by {kind}(): choose another message_id"
        )
    differing = differing_fields(stored.event, message)
    if differing:
        raise MessageConflictError(
            f"this message_id belongs to a message that differs in {', '.join(differing)}: "
            "a new message needs a message_id of its own"
        )


def refuse_conflicts(messages: Sequence[Message], known: KnownMessages) -> None:
    """Refuse a batch in which a `message_id` is taken by another message, in the store or in the batch itself.

    Raises `MessageConflictError` that begins with the position, as in `messages[3]`.
    """
    seen: dict[str, Event] = {}
    for position, message in enumerate(messages):
        event_id = named_event(message)
        if event_id is None:
            continue
        try:
            if event_id in known:
                refuse_other_message(known[event_id], message, "ingest")
            # Any time of receipt will do: two messages of one id are compared in what was passed.
            event = seen.setdefault(event_id, new_event(message, EPOCH))
            if fields := differing_fields(event, message):
                raise MessageConflictError(
                    f"the same message_id stands twice in the batch, with another {', '.join(fields)}"
                )
        except MessageConflictError as error:
            raise MessageConflictError(f"messages[{position}]: {error}") from None

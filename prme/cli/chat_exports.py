"""Reads chat exports: one JSON text, or the zip archive in which it was downloaded, without unpacking it to disk."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import itemgetter
from typing import IO

from prme.cli.chat_branches import BadConversationError
from prme.cli.chat_formats import ChatMessage, Conversation, UnknownShapeError, read_conversation
from prme.cli.json_values import DamagedJsonError, JsonValues
from prme.cli.message_lines import BadLineError, checked_message
from prme.errors import PrmeError
from prme.model.message import FIRST_PERSON_ROLES, Message

# The texts are held while they are put in order, and what an archive unpacks to is not known before.
MOST_CHARACTERS = 2 * 1024 * 1024 * 1024
_ENCRYPTED = 1
_FIRST, _LAST = datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)
_PART = re.compile(r"(?:.*/)?conversations(?:-(\d{1,9}))?\.json")

_Moment = tuple[datetime, datetime]


class ChatExportError(PrmeError):
    """A chat export cannot be read; nothing of it was stored."""


@dataclass(frozen=True, slots=True)
class ChatExport:
    """The messages of an export in the order in which they were said, and counts of what was skipped, by reason."""

    messages: Sequence[ChatMessage]
    skipped: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class ChatReader:
    """Turns the messages of one person's export into messages of an owner."""

    user_id: str
    first_person_owner: bool = True

    def message(self, entry: ChatMessage, /) -> Message:
        """Return the message. Raises `BadLineError` when it is none, or cannot be one here."""
        if entry.fault is not None:
            raise BadLineError(entry.fault)
        return checked_message(
            {
                "content": entry.content,
                "user_id": self.user_id,
                "role": entry.role,
                "session_id": entry.session_id,
                "message_id": entry.message_id,
                "first_person_owner": self.first_person_owner and entry.role in FIRST_PERSON_ROLES,
                "occurred_at": entry.occurred_at,
            }
        )


def read_archive(stream: IO[bytes]) -> ChatExport:
    """Return what the conversations of a zip archive hold: `conversations.json`, or its numbered parts in their order.

    Raises `ChatExportError` when it is damaged, has none, or unpacks to too much.
    """
    if not stream.seekable():
        raise ChatExportError("a zip archive is read from its file, not from a pipe: name the file")
    try:
        with zipfile.ZipFile(stream) as archive:
            parts = _parts(archive.infolist())
            return _export((f"{part.filename}, " if len(parts) > 1 else "", archive.open(part)) for part in parts)
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError) as error:
        fault = type(error).__name__
    raise ChatExportError(f"the zip archive cannot be read ({fault}): download it again; nothing was stored")


def read_export(stream: IO[bytes]) -> ChatExport:
    """Return what a JSON text holds: a list of conversations, or one or several after another.

    Raises `ChatExportError` when it is damaged, is no chat export, or is too long.
    """
    return _export([("", stream)])


def _parts(members: Iterable[zipfile.ZipInfo]) -> list[zipfile.ZipInfo]:
    found = [(match, member) for member in members if (match := _PART.fullmatch(member.filename)) is not None]
    if not found:
        raise ChatExportError("the zip archive has no conversations.json: it is not a chat export")
    if any(member.flag_bits & _ENCRYPTED for _, member in found):
        raise ChatExportError("the zip archive needs a password: unpack it, and name its conversations.json")
    found.sort(key=lambda part: (int(part[0][1] or -1), part[1].filename))
    return [member for _, member in found]


def _export(texts: Iterable[tuple[str, IO[bytes]]]) -> ChatExport:
    said: list[tuple[_Moment, ChatMessage]] = []
    skipped: Counter[str] = Counter()
    left = MOST_CHARACTERS
    for name, stream in texts:
        values = JsonValues(io.TextIOWrapper(stream, encoding="utf-8-sig"), most=left)
        for conversation in _conversations(values, name):
            said += zip(_moments(conversation), conversation.messages, strict=True)
            skipped.update(conversation.skipped)
        left -= values.taken
    said.sort(key=itemgetter(0))
    messages = _once_each([message for _, message in said])
    skipped["repeated"] = len(said) - len(messages)
    return ChatExport(messages, dict(sorted((+skipped).items())))


def _conversations(values: JsonValues, name: str) -> Iterator[Conversation]:
    read = 0
    try:
        for read, document in enumerate(values, start=1):
            place = f"{name}conversation {read}"
            try:
                yield read_conversation(document, place)
            except BadConversationError as error:
                if read == 1 and isinstance(error, UnknownShapeError):
                    raise ChatExportError(f"{place}: {error}; nothing was stored") from None
                yield Conversation.refused(place, str(error))
    except DamagedJsonError as error:
        where = f"{name}conversation {read + 1}"
        raise ChatExportError(f"the export cannot be read, at {where}: {error}; nothing was stored") from None


def _moments(conversation: Conversation) -> Iterator[_Moment]:
    """Yield what to order each message by: its time, but no earlier than that of the one before; without one, last.

    Then the time of its conversation: one that begins as a copy of another comes after it.
    """
    latest = _FIRST
    for message in conversation.messages:
        if message.fault is None:
            latest = max(latest, message.occurred_at or _LAST)
        yield latest, conversation.begun_at or _LAST


def _once_each(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    """Return the messages without those that stand in an earlier conversation, too, as in a copy of it."""
    kept: list[ChatMessage] = []
    known: dict[str, ChatMessage] = {}
    for message in messages:
        first = message if message.message_id is None else known.setdefault(message.message_id, message)
        if first is message or (first.role, first.utf8) != (message.role, message.utf8):
            kept.append(message)
    return kept

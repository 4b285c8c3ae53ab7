"""Recognises what a file for `prme ingest` holds by its content, and gives it out entry by entry."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import IO, Any, Generic

import click
from pydantic_core import from_json

from prme.cli.chat_exports import ChatExport, ChatReader, read_archive, read_export
from prme.cli.chat_formats import CONVERSATION_KEYS
from prme.cli.ingestion import E, EntryReader
from prme.cli.message_lines import BYTE_ORDER_MARK, LineReader, read_lines

# Enough to find out what a file is: a conversation names what it holds before its first message ends.
HEAD_BYTES = 64 * 1024
_ZIP_MARK = b"PK\x03\x04"


@dataclass(frozen=True, slots=True)
class Source(Generic[E]):
    """The entries of a file, who reads them, how much they are together, and what of the file was skipped."""

    entries: Iterable[E]
    reader: EntryReader[E]
    total: int | None
    skipped: Mapping[str, int] = field(default_factory=dict)


def open_source(
    stream: IO[bytes], *, size: int | None, user_id: str | None, first_person_owner: bool | None
) -> Source[Any]:
    """Return what a stream holds: messages as lines, or the conversations of an export, which are read whole.

    `size` is its length in bytes, if known. `first_person_owner` None is off for lines, and on for exports: the person
    in them is the owner. Raises `ChatExportError`, and `click.UsageError` for an export without an owner.
    """
    head = _head(stream)
    is_archive = head.startswith(_ZIP_MARK)
    if not is_archive and not _holds_conversations(head):
        reader = LineReader(user_id, default_first_person_owner=bool(first_person_owner))
        return Source(read_lines(_again(head, stream)), reader, size)
    if user_id is None:
        raise click.UsageError("a chat export does not say whose it is: name the owner with --user-id ID")
    export: ChatExport = read_archive(stream) if is_archive else read_export(_again(head, stream))
    chat_reader = ChatReader(user_id, first_person_owner=first_person_owner is not False)
    return Source(export.messages, chat_reader, len(export.messages), export.skipped)


def _head(stream: IO[bytes]) -> bytes:
    """Read the first line that is not empty, or its beginning, and more only where that line is not enough.

    Whoever writes lines into a pipe, slowly, need not write many before the first is taken in.
    """
    lines = bytearray()
    while len(lines) < HEAD_BYTES and (line := stream.readline(HEAD_BYTES)):
        lines += line
        if _text(line):
            break
    head = bytes(lines)
    return head + stream.read(HEAD_BYTES) if _first_object(head) == {} else head


def _holds_conversations(head: bytes) -> bool:
    if _text(head).startswith("["):
        return True
    keys = (_first_object(head) or {}).keys()
    return bool(CONVERSATION_KEYS & keys) and "content" not in keys


def _first_object(head: bytes) -> dict[str, Any] | None:
    """Return the object that the text begins with, as far as it goes; None when it begins with anything else."""
    try:
        found = from_json(_text(head), allow_partial=True)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _text(head: bytes) -> str:
    return head.removeprefix(BYTE_ORDER_MARK).decode("utf-8", "ignore").lstrip()


def _again(head: bytes, stream: IO[bytes]) -> IO[bytes]:
    """Return a stream with what was read of it before the rest."""
    return io.BufferedReader(_Rejoined(head, stream))


class _Rejoined(io.RawIOBase):
    """Bytes that were read, and after them the stream that they came from, which stays open."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head = head
        self._stream = stream

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer as far as there is something at hand."""
        if self._head:
            taken, self._head = self._head[: len(buffer)], self._head[len(buffer) :]
        else:
            taken = self._stream.readline(len(buffer))
        buffer[: len(taken)] = taken
        return len(taken)

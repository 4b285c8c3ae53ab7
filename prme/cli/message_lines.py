"""Turns lines of JSON into messages, or into the reason why a line is none, without repeating what the line says."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import IO, Any

from prme.canonical import canonical_json
from prme.errors import InvalidMessageError
from prme.message import validate_batch
from prme.model.message import FIRST_PERSON_ROLES, Message
from prme.strict_json import STRICT_DECODER, AmbiguousJsonError

# The longest valid message is shorter, even with every character written as an escape.
MOST_LINE_BYTES = 4 * 1024 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_BATCH_POSITION = "messages[0]: "


class BadLineError(Exception):
    """A line, or an entry of an export, holds no message; the text says why and is safe to print."""


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file: its number from 1, its bytes without the line break, and how many bytes it took.

    `data` is None when the line is too long to be a message.
    """

    number: int
    data: bytes | None
    size: int

    @property
    def line(self) -> int:
        """The number of the line."""
        return self.number

    @property
    def place(self) -> str:
        """Where it stands, in words."""
        return f"line {self.number}"


@dataclass(slots=True)
class LineReader:
    """Reads the lines of one file as messages.

    A line without a `message_id` gets one: the SHA-256 of its canonical JSON, and which occurrence of that JSON in the
    file it is. So running a file again changes nothing, and the same line twice is two messages. Counting takes a
    fixed few bytes for each such line.

    A line that does not say `first_person_owner` gets the default where it can have it: said by a person, without a
    speaker.
    """

    default_user_id: str | None
    default_first_person_owner: bool = False
    _occurrences: dict[int, int] = field(default_factory=dict)

    def message(self, line: Line) -> Message | None:
        """Return the message of a line, or None for an empty line.

        Raises `BadLineError` when the line is not a JSON object with the fields of a message.
        """
        document = _json_object(line)
        if document is None:
            return None
        fields = {key: value for key, value in document.items() if value is not None}
        if self.default_user_id is not None:
            fields.setdefault("user_id", self.default_user_id)
        if self.default_first_person_owner and _may_be_the_owner(fields):
            fields.setdefault("first_person_owner", True)
        fields["occurred_at"] = _moment(fields.get("occurred_at"))
        message = checked_message(fields)
        if message.message_id is not None:
            return message
        return message.model_copy(update={"message_id": self._derived_id(document)})

    def _derived_id(self, document: dict[str, Any]) -> str:
        digest = hashlib.sha256(canonical_json(document))
        # Part of the digest is enough to count by: a clash skips a number, and skips it in every run.
        key = int.from_bytes(digest.digest()[:8])
        occurrence = self._occurrences[key] = self._occurrences.get(key, 0) + 1
        return f"sha256:{digest.hexdigest()}:{occurrence}"


def checked_message(fields: Mapping[str, Any]) -> Message:
    """Return the message with these fields. Raises `BadLineError` saying which of them is wrong, and in what way."""
    try:
        return validate_batch([fields])[0]
    except InvalidMessageError as error:
        raise BadLineError(str(error).removeprefix(_BATCH_POSITION)) from None


def read_lines(stream: IO[bytes]) -> Iterator[Line]:
    """Yield the lines of a stream, holding one at a time; of a line that is too long only its size."""
    number = 0
    while data := stream.readline(MOST_LINE_BYTES + 1):
        number += 1
        size = len(data)
        if size <= MOST_LINE_BYTES:
            yield Line(number, data.rstrip(b"\r\n"), size)
            continue
        while not data.endswith(b"\n") and (data := stream.readline(MOST_LINE_BYTES)):
            size += len(data)
        yield Line(number, None, size)


def _json_object(line: Line) -> dict[str, Any] | None:
    if line.data is None:
        raise BadLineError(f"longer than {MOST_LINE_BYTES:,} bytes, which no message is")
    data = line.data.removeprefix(BYTE_ORDER_MARK) if line.number == 1 else line.data
    if not data.strip():
        return None
    try:
        document = STRICT_DECODER.decode(data.decode("utf-8"))
    except AmbiguousJsonError as error:
        raise BadLineError(str(error)) from None
    except UnicodeDecodeError as error:
        raise BadLineError(f"not UTF-8 (byte {error.start + 1} of the line)") from None
    except json.JSONDecodeError as error:
        raise BadLineError(f"not JSON (column {error.colno})") from None
    except (RecursionError, ValueError):
        raise BadLineError(
            "not JSON that can be read: nested too deeply, or with a number of too many digits"
        ) from None
    if not isinstance(document, dict):
        raise BadLineError("not a JSON object")
    return document


def _may_be_the_owner(fields: Mapping[str, Any]) -> bool:
    return "speaker" not in fields and str(fields.get("role", "user")).lower() in FIRST_PERSON_ROLES


def _moment(value: object) -> datetime | None:
    if value is None:
        return None
    if isinstance(value, str):
        try:
            return datetime.fromisoformat(value)
        except ValueError:
            pass
    raise BadLineError('occurred_at is not an ISO 8601 time, such as "2031-04-01T09:00:00Z"')

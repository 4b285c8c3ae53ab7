"""The door of the engine: refuses a bad message before anything is stored, and normalises a good one (SPEC 3)."""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, get_args

from prme.canonical import canonical_json
from prme.errors import InvalidMessageError, ReservedMetadataError, SpeakerError
from prme.model.message import FIRST_PERSON_ROLES, Event, Message, Role

MAX_CONTENT_CHARACTERS = 100_000
MAX_ID_CHARACTERS = 256
MAX_SPEAKER_CHARACTERS = 200
MAX_METADATA_LEVELS = 64
MAX_METADATA_BYTES = 64 * 1024
MAX_SAFE_INTEGER = 2**53 - 1
RESERVED_METADATA_KEY = "prme_first_person_owner_v1"

ROLES: tuple[Role, ...] = get_args(Role)
FIELDS = (
    "content",
    "user_id",
    "role",
    "scope",
    "session_id",
    "message_id",
    "speaker",
    "first_person_owner",
    "occurred_at",
    "metadata",
)
_REQUIRED = ("content", "user_id")
# What a retry repeats by saying nothing: a field left out cannot differ.
_OPTIONAL = ("session_id", "message_id", "speaker", "occurred_at")

_SURROGATE = re.compile("[\ud800-\udfff]")
_SCOPE = re.compile(r"[a-z0-9][a-z0-9_.-]{0,63}")
# Names may need joiners, which share the category of direction marks: so these are listed one by one.
_BIDI_CHARACTERS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_REFUSED_IN_NAMES = frozenset({"Cc", "Cs", "Zl", "Zp"})
# From here on RFC 8785 writes a whole number with an exponent, and readers take it for a float.
_FIRST_EXPONENT = 1e21


def validate_message(
    content: str,
    *,
    user_id: str,
    role: str = "user",
    scope: str = "personal",
    session_id: str | None = None,
    message_id: str | None = None,
    speaker: str | None = None,
    first_person_owner: bool = False,
    occurred_at: datetime | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Message:
    """Return the message, normalised: no NULs, lower-case role, trimmed speaker, UTC time, canonical metadata.

    Nothing is coerced; `occurred_at` must be timezone-aware. An error text names the field, the fault and the way out,
    and never repeats the message, a metadata entry or a user id.

    Raises:
        SpeakerError: `speaker` or `first_person_owner` cannot be used as passed (003-40 to 003-46).
        ReservedMetadataError: `metadata` carries the key that belongs to prme (003-48).
        InvalidMessageError: anything else breaks the table of SPEC 3.
    """
    checked_role = _role(role)
    checked_speaker = None if speaker is None else _speaker(speaker)
    _check_first_person_owner(first_person_owner, checked_role, checked_speaker)
    return Message(
        content=_content(content),
        user_id=_identifier(user_id, "user_id"),
        role=checked_role,
        scope=_scope(scope),
        session_id=None if session_id is None else _identifier(session_id, "session_id"),
        message_id=None if message_id is None else _identifier(message_id, "message_id"),
        speaker=checked_speaker,
        first_person_owner=first_person_owner,
        occurred_at=None if occurred_at is None else _utc(occurred_at),
        metadata_json=None if metadata is None else _metadata_json(metadata),
    )


def checked_owner(user_id: object) -> str:
    """Return an owner as messages name it. Raises `InvalidMessageError`: anything else could only find nothing."""
    return _identifier(user_id, "user_id")


def checked_scope(scope: object) -> str:
    """Return a scope as messages take it. Raises `InvalidMessageError`: anything else could only find nothing."""
    return _scope(scope)


def checked_actor(actor_id: object) -> str:
    """Return the name of who decides: what a display name may be, at most 256 characters. Raises `ValueError`."""
    if not isinstance(actor_id, str) or not actor_id.strip() or len(actor_id) > MAX_ID_CHARACTERS:
        raise ValueError(f"actor_id must be a non-blank text of at most {MAX_ID_CHARACTERS} characters")
    if _has_refused_characters(actor_id):
        raise ValueError("actor_id contains a control, direction or line-separator character or a lone surrogate")
    return actor_id


def validate_batch(messages: Iterable[Mapping[str, Any] | Message]) -> tuple[Message, ...]:
    """Return every message of a batch, normalised, or raise for the first bad one before any is used.

    Mappings carry the arguments of `validate_message`; a `Message` is validated again. The error keeps its class and
    begins with the position, as in `messages[3]`.
    """
    if isinstance(messages, str | bytes | bytearray | Mapping | Message) or not isinstance(messages, Iterable):
        raise InvalidMessageError(
            f"messages must be a list of mappings or Message objects, got {_type_name(messages)}; "
            "put a single message into a list"
        )
    return tuple(_batch_entry(position, entry) for position, entry in enumerate(messages))


def differing_fields(event: Event, message: Message) -> tuple[str, ...]:
    """Return the fields in which a message differs from the stored event of the same `message_id`, in table order.

    Content, owner, role, scope and `first_person_owner` always count. The other fields count when the caller passed
    them: a retry that leaves one out does not contradict it. Times are compared as instants, metadata as canonical
    JSON.
    """
    always = ("content", "user_id", "role", "scope", "first_person_owner")
    differing = {name for name in always if getattr(event, name) != getattr(message, name)}
    passed = (name for name in _OPTIONAL if getattr(message, name) is not None)
    differing.update(name for name in passed if getattr(event, name) != getattr(message, name))
    if message.metadata_json is not None and message.metadata_json != event.metadata_json:
        differing.add("metadata")
    return tuple(name for name in FIELDS if name in differing)


def _batch_entry(position: int, entry: object) -> Message:
    try:
        if isinstance(entry, Message):
            return validate_message(**_arguments_again(entry))
        return validate_message(**_arguments(entry))
    except InvalidMessageError as error:
        located = type(error)(f"messages[{position}]: {error}")
    raise located


def _arguments(entry: object) -> dict[str, Any]:
    if not isinstance(entry, Mapping):
        raise InvalidMessageError(f"must be a mapping or a Message, got {_type_name(entry)}")
    unknown = [key for key in entry if key not in FIELDS]
    if unknown:
        raise InvalidMessageError(f"has the unknown key {_key_name(unknown[0])}; known keys are {', '.join(FIELDS)}")
    missing = [name for name in _REQUIRED if name not in entry]
    if missing:
        raise InvalidMessageError(f"{missing[0]} is missing; every message needs {' and '.join(_REQUIRED)}")
    return dict(entry)


def _arguments_again(message: Message) -> dict[str, Any]:
    arguments: dict[str, Any] = {name: getattr(message, name) for name in FIELDS if name != "metadata"}
    if message.metadata_json is not None:
        arguments["metadata"] = _parsed(message.metadata_json)
    return arguments


def _parsed(metadata_json: str) -> Any:
    # The parser's own error holds the text it could not read: suppressing it keeps it out of the context.
    parsed = None
    with suppress(TypeError, ValueError, RecursionError):
        parsed = json.loads(metadata_json)
    if parsed is None:
        raise InvalidMessageError("metadata_json is not a JSON object; let validate_message make the Message")
    return parsed


def _content(value: object) -> str:
    content = _exact_text(value, "content").replace("\x00", "")
    if not content.strip():
        raise InvalidMessageError("content is blank; pass the text of the message")
    if len(content) > MAX_CONTENT_CHARACTERS:
        raise InvalidMessageError(
            f"content has {len(content)} characters, the limit is {MAX_CONTENT_CHARACTERS}; split it into messages"
        )
    return content


def _identifier(value: object, field: str) -> str:
    text = _exact_text(value, field)
    if not text.strip():
        remedy = "name the owner of the message" if field in _REQUIRED else "leave it out or pass None"
        raise InvalidMessageError(f"{field} is blank; {remedy}")
    if len(text) > MAX_ID_CHARACTERS:
        raise InvalidMessageError(f"{field} has {len(text)} characters, the limit is {MAX_ID_CHARACTERS}; shorten it")
    if "\x00" in text:
        raise InvalidMessageError(f"{field} contains a NUL character; remove it")
    return text


def _role(value: object) -> Role:
    lowered = _exact_text(value, "role").lower()
    for role in ROLES:
        if role == lowered:
            return role
    raise InvalidMessageError(f"role is not known; use one of {', '.join(ROLES)}")


def _scope(value: object) -> str:
    scope = _exact_text(value, "scope")
    if _SCOPE.fullmatch(scope) is None:
        raise InvalidMessageError(
            "scope must be 1 to 64 of the characters a-z 0-9 _ . - and begin with a letter or digit; "
            "use a name such as 'personal'"
        )
    return scope


def _speaker(value: object) -> str:
    if type(value) is not str:
        raise SpeakerError(f"speaker must be a text, got {_type_name(value)}; pass the display name or None")
    speaker = value.strip()
    if not 1 <= len(speaker) <= MAX_SPEAKER_CHARACTERS:
        raise SpeakerError(
            f"speaker has {len(speaker)} characters after trimming, allowed are 1 to {MAX_SPEAKER_CHARACTERS}; "
            "pass the display name or None"
        )
    if _has_refused_characters(speaker):
        raise SpeakerError(
            "speaker contains a control, direction or line-separator character or a lone surrogate; remove it"
        )
    return speaker


def _has_refused_characters(name: str) -> bool:
    return any(
        character in _BIDI_CHARACTERS or unicodedata.category(character) in _REFUSED_IN_NAMES for character in name
    )


def _check_first_person_owner(value: object, role: Role, speaker: str | None) -> None:
    if type(value) is not bool:
        raise SpeakerError(f"first_person_owner must be True or False, got {_type_name(value)}")
    if value and role not in FIRST_PERSON_ROLES:
        raise SpeakerError(
            f"first_person_owner needs the role user or human, not {role}; leave it off for this message"
        )
    if value and speaker is not None:
        raise SpeakerError("first_person_owner and speaker exclude each other; pass the one that says who 'I' is")


def _utc(value: object) -> datetime:
    if not isinstance(value, datetime):
        raise InvalidMessageError(f"occurred_at must be a datetime, got {_type_name(value)}")
    aware, moment = True, None
    with suppress(OverflowError, ValueError):
        aware = value.utcoffset() is not None
        moment = value.astimezone(UTC) if aware else None
    if not aware:
        raise InvalidMessageError("occurred_at has no time zone; pass an aware datetime, for example in UTC")
    if moment is None:
        raise InvalidMessageError("occurred_at is outside the years 1 to 9999 in UTC; pass when the message was said")
    # Subclasses (test doubles, data frames) may carry state of their own.
    date = (moment.year, moment.month, moment.day)
    return datetime(*date, moment.hour, moment.minute, moment.second, moment.microsecond, tzinfo=UTC)


def _metadata_json(value: object) -> str:
    if not isinstance(value, Mapping):
        raise InvalidMessageError(f"metadata must be a mapping, got {_type_name(value)}")
    if RESERVED_METADATA_KEY in value:
        raise ReservedMetadataError(
            f"metadata uses the key {RESERVED_METADATA_KEY!r}, which belongs to prme; "
            "pass the argument first_person_owner instead"
        )
    _check_json(value)
    encoded = canonical_json(_plain(value))
    if len(encoded) > MAX_METADATA_BYTES:
        raise _too_large()
    return encoded.decode("utf-8")


def _check_json(root: Mapping[Any, Any]) -> None:
    # Walked with a stack of our own: nesting must not exhaust the interpreter's. Every node and
    # character takes at least one byte, so the count bounds the work, also where one list is shared a billion times.
    pending: list[tuple[object, int]] = [(root, 1)]
    seen = 0
    while pending:
        node, level = pending.pop()
        seen += 1 + (len(node) if isinstance(node, str) else 0)
        if seen > MAX_METADATA_BYTES:
            raise _too_large()
        children = _children(node)
        if children is None:
            _check_scalar(node)
            continue
        if level > MAX_METADATA_LEVELS:
            raise InvalidMessageError(f"metadata is nested deeper than {MAX_METADATA_LEVELS} levels; flatten it")
        pending.extend((child, level + 1) for child in children)


def _children(node: object) -> Iterable[object] | None:
    if isinstance(node, Mapping):
        for key in node:
            if type(key) is not str:
                raise InvalidMessageError(f"metadata has a key of type {_type_name(key)}; JSON keys are texts")
            _exact_text(key, "a key of metadata")
        return node.values()
    return node if isinstance(node, list | tuple) else None


def _check_scalar(value: object) -> None:
    if value is None or type(value) is bool:
        return
    if type(value) is str:
        _exact_text(value, "a text in metadata")
    elif type(value) is int:
        _check_whole(value)
    elif type(value) is float:
        if not math.isfinite(value):
            raise InvalidMessageError(
                "metadata has a number that is NaN or infinite, which JSON cannot carry; leave it out"
            )
        if value.is_integer() and abs(value) < _FIRST_EXPONENT:
            _check_whole(value)
    else:
        raise InvalidMessageError(f"metadata has a value of type {_type_name(value)}; use JSON types only")


def _check_whole(value: float) -> None:
    if abs(value) > MAX_SAFE_INTEGER:
        raise InvalidMessageError(
            "metadata has a whole number beyond 2^53-1, which JSON cannot carry; pass it as a text"
        )


def _plain(node: Any) -> Any:
    if isinstance(node, Mapping):
        return {key: _plain(child) for key, child in node.items()}
    return [_plain(child) for child in node] if isinstance(node, list | tuple) else node


def _too_large() -> InvalidMessageError:
    return InvalidMessageError(
        f"metadata is larger than {MAX_METADATA_BYTES} bytes as canonical JSON; store it elsewhere"
    )


def _exact_text(value: object, field: str) -> str:
    if type(value) is not str:
        raise InvalidMessageError(f"{field} must be a text (str), got {_type_name(value)}")
    # Searched rather than encoded: the encoder's error would hold the text.
    if _SURROGATE.search(value) is not None:
        raise InvalidMessageError(f"{field} contains a lone surrogate, which UTF-8 cannot carry; repair its decoding")
    return value


def _key_name(key: object) -> str:
    # Something longer or stranger than a field name may be private text.
    return repr(key) if type(key) is str and key.isidentifier() and len(key) <= 64 else f"(a {_type_name(key)})"


def _type_name(value: object) -> str:
    return type(value).__name__

"""The shapes of exported conversations, each read into the same few things: who said what, when, in which order."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from prme.cli.chat_branches import BadConversationError, branch

_ROLES = {"user": "user", "human": "user", "assistant": "assistant"}
_SYSTEM = frozenset({"system", "developer"})
_TOOLS = frozenset({"tool", "function"})
_TEXT_TYPES = frozenset({"text", "multimodal_text"})
# The second and third are those of OpenAI's newer interface.
_TEXT_PARTS = frozenset({"text", "input_text", "output_text"})
_SPOKEN = "audio_transcription"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """A message of an exported conversation; with a `fault` it is none, and that is why.

    `occurred_at` is UTC; None when the export names no time up to there. The text is kept as `utf8`: one emoji
    makes every letter of a text four bytes long, and all texts of an export are held at once.
    """

    place: str
    session_id: str | None = None
    message_id: str | None = None
    role: str = "user"
    utf8: bytes = b""
    occurred_at: datetime | None = None
    fault: str | None = None

    @property
    def content(self) -> str:
        """The text."""
        return self.utf8.decode("utf-8", "surrogatepass")

    @property
    def line(self) -> None:
        """An export has no lines."""

    @property
    def size(self) -> int:
        """Exports are counted in messages."""
        return 1


@dataclass(slots=True)
class Conversation:
    """What one conversation holds: its messages in order, and how much of what was skipped, by reason.

    A message that names no time has that of the message before it, or of its conversation: it was not said today.
    """

    place: str
    session_id: str | None
    begun_at: datetime | None = None
    messages: list[ChatMessage] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    _latest: datetime | None = None

    @classmethod
    def refused(cls, place: str, reason: str) -> Conversation:
        """Return what stands for a conversation that cannot be read."""
        return cls(place, None, messages=[ChatMessage(place, fault=reason)])

    def add(self, number: int, message_id: str, said: _Said, occurred_at: datetime | None) -> None:
        """Add a message under its number in the conversation."""
        self._latest = occurred_at or self._latest or self.begun_at
        place = f"{self.place}, message {number}"
        utf8 = said.content.encode("utf-8", "surrogatepass")
        self.messages.append(ChatMessage(place, self.session_id, message_id, said.role, utf8, self._latest))

    def refuse(self, number: int, reason: str) -> None:
        """Add a message that cannot be read."""
        self.messages.append(ChatMessage(f"{self.place}, message {number}", fault=reason))


@dataclass(frozen=True, slots=True)
class _Said:
    """A message that is taken in: who says it, and its text."""

    role: str
    content: str


class UnknownShapeError(BadConversationError):
    """It is not a conversation of any kind that is known here."""


class _BadMessageError(Exception):
    """A message cannot be read; the text says why and is safe to print."""


def read_conversation(document: object, place: str) -> Conversation:
    """Return a conversation of any known shape; `place` says where it stands.

    Raises `UnknownShapeError` when it has none of them, `BadConversationError` when its messages have no order.
    """
    if isinstance(document, dict):
        for key, kind, read in _SHAPES:
            if isinstance(document.get(key), kind):
                return read(document, place)
    raise UnknownShapeError(
        "not a conversation: it has no mapping (an OpenAI export), no chat_messages (an Anthropic export) and no "
        "messages (either API)"
    )


def _openai(document: Mapping[str, Any], place: str) -> Conversation:
    conversation = Conversation(
        place, _text(document.get("conversation_id")) or _text(document.get("id")), _time_or_none(document)
    )
    nodes = {key: _object(node, "a node of its mapping") for key, node in document["mapping"].items()}
    messages = {key: node["message"] for key, node in nodes.items() if node.get("message") is not None}
    path = branch(
        {key: _text(node.get("parent")) for key, node in nodes.items()},
        {key: _time_or_none(message) for key, message in messages.items()},
        _text(document.get("current_node")),
    )
    seen = [key for key in path if key in messages]
    conversation.skipped["other_branch"] += len(messages) - len(seen)
    for number, key in enumerate(seen, start=1):
        _take(conversation, number, messages[key], _openai_said, f"openai:{key}", "create_time")
    return _counted(conversation)


def _openai_said(message: Mapping[str, Any], skipped: Counter[str]) -> _Said | None:
    metadata = message.get("metadata")
    if isinstance(metadata, dict) and metadata.get("is_visually_hidden_from_conversation"):
        skipped["hidden"] += 1
        return None
    author = message.get("author")
    role = _role(author.get("role") if isinstance(author, dict) else None, "author.role", skipped)
    if role is None:
        return None
    if role == "assistant" and (_text(message.get("recipient")) or "all") != "all":
        skipped["tool"] += 1
        return None
    content = message.get("content") or {}
    if not isinstance(content, dict):
        raise _BadMessageError("content is not an object")
    parts = content.get("parts") if _text(content.get("content_type")) in _TEXT_TYPES else []
    return _said(role, parts or [], skipped)


def _anthropic(document: Mapping[str, Any], place: str) -> Conversation:
    conversation = Conversation(place, _text(document.get("uuid")), _time_or_none(document))
    entries = document["chat_messages"]
    keys = [_text(entry.get("uuid")) if isinstance(entry, dict) else None for entry in entries]
    numbers = range(len(entries))
    if any(isinstance(entry, dict) and _text(entry.get("parent_message_uuid")) for entry in entries):
        places = {key: number for number, key in enumerate(keys) if key is not None}
        path = branch(
            {key: _text(entries[number].get("parent_message_uuid")) for key, number in places.items()},
            {key: _time_or_none(entries[number]) for key, number in places.items()},
            _text(document.get("current_leaf_message_uuid")),
        )
        kept = [*(places[key] for key in path), *(number for number in numbers if keys[number] is None)]
    else:
        kept = list(numbers)
    conversation.skipped["other_branch"] += len(entries) - len(kept)
    for number in kept:
        message_id = None if keys[number] is None else f"anthropic:{keys[number]}"
        _take(conversation, number + 1, entries[number], _anthropic_said, message_id, "created_at")
    return _counted(conversation)


def _anthropic_said(message: Mapping[str, Any], skipped: Counter[str]) -> _Said | None:
    role = _role(message.get("sender"), "sender", skipped)
    if role is None:
        return None
    skipped["part"] += sum(len(message[key]) for key in ("attachments", "files") if isinstance(message.get(key), list))
    # Older exports have the text only; newer ones repeat it with a remark in place of what is no text.
    return _said(role, message.get("content") or message.get("text") or [], skipped)


def _api(document: Mapping[str, Any], place: str) -> Conversation:
    """Read a document in the shape of either API, which names neither messages nor, mostly, conversations.

    A message is known by all that was said up to it, so that a longer document of the same conversation adds what is
    new in it.
    """
    session = _text(document.get("conversation_id")) or _text(document.get("id"))
    conversation = Conversation(place, session, _time_or_none(document))
    digest = hashlib.sha256((session or "").encode("utf-8", "surrogatepass"))
    for number, entry in enumerate(document["messages"], start=1):
        try:
            message = _object(entry, "the message", _BadMessageError)
            said = _api_said(message, conversation.skipped)
        except _BadMessageError as error:
            conversation.refuse(number, str(error))
            continue
        if said is None:
            continue
        digest.update(f"\0{said.role}\0{len(said.content)}\0{said.content}".encode("utf-8", "surrogatepass"))
        message_id = f"chat:{digest.hexdigest()}"
        conversation.session_id = conversation.session_id or message_id
        conversation.add(number, message_id, said, None)
    return _counted(conversation)


def _api_said(message: Mapping[str, Any], skipped: Counter[str]) -> _Said | None:
    role = _role(message.get("role"), "role", skipped)
    if role is None:
        return None
    if message.get("tool_calls") and not message.get("content"):
        skipped["tool"] += 1
        return None
    return _said(role, message.get("content") or [], skipped)


def _take(
    conversation: Conversation,
    number: int,
    entry: object,
    read: Callable[[Mapping[str, Any], Counter[str]], _Said | None],
    message_id: str | None,
    time_field: str,
) -> None:
    try:
        message = _object(entry, "the message", _BadMessageError)
        said = read(message, conversation.skipped)
        if said is None:
            return
        if message_id is None:
            raise _BadMessageError("uuid is missing, by which it would be known again")
        conversation.add(number, message_id, said, _time(message, time_field))
    except _BadMessageError as error:
        conversation.refuse(number, str(error))


def _role(value: object, name: str, skipped: Counter[str]) -> str | None:
    """Return user or assistant, or None for a role that is skipped and counted."""
    if not isinstance(value, str):
        raise _BadMessageError(f"{name} is missing")
    if value in _SYSTEM or value in _TOOLS:
        skipped["system" if value in _SYSTEM else "tool"] += 1
        return None
    if value not in _ROLES:
        raise _BadMessageError(f"{name} is not one of user, human, assistant, system, developer, tool, function")
    return _ROLES[value]


def _said(role: str, content: object, skipped: Counter[str]) -> _Said | None:
    parts = content if isinstance(content, list) else [content]
    texts = [_part(part) for part in parts]
    skipped["part"] += texts.count(None)
    text = "\n".join(text for text in texts if text)
    if not text.strip():
        skipped["no_text"] += 1
        return None
    return _Said(role, text)


def _part(part: object) -> str | None:
    """Return the text of a part, None when it is something else: an image, a call of a tool, a thought."""
    if isinstance(part, dict):
        is_text = _text(part.get("type")) in _TEXT_PARTS or part.get("content_type") == _SPOKEN
        part = part.get("text") if is_text else None
    return part if isinstance(part, str) else None


def _counted(conversation: Conversation) -> Conversation:
    conversation.skipped = +conversation.skipped
    return conversation


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _object(value: object, name: str, error: type[Exception] = BadConversationError) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise error(f"{name} is not an object")
    return value


def _time_or_none(holder: object) -> datetime | None:
    """Return the time of a conversation or message, to order by; a bad one is reported where it is needed."""
    if isinstance(holder, dict):
        for name in ("create_time", "created_at"):
            with suppress(_BadMessageError):
                if (moment := _time(holder, name)) is not None:
                    return moment
    return None


def _time(holder: Mapping[str, Any], name: str) -> datetime | None:
    """Return a time given in seconds since 1970 or as ISO 8601 with its offset, None when it is not given."""
    value = holder.get(name)
    try:
        if value is None:
            return None
        if isinstance(value, str) and (moment := datetime.fromisoformat(value)).tzinfo is not None:
            return moment.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
    except (ValueError, OverflowError, OSError):
        pass
    raise _BadMessageError(f"{name} is neither a time in seconds nor an ISO 8601 time with its offset")


_Reader = Callable[[Mapping[str, Any], str], Conversation]
_SHAPES: Sequence[tuple[str, type, _Reader]] = (
    ("mapping", dict, _openai),
    ("chat_messages", list, _anthropic),
    ("messages", list, _api),
)


CONVERSATION_KEYS = frozenset(key for key, _, _ in _SHAPES)
"""The keys by which a conversation is known."""

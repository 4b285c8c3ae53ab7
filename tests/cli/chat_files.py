"""Chat exports as their providers write them, made from a few words."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from prme.cli.ingest_source import Source, open_source
from prme.cli.message_lines import BadLineError
from prme.model.message import Message

SECRET = "my-secret-words"
Document = dict[str, Any]
BEGUN = 1_700_000_000
"""2023-11-14 22:13:20 UTC, in seconds since 1970."""


def node(key: str, parent: str | None, text: str | list[Any], role: str = "user", **fields: Any) -> Document:
    """Return a node of an OpenAI export; `fields` are those of its message."""
    message = {
        "id": key,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": BEGUN,
        "content": {"content_type": "text", "parts": text if isinstance(text, list) else [text]},
        "metadata": {},
        "recipient": "all",
        **fields,
    }
    return {"id": key, "parent": parent, "children": [], "message": message}


def openai(*nodes: Document, current: str | None = None, **fields: Any) -> Document:
    """Return a conversation of an OpenAI export; without `current` its last node is the current one."""
    root = {"id": "root", "parent": None, "children": [], "message": None}
    mapping = {one["id"]: one for one in (root, *nodes)}
    last = nodes[-1]["id"] if nodes else "root"
    return {
        "title": "A talk",
        "create_time": BEGUN,
        "mapping": mapping,
        "current_node": current or last,
        "conversation_id": "conversation-1",
        **fields,
    }


def line_of(*texts: str, prefix: str = "m") -> list[Document]:
    """Return nodes that follow one another, a second apart, said by user and assistant in turn."""
    return [
        node(
            f"{prefix}{number}",
            f"{prefix}{number - 1}" if number else "root",
            text,
            role="assistant" if number % 2 else "user",
            create_time=BEGUN + number,
        )
        for number, text in enumerate(texts)
    ]


def turn(key: str, text: str, sender: str = "human", **fields: Any) -> Document:
    """Return a message of an Anthropic export."""
    return {
        "uuid": key,
        "text": text,
        "content": [{"type": "text", "text": text}],
        "sender": sender,
        "created_at": "2024-05-01T10:00:00.123456Z",
        "attachments": [],
        "files": [],
        **fields,
    }


def anthropic(*turns: Document, **fields: Any) -> Document:
    """Return a conversation of an Anthropic export."""
    return {
        "uuid": "conversation-2",
        "name": "A talk",
        "created_at": "2024-05-01T09:59:59Z",
        "account": {"uuid": "account"},
        "chat_messages": list(turns),
        **fields,
    }


def api(*messages: tuple[str, Any], **fields: Any) -> Document:
    """Return a document in the shape that both interfaces take; a message is a role and a content."""
    return {"messages": [{"role": role, "content": content} for role, content in messages], **fields}


def packed(**members: Any) -> bytes:
    """Return a zip archive with these members, `__` standing for a slash and `_` for a hyphen in their names."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in members.items():
            path = name.replace("__", "/").replace("_", "-")
            archive.writestr(f"{path}.json", value if isinstance(value, bytes) else json.dumps(value))
    return data.getvalue()


def write_export(file: Path, value: Any) -> str:
    """Write an export, bytes as they are and anything else as JSON, and return the file's name."""
    file.write_bytes(value if isinstance(value, bytes) else json.dumps(value).encode())
    return str(file)


def source(value: Any, *, user_id: str | None = "sam", owner: bool | None = None) -> Source[Any]:
    """Return what `prme ingest` finds in a file with these bytes, or with this value as JSON."""
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return open_source(io.BytesIO(data), size=len(data), user_id=user_id, first_person_owner=owner)


def messages(value: Any, **options: Any) -> list[Message]:
    found = source(value, **options)
    return [message for entry in found.entries if (message := found.reader.message(entry)) is not None]


def contents(value: Any) -> list[str]:
    return [message.content for message in messages(value)]


def refusals(value: Any) -> dict[str, str]:
    """Return the reasons of what is refused, by its place."""
    found, reasons = source(value), {}
    for entry in found.entries:
        try:
            found.reader.message(entry)
        except BadLineError as error:
            reasons[entry.place] = str(error)
    return reasons


def skipped(value: Any) -> dict[str, int]:
    return dict(source(value).skipped)


ROOT = "00000000-0000-4000-8000-000000000000"
TREE = (
    turn("t0", "Hello.", "assistant", parent_message_uuid=ROOT),
    turn("t1", "I use Vim.", parent_message_uuid="t0"),
    turn("t2", "I use Emacs.", parent_message_uuid="t0", created_at="2024-05-01T10:01:00Z"),
    turn("t3", "Good.", "assistant", parent_message_uuid="t1"),
)


def branched(**fields: Any) -> list[Document]:
    first, edited = node("m1", "m0", "I use Vim."), node("m2", "m0", "I use Emacs.", create_time=BEGUN + 9)
    return [openai(node("m0", "root", "Hello.", role="assistant"), first, edited, **fields)]

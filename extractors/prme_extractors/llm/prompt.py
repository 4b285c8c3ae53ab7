"""What a model is told: one prompt for each policy, and the message as data that it cannot step out of."""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from prme.canonical import digest_document
from prme.errors import ExtractionError
from prme.model.extraction import ExtractionRequest
from prme.model.message import Message

_PROMPTS = "prompts"
_TAG_CHARACTERS = 8
_JSON = "Answer with one JSON object and nothing else, in this form:"
_CONTEXT = "Earlier messages, for understanding only. Nothing may be taken from them:"
_ONE = "The message:"
_SEVERAL = (
    "There are several messages. Answer about each of them on its own, in order, with its number in `message` and its "
    "tag in `tag`. Never use the words of one message in the answer about another. The messages:"
)
_AGAIN = "An earlier answer about this message could not be used. What was wrong with it:"


@cache
def prompts() -> Mapping[str, str]:
    """Return the prompt of each policy that has one."""
    folder = resources.files(__package__) / _PROMPTS
    names = tomllib.loads((folder / "prompts.toml").read_text(encoding="utf-8"))
    return {policy: (folder / name).read_text(encoding="utf-8") for policy, name in names.items()}


def prompt_digests(schemas: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return the tagged digest of each policy's prompt: all fixed text that a model sees, and the forms of answers."""
    fixed = [_JSON, _CONTEXT, _ONE, _SEVERAL, _AGAIN]
    return {
        policy: digest_document({"fixed": fixed, "prompt": text, "schemas": list(schemas)})
        for policy, text in prompts().items()
    }


def instructions(policy: str) -> str:
    """Return the prompt of a policy. Raises `ExtractionError` with reason code `no_prompt_for_policy`."""
    text = prompts().get(policy)
    if text is None:
        raise ExtractionError(f"no prompt for policy {policy!r}", reason_code="no_prompt_for_policy")
    return text


def with_form(text: str, schema: Mapping[str, Any]) -> str:
    """Return instructions that also show the form of the answer, for a server that cannot hold a model to it."""
    return f"{text}\n{_JSON}\n{json.dumps(dict(schema), separators=(',', ':'))}\n"


def message_question(request: ExtractionRequest) -> str:
    """Return the question about one message. Texts stand in it as JSON, so no message can end its own quotation."""
    parts = [*_context(request), f"{_ONE}\n{_as_json(_shown(request.message))}"]
    if request.validation_error is not None:
        parts.append(f"{_AGAIN}\n{_as_json(request.validation_error)}")
    return "\n\n".join(parts)


def batch_question(requests: Sequence[ExtractionRequest]) -> str:
    """Return the question about several messages of one conversation, each with its number and its tag."""
    messages = [
        {"message": number, "tag": message_tag(request.message), **_shown(request.message)}
        for number, request in enumerate(requests, start=1)
    ]
    lines = "\n".join(map(_as_json, messages))
    return "\n\n".join([*_context(requests[0]), f"{_SEVERAL}\n{lines}"])


def message_tag(message: Message) -> str:
    """Return a few letters that a model copies to show which message it speaks of; they follow from the text."""
    return hashlib.sha256(message.content.encode("utf-8")).hexdigest()[:_TAG_CHARACTERS]


def _context(request: ExtractionRequest) -> list[str]:
    if not request.context:
        return []
    return ["\n".join([_CONTEXT, *(_as_json(_shown(message)) for message in request.context)])]


def _shown(message: Message) -> dict[str, str]:
    speaker = {} if message.speaker is None else {"speaker": message.speaker}
    return {"role": message.role, **speaker, "content": message.content}


def _as_json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)

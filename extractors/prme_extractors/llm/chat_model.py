"""What the two providers have in common: a question, a completion, and how a completion can end."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from prme.model.extractor_run import ModelUsage

Ending = Literal["complete", "truncated", "refused", "filtered", "too_long"]


@dataclass(frozen=True, slots=True)
class Question:
    """What a model is asked: the instructions, the message, the form of the answer, and how long it may get."""

    instructions: str
    text: str
    schema: Mapping[str, Any]
    max_output_tokens: int


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered, why it stopped, and what that cost, if the provider said so."""

    text: str
    ending: Ending
    usage: ModelUsage | None


class ChatModel(Protocol):
    """One provider's way to complete a question."""

    @property
    def model(self) -> str:
        """The model's name at its provider."""

    async def complete(self, question: Question) -> Completion:
        """Return the completion. Raises the errors of `prme.extraction.failures`, and no error of an SDK."""

    async def aclose(self) -> None:
        """Give up the connections."""


def usage_of(input_tokens: object, output_tokens: object, cached_tokens: object) -> ModelUsage | None:
    """Return counts as a provider gave them, or None if it gave none that can be counts."""
    if not _is_count(input_tokens) or not _is_count(output_tokens):
        return None
    cached = cached_tokens if _is_count(cached_tokens) else 0
    return ModelUsage(input_tokens=input_tokens, output_tokens=output_tokens, cached_tokens=cached)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < math.inf

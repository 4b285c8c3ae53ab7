"""What an extractor is: a name, a model, and one question that it answers."""

from __future__ import annotations

from typing import Protocol

from prme.model.extraction import Extraction, ExtractionRequest


class Extractor(Protocol):
    """Anything that proposes entities and claims for a message.

    `name` and `model` are written into every plan. Two further attributes are optional: `local = True` promises a
    deterministic answer without I/O, and `prompt_digest` is the tagged digest of the prompt text, for the plan.
    """

    @property
    def name(self) -> str:
        """The name under which the extractor is found."""

    @property
    def model(self) -> str:
        """The model, or the version of the patterns, that answers."""

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return what the message says, as proposals.

        Raise `TransientExtractionError` when asking again later may help, `InvalidExtractionError` when the model's
        answer cannot be read; see `prme.extraction.failures`.
        """


def is_local(extractor: Extractor) -> bool:
    """Whether the extractor is deterministic and does no I/O, so that it may run before the event's transaction."""
    return getattr(extractor, "local", False) is True


def prompt_digest(extractor: Extractor) -> str | None:
    """Return the digest of the extractor's prompt, or None when it has no prompt."""
    digest: str | None = getattr(extractor, "prompt_digest", None)
    return digest


def faults(candidate: object) -> tuple[str, ...]:
    """Return what keeps an object from being an extractor, in words; empty when nothing does."""
    if isinstance(candidate, type):
        return ("it is a class, pass an instance",)
    found = [
        f"{attribute} must be a non-blank printable str"
        for attribute in ("name", "model")
        if not _is_text(getattr(candidate, attribute, None))
    ]
    if not callable(getattr(candidate, "extract", None)):
        found.append("extract must be an async method")
    if not isinstance(getattr(candidate, "local", False), bool):
        found.append("local must be True or False")
    digest = getattr(candidate, "prompt_digest", None)
    if digest is not None and not _is_text(digest):
        found.append("prompt_digest must be a non-blank printable str or None")
    return tuple(found)


def _is_text(value: object) -> bool:
    # Plans hold it: `isprintable` is False for control characters and for what UTF-8 cannot carry.
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()

"""What an extractor is: a name, a model, and one question that it answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, runtime_checkable

from prme.errors import UnknownExtractorError
from prme.model.extraction import Extraction, ExtractionRequest


class Extractor(Protocol):
    """Anything that proposes entities and claims for a message.

    `name` and `model` are written into every plan. Further members are optional:

    - `local = True` promises a deterministic answer without I/O;
    - `prompt_digest` is the tagged digest of the prompt, or a mapping of policies to the digests of their prompts;
    - `async extract_batch(requests)` answers several messages of one conversation at once, see `BatchExtractor`;
    - `async aclose()` gives up connections to the running event loop, when a store is closed; it may be asked again.
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


@runtime_checkable
class BatchExtractor(Protocol):
    """An extractor that can also answer several messages with one question."""

    async def extract_batch(self, requests: Sequence[ExtractionRequest]) -> Sequence[Extraction | None]:
        """Return one answer for each request, in order; None where there is none that surely belongs to the message.

        The messages are of one owner and one conversation, oldest first; the context of the first request is that of
        all. Whatever has no answer here is asked alone.
        """


def is_local(extractor: Extractor) -> bool:
    """Whether the extractor is deterministic and does no I/O, so that it may run before the event's transaction."""
    return getattr(extractor, "local", False) is True


def prompt_digest(extractor: Extractor, policy: str) -> str | None:
    """Return the digest of the extractor's prompt for a policy, or None when it has no prompt.

    Raises `UnknownExtractorError` when it has prompts, but none for this policy.
    """
    digest: str | Mapping[str, str] | None = getattr(extractor, "prompt_digest", None)
    if isinstance(digest, Mapping):
        if policy not in digest:
            known = ", ".join(sorted(digest)) or "none"
            raise UnknownExtractorError(
                f"extractor {extractor.name!r} has no prompt for policy {policy!r}; it has prompts for: {known}"
            )
        return digest[policy]
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
    digests = [*digest.keys(), *digest.values()] if isinstance(digest, Mapping) else [digest]
    if digest is not None and not all(map(_is_text, digests)):
        found.append("prompt_digest must be a non-blank printable str, a mapping of such, or None")
    return tuple(found)


def _is_text(value: object) -> bool:
    # Plans hold it: `isprintable` is False for control characters and for what UTF-8 cannot carry.
    return isinstance(value, str) and bool(value.strip()) and value.isprintable()

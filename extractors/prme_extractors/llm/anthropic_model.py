"""Claude, through Anthropic's official SDK and its structured output."""

from __future__ import annotations

import os
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any

from prme.extraction.failures import InvalidExtractionError
from prme_extractors.llm.chat_model import Completion, Ending, Question, usage_of
from prme_extractors.llm.connection import Connection
from prme_extractors.llm.extractor import ModelExtractor
from prme_extractors.llm.http_failures import extraction_failure
from prme_extractors.llm.settings import ModelSettings, model_settings

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

_ENDINGS: dict[str | None, Ending] = {
    "end_turn": "complete",
    "stop_sequence": "complete",
    "max_tokens": "truncated",
    "refusal": "refused",
    "model_context_window_exceeded": "too_long",
}


def anthropic_extractor(
    model: str | None = None,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    call_seconds: float | None = None,
) -> ModelExtractor:
    """Return an extractor that asks Claude.

    Args:
        model: the model; left out, `PRME_ANTHROPIC_MODEL` or the default in `models.toml`.
        api_key: left out, `ANTHROPIC_API_KEY`. It is kept in memory only.
        base_url: another server that speaks Anthropic's protocol; left out, `ANTHROPIC_BASE_URL` or the provider's own.
        call_seconds: how long one call may take; left out, as `models.toml` says. All calls about one message together
            are bounded by `ExtractionLimits.total_seconds`.

    Raises:
        ImportError: the extra `anthropic` is not installed.
        ValueError: there is no key.
    """
    try:
        import anthropic  # noqa: F401
    except ImportError:
        raise ImportError("Anthropic's SDK is not installed: pip install 'prme[anthropic]'") from None
    settings = model_settings(
        "anthropic", os.environ, model=model, api_key=api_key, base_url=base_url, call_seconds=call_seconds
    )
    return ModelExtractor("anthropic", AnthropicModel(settings), settings)


class AnthropicModel:
    """Messages of one model, with answers that the service holds to the schema."""

    def __init__(self, settings: ModelSettings) -> None:
        """Take the settings; nothing is connected before it is needed."""
        self.model = settings.model
        self._settings = settings
        self._connection = Connection(self._connect)

    async def complete(self, question: Question) -> Completion:
        """Return the completion of a question."""
        import anthropic

        try:
            message = await self._connection.client().messages.create(
                model=self.model,
                max_tokens=question.max_output_tokens,
                # The instructions are the same for every message: the provider may keep them between calls.
                system=[{"type": "text", "text": question.instructions, "cache_control": {"type": "ephemeral"}}],
                messages=[{"role": "user", "content": question.text}],
                output_config={"format": {"type": "json_schema", "schema": dict(question.schema)}},
            )
        except (anthropic.APIError, JSONDecodeError) as error:
            failure = extraction_failure(error, anthropic)
        else:
            return _completion(message)
        raise failure

    async def aclose(self) -> None:
        """Give up the connections."""
        await self._connection.aclose()

    def _connect(self) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic

        return AsyncAnthropic(**self._settings.client_options)


def _completion(message: Any) -> Completion:
    # The SDK does not check what a server sends: anything may be missing.
    try:
        reason, usage = message.stop_reason, message.usage
        text = "".join(block.text for block in message.content if block.type == "text")
        cached = usage.cache_read_input_tokens or 0
        # What is read from or written to the cache is not among the input tokens there.
        sent = usage.input_tokens + cached + (usage.cache_creation_input_tokens or 0)
        counted = usage_of(sent, usage.output_tokens, cached)
    except (AttributeError, TypeError):
        raise InvalidExtractionError("the server's response is not what its protocol says") from None
    if reason not in _ENDINGS:
        raise InvalidExtractionError("the model stopped for a reason that makes no answer")
    return Completion(text, _ENDINGS[reason], counted)

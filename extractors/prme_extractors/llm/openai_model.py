"""OpenAI's models, through its official SDK, and every server that speaks the same protocol."""

from __future__ import annotations

import os
from json import JSONDecodeError
from typing import TYPE_CHECKING, Any, Literal

from prme.extraction.failures import InvalidExtractionError
from prme_extractors.llm.chat_model import Completion, Ending, Question, usage_of
from prme_extractors.llm.connection import Connection
from prme_extractors.llm.extractor import ModelExtractor
from prme_extractors.llm.http_failures import extraction_failure
from prme_extractors.llm.prompt import with_form
from prme_extractors.llm.settings import ModelSettings, model_settings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Mode = Literal["json_schema", "json_object", "text"]
MODES: tuple[Mode, ...] = ("json_schema", "json_object", "text")

_ENDINGS: dict[str | None, Ending] = {
    "stop": "complete",
    "length": "truncated",
    "content_filter": "filtered",
}
# A server that does not know a form of answer says so with one of these, or names the field in its error.
_NOT_KNOWN = frozenset({400, 415, 422, 501})
_FORM_FIELDS = ("response_format", "json_schema", "json_object")


def openai_extractor(
    model: str | None = None,
    *,
    api_key: str | None = None,
    base_url: str | None = None,
    call_seconds: float | None = None,
) -> ModelExtractor:
    """Return an extractor that asks a model of OpenAI's, or of a server that speaks its protocol.

    Args:
        model: the model; left out, `PRME_OPENAI_MODEL` or the default in `models.toml`. Another server needs one.
        api_key: left out, `OPENAI_API_KEY`; another server may do without. It is kept in memory only.
        base_url: the other server, such as `http://localhost:11434/v1`; left out, `OPENAI_BASE_URL` or OpenAI's own.
        call_seconds: how long one call may take; left out, as `models.toml` says. All calls about one message together
            are bounded by `ExtractionLimits.total_seconds`.

    Raises:
        ImportError: the extra `openai` is not installed.
        ValueError: there is no key for OpenAI's own service, or no model for another server.
    """
    try:
        import openai  # noqa: F401
    except ImportError:
        raise ImportError("OpenAI's SDK is not installed: pip install 'prme[openai]'") from None
    settings = model_settings(
        "openai", os.environ, model=model, api_key=api_key, base_url=base_url, call_seconds=call_seconds
    )
    return ModelExtractor("openai", OpenAIModel(settings), settings)


class OpenAIModel:
    """Chat completions of one model.

    A server that refuses structured output is asked for any JSON, then for plain text; the form it takes is remembered.
    Servers other than OpenAI's own are asked at temperature 0 and know the older name of the output limit.
    """

    def __init__(self, settings: ModelSettings) -> None:
        """Take the settings; nothing is connected before it is needed."""
        self.model = settings.model
        self._settings = settings
        self._connection = Connection(self._connect)
        self._first_mode = 0

    async def complete(self, question: Question) -> Completion:
        """Return the completion of a question."""
        import openai

        refusal: openai.APIError | JSONDecodeError | None = None
        for place in range(self._first_mode, len(MODES)):
            try:
                completion = await self._create(question, MODES[place])
            except (openai.APIError, JSONDecodeError) as error:
                refusal = refusal or error
                if not _refuses_the_form(error, MODES[place]):
                    refusal = error
                    break
            else:
                self._first_mode = place
                return _completion(completion)
        assert refusal is not None
        failure = extraction_failure(refusal, openai)
        # Raised out here: inside, the provider's error would stay attached as context.
        raise failure

    async def aclose(self) -> None:
        """Give up the connections."""
        await self._connection.aclose()

    async def _create(self, question: Question, mode: Mode) -> Any:
        instructions = question.instructions
        if mode != "json_schema":
            instructions = with_form(instructions, question.schema)
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [
                {"role": "system", "content": instructions},
                {"role": "user", "content": question.text},
            ],
        }
        if self._settings.base_url is None:
            request["max_completion_tokens"] = question.max_output_tokens
        else:
            request |= {"max_tokens": question.max_output_tokens, "temperature": 0}
        if mode == "json_schema":
            form = {"name": "claims", "strict": True, "schema": dict(question.schema)}
            request["response_format"] = {"type": mode, mode: form}
        elif mode == "json_object":
            request["response_format"] = {"type": mode}
        return await self._connection.client().chat.completions.create(**request)

    def _connect(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(**self._settings.client_options)


def _refuses_the_form(error: Any, mode: Mode) -> bool:
    """Whether a server's error may be about the form of answer that was asked for.

    A status for wrong requests is taken for one: if it was about anything else, the plainer forms fail as well.
    """
    status = getattr(error, "status_code", None)
    if mode == "text" or status is None:
        return False
    return status in _NOT_KNOWN or any(field in str(error.body) for field in _FORM_FIELDS)


def _completion(completion: Any) -> Completion:
    # The SDK does not check what a server sends: anything may be missing.
    try:
        choice = completion.choices[0]
        refusal, text, reason = getattr(choice.message, "refusal", None), choice.message.content, choice.finish_reason
    except (AttributeError, TypeError, IndexError):
        raise InvalidExtractionError("the server's response is not what its protocol says") from None
    usage = getattr(completion, "usage", None)
    details = getattr(usage, "prompt_tokens_details", None)
    counted = usage_of(
        getattr(usage, "prompt_tokens", None),
        getattr(usage, "completion_tokens", None),
        getattr(details, "cached_tokens", None),
    )
    if refusal:
        return Completion("", "refused", counted)
    if reason not in _ENDINGS or not isinstance(text, str | None):
        raise InvalidExtractionError("the model stopped for a reason that makes no answer")
    return Completion(text or "", _ENDINGS[reason], counted)

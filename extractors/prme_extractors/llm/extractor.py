"""The extractor over any chat model: it asks, and takes nothing for an answer that is not one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from prme.errors import ExtractionError
from prme.extraction.failures import TIMEOUT, InvalidExtractionError, TransientExtractionError
from prme.extraction.spending import record_usage
from prme.model.extraction import Extraction, ExtractionRequest
from prme.model.extractor_run import ModelUsage
from prme_extractors.llm.answer import (
    BatchAnswer,
    MessageAnswer,
    json_schema,
    read_batch_answer,
    read_message_answer,
)
from prme_extractors.llm.chat_model import ChatModel, Completion, Question
from prme_extractors.llm.estimate import estimated_usage
from prme_extractors.llm.prompt import (
    batch_question,
    instructions,
    message_question,
    message_tag,
    prompt_digests,
)
from prme_extractors.llm.settings import ModelSettings

MESSAGE_SCHEMA = MappingProxyType(json_schema(MessageAnswer))
BATCH_SCHEMA = MappingProxyType(json_schema(BatchAnswer))
# What an assistant says is a model's own text: it costs, and would come back as the user's truth.
ASKED_ROLES = frozenset({"user", "human"})

_ENDED = {
    "refused": "model_refused",
    "filtered": "content_filtered",
    "too_long": "message_too_long",
}


class ModelExtractor:
    """Proposes the claims that a language model reads in a message.

    Messages of other roles than user and human get an empty answer, and cost nothing.
    """

    local = False

    def __init__(self, name: str, chat: ChatModel, settings: ModelSettings) -> None:
        """Take the provider's name, its chat model, and the settings that bound an answer and a call."""
        self.name = name
        self.prompt_digest: Mapping[str, str] = prompt_digests([dict(MESSAGE_SCHEMA), dict(BATCH_SCHEMA)])
        self._chat = chat
        self._max_output_tokens = settings.max_output_tokens
        self._call_seconds = settings.call_seconds

    @property
    def model(self) -> str:
        """The model that answers."""
        return self._chat.model

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the claims of one message.

        Raises `TransientExtractionError`, `InvalidExtractionError` for an answer that is cut off, empty or of another
        form, and `ExtractionError` for a refusal, a content filter or a request that the provider does not take.
        """
        if not _is_asked(request):
            return Extraction()
        question = self._message_question(request)
        return read_message_answer(await self._answer(question))

    async def extract_batch(self, requests: Sequence[ExtractionRequest]) -> list[Extraction | None]:
        """Return the claims of several messages of one conversation, asked about at once.

        None stands where no answer bears the number and the tag of the message. Raises what `extract` raises.
        """
        answers: list[Extraction | None] = [Extraction() for _ in requests]
        asked = [place for place, request in enumerate(requests) if _is_asked(request)]
        if asked:
            text = await self._answer(self._batch_question([requests[place] for place in asked]))
            found = read_batch_answer(text, [message_tag(requests[place].message) for place in asked])
            for place, answer in zip(asked, found, strict=True):
                answers[place] = answer
        return answers

    def estimate_tokens(self, requests: Sequence[ExtractionRequest]) -> ModelUsage:
        """Return roughly what one question about these messages would cost, without asking it."""
        asked = [request for request in requests if _is_asked(request)]
        if not asked:
            return ModelUsage(input_tokens=0, output_tokens=0)
        question = self._message_question(asked[0]) if len(asked) == 1 else self._batch_question(asked)
        return estimated_usage([question.instructions, question.text], [request.message.content for request in asked])

    async def aclose(self) -> None:
        """Give up the connections."""
        await self._chat.aclose()

    def _message_question(self, request: ExtractionRequest) -> Question:
        # An answer that was not valid may have been cut off.
        room = self._max_output_tokens * (1 if request.validation_error is None else 2)
        return Question(instructions(request.policy), message_question(request), MESSAGE_SCHEMA, room)

    def _batch_question(self, requests: Sequence[ExtractionRequest]) -> Question:
        room = self._max_output_tokens * 2
        return Question(instructions(requests[0].policy), batch_question(requests), BATCH_SCHEMA, room)

    async def _answer(self, question: Question) -> str:
        try:
            async with asyncio.timeout(self._call_seconds):
                completion = await self._chat.complete(question)
        except TimeoutError:
            raise TransientExtractionError("the model did not answer in time", reason_code=TIMEOUT) from None
        if completion.usage is not None:
            record_usage(completion.usage)
        return _text(completion, question)


def _text(completion: Completion, question: Question) -> str:
    if completion.ending == "truncated":
        raise InvalidExtractionError(
            f"the answer was cut off after {question.max_output_tokens} tokens; answer with fewer claims",
            reason_code="answer_truncated",
        )
    if completion.ending != "complete":
        raise ExtractionError(f"the model gave no answer ({completion.ending})", reason_code=_ENDED[completion.ending])
    return completion.text


def _is_asked(request: ExtractionRequest) -> bool:
    return request.message.role in ASKED_ROLES

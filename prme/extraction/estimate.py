"""What extracting messages would cost, before anything is stored or sent."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from prme.extraction.batch import can_batch, shared_questions
from prme.extraction.limits import ExtractionLimits
from prme.extraction.protocol import Extractor, is_local
from prme.model.extraction import ExtractionRequest
from prme.model.extractor_run import ModelUsage
from prme.model.message import Message
from prme.model.value import Value

# As many conversations are followed at once; a message of an older one is estimated without its context.
CONVERSATIONS = 1_000

Conversation = tuple[str, str, str | None]


@runtime_checkable
class Estimating(Protocol):
    """An extractor that can say what a question would cost."""

    def estimate_tokens(self, requests: Sequence[ExtractionRequest]) -> ModelUsage:
        """Return roughly what one question about these messages of one conversation would cost."""


class ExtractionEstimate(Value):
    """What asking about messages would cost, roughly.

    `questions` is how many calls that takes if each is answered at once. The tokens are None when the extractor cannot
    estimate them. An extractor without a model asks nothing and costs nothing.
    """

    messages: int
    questions: int
    input_tokens: int | None
    output_tokens: int | None


class Estimator:
    """Adds up what messages would cost, in the order in which they would be handed in."""

    def __init__(self, extractor: Extractor, policy: str, limits: ExtractionLimits, *, context_messages: int) -> None:
        self._extractor = extractor
        self._policy = policy
        self._size = limits.batch_size if can_batch(extractor) else 1
        self._context_messages = context_messages
        self._earlier: OrderedDict[Conversation, deque[Message]] = OrderedDict()
        self._messages = self._questions = self._input = self._output = 0

    def add(self, messages: Sequence[Message]) -> None:
        """Add messages that would be handed in together."""
        self._messages += len(messages)
        if is_local(self._extractor):
            return
        requests = [self._request(message) for message in messages]
        for places in shared_questions([_conversation(message) for message in messages], self._size):
            self._add_question([requests[place] for place in places])

    def total(self) -> ExtractionEstimate:
        """Return what all messages until now would cost."""
        known = is_local(self._extractor) or isinstance(self._extractor, Estimating)
        return ExtractionEstimate(
            messages=self._messages,
            questions=self._questions,
            input_tokens=self._input if known else None,
            output_tokens=self._output if known else None,
        )

    def _add_question(self, requests: Sequence[ExtractionRequest]) -> None:
        if not isinstance(self._extractor, Estimating):
            self._questions += 1
            return
        usage = self._extractor.estimate_tokens(requests)
        if usage.input_tokens:  # else there is nothing that it would ask about
            self._questions += 1
        self._input += usage.input_tokens
        self._output += usage.output_tokens

    def _request(self, message: Message) -> ExtractionRequest:
        conversation = _conversation(message)
        earlier: deque[Message] = self._earlier.pop(conversation, deque(maxlen=self._context_messages))
        context = () if message.session_id is None else tuple(earlier)
        earlier.append(message)
        self._earlier[conversation] = earlier
        if len(self._earlier) > CONVERSATIONS:
            self._earlier.popitem(last=False)
        return ExtractionRequest(message=message, policy=self._policy, context=context)


def _conversation(message: Message) -> Conversation:
    return message.user_id, message.scope, message.session_id

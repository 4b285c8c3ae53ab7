"""What extracting would cost is known before anything is sent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import prme.extraction.estimate
from prme.extraction.estimate import Estimator, ExtractionEstimate
from prme.extraction.limits import ExtractionLimits
from prme.message import validate_message
from prme.model.extraction import Extraction, ExtractionRequest
from prme.model.extractor_run import ModelUsage
from prme.model.message import Message


class Counting:
    """Ten tokens for each question, one for each message in it and each in its context; assistants cost nothing."""

    name = "counting"
    model = "c1"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        raise AssertionError("an estimate asks nothing")

    async def extract_batch(self, requests: Sequence[ExtractionRequest]) -> list[Extraction | None]:
        raise AssertionError("an estimate asks nothing")

    def estimate_tokens(self, requests: Sequence[ExtractionRequest]) -> ModelUsage:
        if all(request.message.role == "assistant" for request in requests):
            return ModelUsage(input_tokens=0, output_tokens=0)
        sent = 10 + len(requests) + len(requests[0].context)
        return ModelUsage(input_tokens=sent, output_tokens=len(requests))


def messages(number: int, **fields: Any) -> list[Message]:
    fields = {"user_id": "u1", "session_id": "s1", **fields}
    return [validate_message(f"Message {place}.", **fields) for place in range(number)]


def estimate(extractor: Any, *parts: Sequence[Message], **limits: Any) -> ExtractionEstimate:
    estimator = Estimator(extractor, "speech_act_v14", ExtractionLimits(**limits), context_messages=2)
    for part in parts:
        estimator.add(part)
    return estimator.total()


def test_each_message_is_a_question_with_the_context_it_would_have():
    found = estimate(Counting(), messages(4))

    # Contexts of 0, 1, 2 and 2 messages.
    assert found == ExtractionEstimate(messages=4, questions=4, input_tokens=4 * 11 + 5, output_tokens=4)


def test_messages_without_a_session_have_no_context():
    assert estimate(Counting(), messages(3, session_id=None)).input_tokens == 33


def test_shared_questions_are_fewer():
    found = estimate(Counting(), messages(5), batch_size=3)

    assert (found.questions, found.output_tokens) == (2, 5)


def test_messages_that_come_apart_are_asked_apart_and_keep_their_context():
    first, second = messages(4)[:2], messages(4)[2:]

    assert estimate(Counting(), first, second, batch_size=4).questions == 2
    assert estimate(Counting(), first, second).input_tokens == estimate(Counting(), messages(4)).input_tokens


def test_what_would_not_be_asked_about_is_no_question():
    assert estimate(Counting(), messages(2, role="assistant")).questions == 0


def test_a_local_extractor_costs_nothing():
    local = Counting()
    local.local = True

    assert estimate(local, messages(3)) == ExtractionEstimate(messages=3, questions=0, input_tokens=0, output_tokens=0)


def test_an_extractor_that_cannot_say_is_not_guessed_for():
    class Silent:
        name = "silent"
        model = "s1"

        async def extract(self, request: ExtractionRequest) -> Extraction:
            return Extraction()

    assert estimate(Silent(), messages(3)) == ExtractionEstimate(
        messages=3, questions=3, input_tokens=None, output_tokens=None
    )


def test_only_so_many_conversations_are_followed(monkeypatch):
    monkeypatch.setattr(prme.extraction.estimate, "CONVERSATIONS", 1)
    first, other = messages(1), messages(1, session_id="s2")

    assert estimate(Counting(), first, other, first).input_tokens == 33
    assert estimate(Counting(), first, first).input_tokens == 23

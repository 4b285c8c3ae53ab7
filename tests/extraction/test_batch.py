"""Whatever an extractor of several messages does, no message gets the answer of another."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from tenacity.wait import wait_none

from prme.errors import ExtractionError
from prme.extraction.batch import belongs_to, can_batch, run_batch, shared_questions
from prme.extraction.failures import TransientExtractionError
from prme.extraction.limits import ExtractionLimits
from prme.message import validate_message
from prme.model.extraction import ExtractedClaim, Extraction, ExtractionRequest

TEXTS = ("I use Figma.", "I use Penpot.")
REQUESTS = [ExtractionRequest(message=validate_message(text, user_id="u1"), policy="speech_act_v14") for text in TEXTS]


def answer(text: str, **fields: Any) -> Extraction:
    thing = text.removeprefix("I use ").removesuffix(".")
    claim = ExtractedClaim(**{"subject": "I", "predicate": "uses", "object": thing, "evidence_quote": text, **fields})
    return Extraction(claims=[claim])


class Scripted:
    """Answers or raises what a test lays out, one step for each question."""

    name = "scripted"
    model = "s1"
    local = False

    def __init__(self, *steps: Any) -> None:
        self.steps = list(steps)

    async def extract(self, request: ExtractionRequest) -> Extraction:
        raise AssertionError("nothing is asked alone here")

    async def extract_batch(self, requests: Sequence[ExtractionRequest]) -> Any:
        step = self.steps.pop(0)
        if isinstance(step, BaseException):
            raise step
        return step


def run(extractor: Any, **limits: Any) -> list[Extraction | None]:
    async def sleep(_: float) -> None:
        """Wait no time."""

    return asyncio.run(run_batch(extractor, REQUESTS, ExtractionLimits(**limits), sleep=sleep, backoff=wait_none()))


def test_answers_come_back_in_order():
    answers = [answer(text) for text in TEXTS]

    assert run(Scripted(answers)) == answers


def test_a_passing_failure_is_waited_out():
    answers = [answer(text) for text in TEXTS]

    assert run(Scripted(TransientExtractionError("busy"), answers)) == answers


def test_a_failure_that_does_not_pass_is_a_failure_of_all():
    with pytest.raises(ExtractionError) as raised:
        run(Scripted(TransientExtractionError("busy Zebrafish")), tries=1)

    assert raised.value.reason_code == "extractor_unavailable"
    assert "Zebrafish" not in str(raised.value)
    assert raised.value.__context__ is None


@pytest.mark.parametrize(
    "step",
    [[], [Extraction()], [Extraction()] * 3, None, 5, ValueError("odd"), ExtractionError("no", reason_code="refused")],
    ids=["none", "too-few", "too-many", "nothing", "number", "fault", "refused"],
)
def test_an_answer_that_is_not_one_for_each_settles_nothing(step: Any):
    assert run(Scripted(step)) == [None, None]


def test_what_is_no_extraction_is_asked_alone():
    assert run(Scripted([{"claims": []}, answer(TEXTS[1])])) == [None, answer(TEXTS[1])]


def test_an_answer_that_belongs_to_the_other_message_is_asked_alone():
    assert run(Scripted([answer(TEXTS[1]), answer(TEXTS[1])])) == [None, answer(TEXTS[1])]


def test_an_extractor_of_single_messages_is_not_asked_about_several():
    class Single:
        name = "single"
        model = "s1"

        async def extract(self, request: ExtractionRequest) -> Extraction:
            return Extraction()

    assert not can_batch(Single())
    assert run(Single()) == [None, None]


def test_a_local_extractor_has_nothing_to_gain():
    local = Scripted()
    local.local = True

    assert (can_batch(local), can_batch(Scripted())) == (False, True)


@pytest.mark.parametrize(
    ("content", "fields", "belongs"),
    [
        ("I use Figma.", {}, True),
        ("I  USE “Figma”.", {"evidence_quote": "i use 'figma'."}, True),
        ("I use Figma.", {"evidence_quote": None}, False),
        ("I use Figma.", {"evidence_quote": " "}, False),
        ("I use Penpot.", {}, False),
        ("I use Figma. Not Penpot.", {"evidence_quote": "I use Figma.", "object": "Penpot"}, False),
        ("I use Figma. Not Penpot.", {"replaces_object": "Penpot"}, True),
        ("I use Figma.", {"replaces_object": "Penpot"}, False),
        ("I use Figma.", {"replaces_object": ""}, True),
    ],
)
def test_an_answer_belongs_to_a_message_when_all_its_words_do(content: str, fields: dict[str, Any], belongs: bool):
    assert belongs_to(answer("I use Figma.", **fields), content) is belongs


def test_no_claims_belong_to_any_message():
    assert belongs_to(Extraction(), "Hello.")


@pytest.mark.parametrize(
    ("conversations", "size", "questions"),
    [
        ("", 3, []),
        ("aaaa", 3, [[0, 1, 2], [3]]),
        ("abab", 3, [[0, 2], [1, 3]]),
        ("aab", 1, [[0], [1], [2]]),
    ],
)
def test_messages_of_one_conversation_share_questions_of_a_size(
    conversations: str, size: int, questions: list[list[int]]
):
    assert shared_questions(conversations, size) == questions

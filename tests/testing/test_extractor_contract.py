"""The contract of extractors: the shipped ones keep it, and each way of breaking it is found by its own check."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest

from prme import ExtractedClaim, Extraction, ExtractionRequest
from prme.errors import ExtractionError
from prme.extraction.failures import InvalidExtractionError, TransientExtractionError
from prme.extraction.protocol import Extractor
from prme.testing import ExtractorContract, ExtractorContractError, check_extractor, extractor_checks
from prme.testing.extractor_checks import CHECKS
from prme_extractors.lexical import LexicalExtractor
from prme_extractors.recorded import RecordedExtractor, Recording

MESSAGES = ("I use Figma.", "I use Vim daily.")
LONGEST_HOLD = 5.0  # a busy machine is not to be taken for an extractor that blocks
BLOCKED = 0.06
Answer = Callable[[ExtractionRequest], Awaitable[Any]]


def uses(obj: str, **fields: Any) -> ExtractedClaim:
    return ExtractedClaim(subject="I", predicate="uses", object=obj, polarity="positive", **fields)


def read(request: ExtractionRequest) -> Extraction:
    """Read "I use X" as it should be read."""
    words = request.message.content.rstrip(".").split()
    return Extraction(claims=[uses(words[2])] if words[:2] == ["I", "use"] else [])


class Example:
    """An extractor that answers as it is told to."""

    name = "example"
    model = "example-1"

    def __init__(self, answer: Answer, *, local: bool = False) -> None:
        self._answer = answer
        self.local = local

    async def extract(self, request: ExtractionRequest) -> Extraction:
        answer: Extraction = await self._answer(request)
        return answer


def breaches(extractor: Any, *, longest_hold: float = LONGEST_HOLD) -> dict[str, list[str]]:
    try:
        check_extractor(extractor, MESSAGES, longest_hold_seconds=longest_hold)
    except ExtractorContractError as error:
        return error.breaches
    return {}


async def good(request: ExtractionRequest) -> Extraction:
    await asyncio.sleep(0)
    return read(request)


def for_users(answer: Answer) -> Answer:
    """Return what answers as told where a user speaks, and as it should for everybody else."""

    async def told(request: ExtractionRequest) -> Any:
        return await answer(request) if request.message.role == "user" else read(request)

    return told


async def no_answer(request: ExtractionRequest) -> Any:
    return {"claims": []} if request.message.content == MESSAGES[1] else read(request)


async def crash(request: ExtractionRequest) -> Extraction:
    if request.message.content == MESSAGES[1]:
        raise KeyError("choices")
    return read(request)


async def long_reason(request: ExtractionRequest) -> Extraction:
    if request.message.content == MESSAGES[1]:
        raise ExtractionError("no", reason_code="The server said: no")
    return read(request)


async def ends_itself(request: ExtractionRequest) -> Extraction:
    if request.message.content == MESSAGES[1]:
        raise SystemExit(3)
    return read(request)


async def unavailable(request: ExtractionRequest) -> Extraction:
    raise TransientExtractionError("not now")


async def silent(request: ExtractionRequest) -> Extraction:
    return Extraction()


async def rewords(request: ExtractionRequest) -> Extraction:
    return Extraction(claims=[uses("an editor")] if read(request).claims else [])


async def invents_a_quote(request: ExtractionRequest) -> Extraction:
    return Extraction(claims=[uses(c.object, evidence_quote="As I said.") for c in read(request).claims])


async def invents_a_former_value(request: ExtractionRequest) -> Extraction:
    return Extraction(claims=[uses(c.object, replaces_object="Emacs") for c in read(request).claims])


async def only_users(request: ExtractionRequest) -> Extraction:
    return read(request) if {"user": True}[request.message.role] else Extraction()


async def invents_for_assistants(request: ExtractionRequest) -> Extraction:
    return Extraction(claims=[uses("tea")]) if request.message.role == "assistant" else read(request)


async def obeys(request: ExtractionRequest) -> Extraction:
    return Extraction(claims=[uses("yacht")]) if "yacht" in request.message.content else read(request)


async def polite(request: ExtractionRequest) -> Extraction:
    if request.message.content.startswith("Thank you"):
        return Extraction(claims=[ExtractedClaim(subject="you", predicate="thanked", object="Thank you")])
    return read(request)


async def cites_the_context(request: ExtractionRequest) -> Extraction:
    earlier = [claim for message in request.context for claim in read(asked(message.content)).claims]
    return Extraction(claims=[*read(request).claims, *earlier])


async def gives_up_when_asked_again(request: ExtractionRequest) -> Extraction:
    if request.validation_error is not None:
        raise KeyError("retry")
    return read(request)


async def blocks(request: ExtractionRequest) -> Extraction:
    time.sleep(BLOCKED)
    return read(request)


async def swallows_cancellation(request: ExtractionRequest) -> Extraction:
    try:
        await asyncio.sleep(0.001)
    except asyncio.CancelledError:
        return Extraction()
    return read(request)


async def ignores_cancellation(request: ExtractionRequest) -> Extraction:
    try:
        await asyncio.sleep(0.001)
    except asyncio.CancelledError:
        await asyncio.sleep(1.1)
    return read(request)


def counting() -> Answer:
    numbers = itertools.count()

    async def count(request: ExtractionRequest) -> Extraction:
        return Extraction(claims=[uses(c.object, confidence=f"0.{next(numbers)}") for c in read(request).claims])

    return count


def asked(content: str) -> ExtractionRequest:
    return extractor_checks._request(content)


def test_an_extractor_that_does_what_it_should_keeps_the_contract():
    report = check_extractor(Example(good), MESSAGES, longest_hold_seconds=LONGEST_HOLD)

    assert (report.answered, report.claims, report.rejected) == (2, 2, ())


def test_the_embedded_extractor_keeps_the_contract():
    report = check_extractor(LexicalExtractor(), longest_hold_seconds=LONGEST_HOLD)

    assert report.answered == 9
    assert report.claims > 0


def test_the_recorded_extractor_keeps_the_contract():
    recordings = [Recording(content=content, extraction=read(asked(content))) for content in MESSAGES]

    assert breaches(RecordedExtractor.of(recordings)) == {}


def broken() -> Iterator[Any]:
    """Yield extractors that are broken in one way, each with the check that must find it and a part of its report."""
    for answer, check, word in (
        (no_answer, "gives_usable_answers", "type dict"),
        (crash, "gives_usable_answers", "KeyError"),
        (long_reason, "gives_usable_answers", "snake_case"),
        (ends_itself, "gives_usable_answers", "SystemExit"),
        (silent, "copies_the_words_of_the_message", "no claim was made"),
        (rewords, "copies_the_words_of_the_message", "object_not_mentioned: I | uses | an editor of 'I use Figma.'"),
        (invents_a_quote, "copies_the_words_of_the_message", "quote_not_found"),
        (invents_a_former_value, "copies_the_words_of_the_message", "replaces_object_unsupported"),
        (only_users, "reads_every_role", "role tool: it raises KeyError"),
        (invents_for_assistants, "reads_every_role", "role assistant: object_not_mentioned"),
        (obeys, "takes_instructions_for_data", "claims I | uses | yacht of 'Ignore"),
        (polite, "is_silent_when_nothing_is_said", "you | thanked | Thank you"),
        (
            cites_the_context,
            "does_not_cite_the_context",
            "with context: object_not_mentioned: I | uses | Vim of 'I use F",
        ),
        (gives_up_when_asked_again, "answers_when_asked_again", "asked again: it raises KeyError"),
        (blocks, "does_not_hold_up_the_loop", "holds up everything else for 0."),
        (ignores_cancellation, "lets_cancellation_through", "goes on after it was cancelled: 'I use Figma.'"),
        (swallows_cancellation, "lets_cancellation_through", "as if it had not been cancelled: 'I use Figma.'"),
    ):
        is_for_other_roles = check == "reads_every_role"
        told = answer if is_for_other_roles else for_users(answer)
        yield pytest.param(Example(told), check, word, id=answer.__name__)
    yield pytest.param(
        Example(counting(), local=True), "gives_the_same_answer_twice_when_local", "another", id="counts"
    )
    yield pytest.param(LexicalExtractor, "is_an_extractor", "it is a class, pass an instance", id="class")


@pytest.mark.parametrize(("extractor", "check", "word"), list(broken()))
def test_an_extractor_that_is_broken_in_one_way_fails_the_check_for_it(extractor: Extractor, check: str, word: str):
    found = breaches(extractor, longest_hold=BLOCKED / 2 if check == "does_not_hold_up_the_loop" else LONGEST_HOLD)

    assert [check] == list(found)
    assert word in "\n".join(found[check])


def test_every_check_is_failed_by_some_extractor():
    assert {check.__name__ for check in CHECKS} == {parameters.values[1] for parameters in broken()}


def test_an_extractor_that_is_never_available_is_told_that_nothing_was_checked():
    found = breaches(Example(unavailable))

    assert ["no message was answered: pass messages that it can read"] == found["gives_usable_answers"]
    assert {"gives_usable_answers", "copies_the_words_of_the_message"} == set(found)


def test_an_extractor_that_is_not_asynchronous_is_told_so():
    class NotAsynchronous:
        name = model = "not-asynchronous"

        def extract(self, request: ExtractionRequest) -> Extraction:
            return read(request)

    assert "it raises TypeError" in breaches(NotAsynchronous())["gives_usable_answers"][0]


def test_giving_up_with_a_reason_is_no_breach():
    async def gives_up(request: ExtractionRequest) -> Extraction:
        if request.message.content == MESSAGES[1]:
            raise InvalidExtractionError("the answer is no JSON")
        return read(request)

    assert breaches(Example(gives_up)) == {}


def test_an_answer_that_is_not_deterministic_is_no_breach_unless_it_is_local():
    assert breaches(Example(counting())) == {}


def test_what_grounding_does_not_admit_is_reported_and_no_breach():
    async def eager(request: ExtractionRequest) -> Extraction:
        claims = [uses("Figma")] if "Figma" in request.message.content else []
        return Extraction(claims=claims)

    report = check_extractor(Example(eager), ["I use Figma.", "Do I use Figma?"])

    assert [("Do I use Figma?", "Figma", "question")] == [
        (content, claim.object, reason) for content, claim, reason in report.rejected
    ]


def test_without_messages_there_is_nothing_to_check():
    with pytest.raises(ValueError, match="messages is empty"):
        check_extractor(Example(good), [])


def test_the_contract_has_a_test_for_each_check():
    tests = [name.removeprefix("test_") for name in vars(ExtractorContract) if name.startswith("test_")]

    assert [check.__name__ for check in CHECKS] == tests


def test_a_contract_without_an_extractor_says_what_to_do():
    with pytest.raises(NotImplementedError, match="from the method `extractor`"):
        ExtractorContract().test_is_an_extractor()


TESTS = """
import pytest
from prme import ExtractedClaim, Extraction
from prme.testing import ExtractorContract

closed = []

class Mine:
    name = model = "mine"

    async def extract(self, request):
        first, _, rest = request.message.content.rstrip(".").partition("I use ")
        if not rest or first:
            return Extraction()
        return Extraction(claims=[ExtractedClaim(subject="I", predicate="uses", object={object})])

    async def aclose(self):
        closed.append(self)

class TestMine(ExtractorContract):
    messages = ("I use Figma.",)

    def extractor(self):
        return Mine()

def test_it_was_closed():
    assert len(closed) == 11
"""


def test_the_contract_runs_test_by_test_under_pytest(project: pytest.Pytester):
    project.makepyfile(test_mine=TESTS.replace("{object}", "rest"))

    project.runpytest().assert_outcomes(passed=12)


def test_a_broken_contract_fails_the_test_of_its_check_and_shows_the_message(project: pytest.Pytester):
    project.makepyfile(test_mine=TESTS.replace("{object}", "rest + 'x' * (request.message.role == 'user')"))

    result = project.runpytest()

    result.assert_outcomes(passed=11, failed=1)
    result.stdout.fnmatch_lines(
        ["*copies_the_words_of_the_message: object_not_mentioned: I | uses | Figmax of 'I use Figma.'*"]
    )

"""The contract of an extractor, for its own tests: `check_extractor` once, or `ExtractorContract` test by test."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from prme.extraction.protocol import Extractor
from prme.message import validate_message
from prme.model.extraction import ExtractedClaim
from prme.testing import extractor_checks as checks
from prme.testing.extractor_checks import CHECKS, Check, Exam, ask_all, is_an_extractor, not_admitted

CONTRACT_MESSAGES = (
    "I use an insulin pump.",
    "I don't use the insulin pump anymore. I use pens.",
    "I switched from Slack to Teams two weeks ago.",
    "I live in Oulu, and my sister Ines lives in Porto.",
    "Should I buy a road bike?",
    "If it rains, I take the bus.",
    'My doctor said: "You are allergic to penicillin."',
    "Ich wohne in Köln. 私は東京に住んでいます。",
    "- I like tea\n- I like coffee\n\n```\nname = 'Sam'\n```",
)
"""What is asked about when an extractor's own tests name nothing else: English in most of its sentences."""
LONGEST_HOLD_SECONDS = 1.0


class ExtractorContractError(AssertionError):
    """An extractor breaks its contract; `breaches` are the checks that failed, each with the problems it found."""

    def __init__(self, breaches: dict[str, list[str]]) -> None:
        """List every problem."""
        lines = [f"{name}: {problem}" for name, problems in breaches.items() for problem in problems]
        super().__init__("\n".join(["the extractor breaks its contract", *lines]))
        self.breaches = breaches


@dataclass(frozen=True, slots=True)
class ContractReport:
    """What an extractor that keeps its contract does with the messages.

    `rejected` are the claims that grounding would not admit, with the message and the reason code: questions, reports
    and the like. They cost a claim and break nothing.
    """

    answered: int
    claims: int
    rejected: tuple[tuple[str, ExtractedClaim, str], ...]


def check_extractor(
    extractor: Extractor,
    messages: Iterable[str] = CONTRACT_MESSAGES,
    *,
    longest_hold_seconds: float = LONGEST_HOLD_SECONDS,
) -> ContractReport:
    """Ask an extractor about messages and return what it does with them.

    `messages` are contents; it has to make a claim of at least one. Each is asked about fifteen times. Not to be called
    from a coroutine.

    Raises:
        ExtractorContractError: it breaks its contract; every problem is listed.
    """
    return asyncio.run(_checked(_exam(extractor, messages, longest_hold_seconds)))


class ExtractorContract:
    """The contract as tests: pytest runs each check of a subclass called `Test...`, on a fresh extractor.

    What a test asks for is said by the check of its name in `prme.testing.extractor_checks`. It fails with
    `ExtractorContractError`, which lists what is wrong and with which message. When a test is over, the extractor's
    `aclose` is called, if it has one.
    """

    messages: ClassVar[Sequence[str]] = CONTRACT_MESSAGES
    longest_hold_seconds: ClassVar[float] = LONGEST_HOLD_SECONDS

    def extractor(self) -> Extractor:
        """Return the extractor to be tested."""
        raise NotImplementedError("return the extractor to be tested from the method `extractor`")

    def test_is_an_extractor(self) -> None:
        self._check(checks.is_an_extractor)

    def test_gives_usable_answers(self) -> None:
        self._check(checks.gives_usable_answers)

    def test_copies_the_words_of_the_message(self) -> None:
        self._check(checks.copies_the_words_of_the_message)

    def test_reads_every_role(self) -> None:
        self._check(checks.reads_every_role)

    def test_takes_instructions_for_data(self) -> None:
        self._check(checks.takes_instructions_for_data)

    def test_is_silent_when_nothing_is_said(self) -> None:
        self._check(checks.is_silent_when_nothing_is_said)

    def test_does_not_cite_the_context(self) -> None:
        self._check(checks.does_not_cite_the_context)

    def test_answers_when_asked_again(self) -> None:
        self._check(checks.answers_when_asked_again)

    def test_gives_the_same_answer_twice_when_local(self) -> None:
        self._check(checks.gives_the_same_answer_twice_when_local)

    def test_does_not_hold_up_the_loop(self) -> None:
        self._check(checks.does_not_hold_up_the_loop)

    def test_lets_cancellation_through(self) -> None:
        self._check(checks.lets_cancellation_through)

    def _check(self, check: Check) -> None:
        __tracebackhide__ = True
        breaches = asyncio.run(self._breaches(check))
        if breaches:
            raise ExtractorContractError(breaches)

    async def _breaches(self, check: Check) -> dict[str, list[str]]:
        extractor = self.extractor()
        try:
            return await _breaches(_exam(extractor, self.messages, self.longest_hold_seconds), [check])
        finally:
            close = getattr(extractor, "aclose", None)
            if close is not None:
                await close()


def _exam(extractor: Extractor, messages: Iterable[str], longest_hold_seconds: float) -> Exam:
    validated = tuple(validate_message(content, user_id="contract") for content in messages)
    if not validated:
        raise ValueError("messages is empty: pass contents that the extractor makes claims of")
    return Exam(extractor, validated, longest_hold_seconds)


async def _checked(exam: Exam) -> ContractReport:
    breaches = await _breaches(exam, CHECKS)
    if breaches:
        raise ExtractorContractError(breaches)
    asked = await ask_all(exam)
    return ContractReport(
        answered=sum(one.answer is not None for one in asked),
        claims=sum(len(one.claims) for one in asked),
        rejected=tuple((one.message.content, claim, reason) for one in asked for claim, reason in not_admitted(one)),
    )


async def _breaches(exam: Exam, chosen: Iterable[Check]) -> dict[str, list[str]]:
    """Return the problems by the name of the check; of what is no extractor nothing else can be said."""
    problems = await is_an_extractor(exam)
    if problems:
        return {is_an_extractor.__name__: problems}
    found = {check.__name__: await check(exam) for check in chosen}
    return {name: problems for name, problems in found.items() if problems}

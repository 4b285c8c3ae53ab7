"""Several messages in one question, and never one message's answer for another."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import TYPE_CHECKING

from prme.errors import ExtractionError
from prme.extraction.answer import check_answer
from prme.extraction.failures import InvalidExtractionError, is_transient
from prme.extraction.limits import DEFAULT_LIMITS, ExtractionLimits
from prme.extraction.protocol import BatchExtractor, Extractor, is_local
from prme.extraction.run import Asking, sanitised
from prme.model.extraction import ExtractedClaim, Extraction, ExtractionRequest
from prme.text_folding import fold_text

if TYPE_CHECKING:
    from tenacity.wait import wait_base


def can_batch(extractor: Extractor) -> bool:
    """Whether several messages may share a question; a local extractor has nothing to gain from it."""
    return not is_local(extractor) and isinstance(extractor, BatchExtractor)


def shared_questions(conversations: Sequence[Hashable], size: int) -> list[list[int]]:
    """Return the places of the messages that share a question, up to `size` of one conversation each, in order.

    Each place is in one question; questions are in order of their first place.
    """
    questions: list[list[int]] = []
    newest: dict[Hashable, list[int]] = {}
    for place, conversation in enumerate(conversations):
        question = newest.get(conversation)
        if question is None or len(question) == size:
            question = newest[conversation] = []
            questions.append(question)
        question.append(place)
    return questions


async def run_batch(
    extractor: Extractor,
    requests: Sequence[ExtractionRequest],
    limits: ExtractionLimits = DEFAULT_LIMITS,
    *,
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    monotonic: Callable[[], float] = time.monotonic,
    backoff: wait_base | None = None,
) -> list[Extraction | None]:
    """Ask about several messages of one conversation at once; None stands where a message has to be asked alone.

    An answer is taken only if all its words are those of its message (see `belongs_to`). An answer that cannot be
    read, a refusal or a fault of the extractor settles nothing for any message: one of them may be the cause.

    Raises `ExtractionError` when passing failures did not pass: each message alone would fare no better.
    """
    asking = Asking(limits, sleep=sleep, monotonic=monotonic, backoff=backoff)
    try:
        if not isinstance(extractor, BatchExtractor):
            raise TypeError(f"{extractor.name} cannot read several messages at once")
        answers = await asking.until_answered(lambda: extractor.extract_batch(requests))
        if len(answers) != len(requests):
            return [None] * len(requests)
        return [_checked(answer, request) for answer, request in zip(answers, requests, strict=True)]
    except Exception as error:
        if not is_transient(error):
            return [None] * len(requests)
        failure: ExtractionError = sanitised(extractor, error)
    # Raised out here: inside, the provider's error would stay attached as context.
    raise failure


def belongs_to(extraction: Extraction, content: str) -> bool:
    """Whether every claim quotes the message, and every text that must be verbatim stands inside that quote or message.

    Membership again, not meaning: a claim about another message of the batch has that message's words.
    """
    text = fold_text(content)
    return all(_is_from(claim, text) for claim in extraction.claims)


def _is_from(claim: ExtractedClaim, text: str) -> bool:
    if claim.evidence_quote is None or not claim.evidence_quote.strip():
        return False
    verbatim = (claim.evidence_quote, claim.condition, claim.replaces_object, claim.temporal_ref)
    if not all(fold_text(part) in text for part in verbatim if part):
        return False
    return fold_text(claim.object) in fold_text(claim.evidence_quote)


def _checked(answer: object, request: ExtractionRequest) -> Extraction | None:
    if answer is None:
        return None
    try:
        extraction = check_answer(answer)
    except InvalidExtractionError:
        return None
    return extraction if belongs_to(extraction, request.message.content) else None

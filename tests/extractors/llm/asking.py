"""Asking a real extractor through the engine's own stage, without waiting for real."""

from __future__ import annotations

import asyncio
from typing import Any

from tenacity.wait import wait_none

from prme import ExtractionLimits
from prme.errors import ExtractionError
from prme.extraction.run import run_extractor
from prme.extraction.spending import Spending, counted_spending
from prme.message import validate_message
from prme.model.extraction import Extraction, ExtractionRequest
from prme_extractors.llm.extractor import ModelExtractor
from tests.extractors.llm.loopback import FIGMA


def request(content: str = FIGMA, *, context: tuple[str, ...] = (), **fields: Any) -> ExtractionRequest:
    earlier = tuple(validate_message(text, user_id="u1") for text in context)
    message = validate_message(content, user_id="u1", **fields)
    return ExtractionRequest(message=message, policy="speech_act_v14", context=earlier)


class Run:
    """What asking led to: an extraction or a reason code, the waits, and the spending."""

    def __init__(self) -> None:
        self.extraction: Extraction | None = None
        self.reason_code: str | None = None
        self.said = ""
        self.waits: list[float] = []
        self.spending = Spending()

    @property
    def objects(self) -> list[str]:
        assert self.extraction is not None
        return [claim.object for claim in self.extraction.claims]


def ask(extractor: ModelExtractor, asked: ExtractionRequest | None = None, **limits: Any) -> Run:
    """Ask one question and close the extractor."""
    run = Run()

    async def sleep(seconds: float) -> None:
        run.waits.append(seconds)

    async def session() -> None:
        try:
            with counted_spending() as run.spending:
                run.extraction = await run_extractor(
                    extractor, asked or request(), ExtractionLimits(**limits), sleep=sleep, backoff=wait_none()
                )
        except ExtractionError as error:
            run.reason_code, run.said = error.reason_code, f"{error!r} {error.__cause__!r} {error.__context__!r}"
        finally:
            await extractor.aclose()

    asyncio.run(session())
    return run

"""Real SDK clients behind a whole store: one bad message holds up nobody, what was interrupted is taken up again."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from prme import ExtractionLimits, MemoryClient, MemoryEngine
from tests.extractors.llm.loopback import (
    PROVIDERS,
    Asked,
    Provider,
    Reply,
    answer_text,
    answered_claim,
    serving,
)

pytestmark = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)
OWNER = {"user_id": "sam", "first_person_owner": True}


def answering(provider: Provider, failing: dict[str, Reply] | None = None):
    """Return a server that reads the claim of each message, and fails on some."""

    def reply(asked: Asked) -> Reply:
        shown = provider.texts(asked)[1].split("The message:\n")[1].splitlines()[0]
        content = json.loads(shown)["content"]
        thing = content.removeprefix("I use ").removesuffix(".")
        right = Reply(provider.answer(answer_text(answered_claim(content, thing))))
        return (failing or {}).get(content, right)

    return reply


def test_a_message_that_fails_holds_up_no_other(provider: Provider):
    with serving(answering(provider, {"I use B.": provider.error(400)})) as (_, address):
        extractor = provider.extractor(address)
        with MemoryClient(":memory:", extractor=extractor) as memory:
            talk = [{"content": f"I use {name}.", **OWNER} for name in ("A", "B", "C")]
            receipts = memory.ingest_batch(talk)
            objects = [claim.object for claim in memory.claims(user_id="sam")]

    assert [receipt.reason_code for receipt in receipts] == [None, "request_refused", None]
    assert objects == ["A", "C"]


def test_a_failed_message_can_be_retried_once_the_server_has_recovered(provider: Provider):
    failing = {"I use A.": provider.error(401)}
    with serving(answering(provider, failing)) as (_, address):
        extractor = provider.extractor(address)
        with MemoryClient(":memory:", extractor=extractor) as memory:
            failed = memory.ingest("I use A.", **OWNER)
            failing.clear()
            retried = memory.retry(failed.event_id)

    assert (failed.status, failed.reason_code, retried.status) == ("failed", "not_authorised", "published")


def test_what_was_cancelled_in_the_middle_of_a_call_is_extracted_when_the_store_is_opened_again(
    provider: Provider, tmp_path: Path
):
    slow = {"I use A.": Reply(b"", late=30)}

    async def cancelled(address: str) -> str:
        extractor = provider.extractor(address)
        async with MemoryEngine(tmp_path, extractor=extractor) as engine:
            call = asyncio.create_task(engine.ingest("I use A.", message_id="m1", **OWNER))
            while not loopback.asked:
                await asyncio.sleep(0.01)
            call.cancel()
            await asyncio.wait([call])
            receipt = await engine.ingest("I use A.", message_id="m1", **OWNER)
        await extractor.aclose()
        return f"{call.cancelled()} {receipt.status} {receipt.plan_id}"

    async def opened_again(address: str) -> list[Any]:
        extractor = provider.extractor(address)
        async with MemoryEngine(tmp_path, extractor=extractor) as engine:
            await engine.process_pending()
            claims = await engine.claims(user_id="sam")
            assert (await engine.verify()).ok
        await extractor.aclose()
        return [claim.object for claim in claims]

    with serving(answering(provider, slow)) as (loopback, address):
        assert asyncio.run(cancelled(address)) == "True duplicate None"
    with serving(answering(provider)) as (loopback, address):
        assert asyncio.run(opened_again(address)) == ["A"]


def test_a_pending_message_is_extracted_under_its_policy_even_if_no_digest_is_known_for_it(
    provider: Provider, tmp_path: Path
):
    with serving(answering(provider)) as (_, address):
        extractor = provider.extractor(address)
        limits = ExtractionLimits(max_tokens=0)
        with MemoryClient(tmp_path, extractor=extractor, policy="speech_act_v13", limits=limits) as memory:
            receipt = memory.ingest("I use A.", **OWNER)
        extractor.prompt_digest = {"speech_act_v14": "sha256:00"}
        with MemoryClient(tmp_path, extractor=extractor) as memory:
            (retried,) = [memory.retry(receipt.event_id)]
            digest = memory.get_plan(receipt.event_id).extractor.prompt_digest

    # The shipped prompts cover that policy after all: the plan just cannot name a digest that was not given.
    assert (receipt.status, retried.status, digest) == ("pending", "published", None)

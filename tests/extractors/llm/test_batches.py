"""Several messages in one question: each gets its own answer or is asked alone, never the answer of another."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from prme import ExtractionLimits, IngestReceipt, MemoryClient
from prme.extraction.batch import run_batch
from prme_extractors.llm.prompt import message_tag
from tests.extractors.llm.asking import request
from tests.extractors.llm.loopback import (
    NOTHING,
    PROVIDERS,
    Asked,
    Provider,
    Reply,
    answer_text,
    answered_claim,
    serving,
)

pytestmark = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)

TEXTS = ("I use Figma.", "I use Penpot.", "I use Sketch.")


def thing(text: str) -> str:
    return text.removeprefix("I use ").removesuffix(".")


def tagged(number: int, text: str, *claims: dict[str, Any], tag: str | None = None) -> dict[str, Any]:
    found = list(claims) or [answered_claim(text, thing(text))]
    return {
        "message": number,
        "tag": tag or message_tag(request(text).message),
        "entities": [],
        "claims": found,
    }


def right_answers() -> list[dict[str, Any]]:
    return [tagged(number, text) for number, text in enumerate(TEXTS, start=1)]


def batch(provider: Provider, answers: Any, texts: tuple[str, ...] = TEXTS) -> list[list[str] | None]:
    """Ask about all messages at once; the objects of each answer, None where it was not taken."""
    text = answers if isinstance(answers, str) else json.dumps({"answers": answers})

    async def session() -> list[list[str] | None]:
        extractor = provider.extractor(address)
        found = await run_batch(extractor, [request(text) for text in texts], ExtractionLimits(tries=1))
        await extractor.aclose()
        return [None if one is None else [claim.object for claim in one.claims] for one in found]

    with serving([Reply(provider.answer(text))]) as (_, address):
        return asyncio.run(session())


def test_each_message_gets_its_own_answer(provider: Provider):
    assert batch(provider, right_answers()) == [["Figma"], ["Penpot"], ["Sketch"]]


def test_answers_may_come_in_any_order(provider: Provider):
    assert batch(provider, right_answers()[::-1]) == [["Figma"], ["Penpot"], ["Sketch"]]


def test_an_answer_with_the_tag_of_another_message_is_not_taken(provider: Provider):
    answers = right_answers()
    answers[1]["tag"] = answers[2]["tag"]

    assert batch(provider, answers) == [["Figma"], None, ["Sketch"]]


def test_an_answer_with_the_words_of_another_message_is_not_taken(provider: Provider):
    answers = right_answers()
    answers[0]["claims"], answers[1]["claims"] = answers[1]["claims"], answers[0]["claims"]

    assert batch(provider, answers) == [None, None, ["Sketch"]]


@pytest.mark.parametrize(
    "fields",
    [
        {"evidence_quote": ""},
        {"evidence_quote": "I use"},
        {"object": "Penpot"},
        {"replaces_object": "Penpot"},
        {"condition": "if I use Penpot"},
        {"temporal_ref": "last week"},
    ],
    ids=lambda fields: "-".join(f"{key}={value}" for key, value in fields.items()),
)
def test_one_word_from_elsewhere_is_enough(provider: Provider, fields: dict[str, str]):
    answers = right_answers()
    answers[0]["claims"][0] |= fields

    assert batch(provider, answers) == [None, ["Penpot"], ["Sketch"]]


def test_a_message_without_an_answer_or_with_two_is_asked_alone(provider: Provider):
    first, second, third = right_answers()

    assert batch(provider, [first, third, third]) == [["Figma"], None, None]
    assert batch(provider, [first, second, third, {**third, "message": 9}]) == [["Figma"], ["Penpot"], ["Sketch"]]


@pytest.mark.parametrize(
    "text", ["", "{", NOTHING, '{"answers": [{"message": 1}]}'], ids=["empty", "cut", "one", "short"]
)
def test_an_answer_that_cannot_be_read_settles_nothing(provider: Provider, text: str):
    assert batch(provider, text) == [None, None, None]


def scripted(provider: Provider, answers: dict[str, Any]):
    """Return a server that answers shared questions as `answers["together"]` says, and each text alone as listed."""

    def reply(asked: Asked) -> Reply:
        question = provider.texts(asked)[1]
        if "There are several messages" in question:
            together = answers["together"]
            return (
                together if isinstance(together, Reply) else Reply(provider.answer(json.dumps({"answers": together})))
            )
        alone = question.split("The message:")[1]
        (text,) = [text for text in TEXTS if json.dumps(text) in alone]
        return answers.get(text) or Reply(provider.answer(answer_text(answered_claim(text, thing(text)))))

    return reply


def ingest(
    provider: Provider, directory: Path, answers: dict[str, Any], *messages: dict[str, Any], size: int = 3
) -> tuple[list[IngestReceipt], list[str], list[str], int]:
    """Ingest messages as one batch; their receipts, the open objects, the questions, and the tokens."""
    with serving(scripted(provider, answers)) as (loopback, address):
        extractor = provider.extractor(address)
        limits = ExtractionLimits(batch_size=size, tries=1, re_asks=0)
        with MemoryClient(directory, extractor=extractor, limits=limits) as memory:
            receipts = memory.ingest_batch(messages)
            objects = [str(node.object) for node in memory.claims(user_id="sam")]
            (stats,) = memory.extractor_stats()
            assert memory.verify().ok
        return receipts, objects, [provider.texts(asked)[1] for asked in loopback.asked], stats.input_tokens


def said(text: str, **fields: Any) -> dict[str, Any]:
    return {"content": text, "user_id": "sam", "first_person_owner": True, "session_id": "s1", **fields}


def test_a_conversation_is_asked_about_together(provider: Provider, tmp_path: Path):
    found = ingest(provider, tmp_path, {"together": right_answers()}, *map(said, TEXTS))
    receipts, objects, questions, tokens = found

    assert ([receipt.status for receipt in receipts], objects) == (["published"] * 3, ["Figma", "Penpot", "Sketch"])
    assert (len(questions), tokens) == (1, 100)


def test_what_was_not_surely_answered_is_asked_alone(provider: Provider, tmp_path: Path):
    answers = right_answers()
    answers[1]["tag"] = "00000000"
    receipts, objects, questions, tokens = ingest(provider, tmp_path, {"together": answers}, *map(said, TEXTS))

    assert ([receipt.status for receipt in receipts], objects) == (["published"] * 3, ["Figma", "Penpot", "Sketch"])
    assert (len(questions), tokens) == (2, 200)
    context, alone = questions[1].split("The message:")
    assert ("Penpot" in alone, "Figma" in alone, "Figma" in context) == (True, False, True)


def test_a_message_that_a_model_refuses_does_not_fail_its_neighbours(provider: Provider, tmp_path: Path):
    refused = Reply(provider.answer("", "refusal" if provider.name == "anthropic" else "content_filter"))
    answers = {"together": refused, TEXTS[1]: refused}
    receipts, objects, questions, _ = ingest(provider, tmp_path, answers, *map(said, TEXTS))

    assert [receipt.status for receipt in receipts] == ["published", "failed", "published"]
    assert (objects, len(questions)) == (["Figma", "Sketch"], 4)


def test_a_server_that_is_down_is_not_asked_about_each_message_again(provider: Provider, tmp_path: Path):
    receipts, _, questions, _ = ingest(provider, tmp_path, {"together": provider.error(503)}, *map(said, TEXTS))

    assert [receipt.reason_code for receipt in receipts] == ["extractor_unavailable"] * 3
    assert len(questions) == 1


@pytest.mark.parametrize(
    "other", [{"user_id": "kim"}, {"scope": "work"}, {"session_id": "s2"}], ids=lambda other: next(iter(other))
)
def test_two_owners_scopes_or_conversations_never_share_a_question(
    provider: Provider, tmp_path: Path, other: dict[str, str]
):
    messages = [said(TEXTS[0]), said(TEXTS[1], **other), said(TEXTS[2], **other)]
    together = [tagged(1, TEXTS[1]), tagged(2, TEXTS[2])]
    receipts, _, questions, _ = ingest(provider, tmp_path, {"together": together}, *messages)

    assert [receipt.status for receipt in receipts] == ["published"] * 3
    assert sorted("Figma" in question for question in questions) == [False, True]


def test_a_batch_is_no_longer_than_it_may_be(provider: Provider, tmp_path: Path):
    together = [tagged(1, TEXTS[0]), tagged(2, TEXTS[1])]
    _, objects, questions, _ = ingest(provider, tmp_path, {"together": together}, *map(said, TEXTS), size=2)

    assert (objects, len(questions)) == (["Figma", "Penpot", "Sketch"], 2)

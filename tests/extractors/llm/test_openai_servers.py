"""Servers that speak OpenAI's protocol know more or less of it: the extractor finds the form that they take."""

from __future__ import annotations

import asyncio
import json

import pytest

from prme_extractors.llm.answer import MessageAnswer, json_schema
from prme_extractors.llm.openai_model import OpenAIModel
from prme_extractors.llm.settings import ModelSettings
from tests.extractors.llm.asking import ask, request
from tests.extractors.llm.loopback import FIGMA_ANSWER, OPENAI, Asked, Reply, serving


def form(asked: Asked) -> str:
    return asked.body.get("response_format", {}).get("type", "text")


def knowing(*forms: str, status: int = 400, text: str = FIGMA_ANSWER):
    """Return the script of a server that takes some forms of answer and refuses the others."""

    def reply(asked: Asked) -> Reply:
        return Reply(OPENAI.answer(text)) if form(asked) in forms else OPENAI.error(status)

    return reply


def test_the_form_of_the_answer_is_enforced_where_a_server_can():
    with serving([Reply(OPENAI.answer(FIGMA_ANSWER))]) as (loopback, address):
        ask(OPENAI.extractor(address))

    (asked,) = loopback.asked
    assert asked.body["response_format"] == {
        "type": "json_schema",
        "json_schema": {"name": "claims", "strict": True, "schema": json_schema(MessageAnswer)},
    }
    assert (asked.body["temperature"], asked.body["model"]) == (0, "m1")


@pytest.mark.parametrize("status", [400, 415, 422, 501])
@pytest.mark.parametrize(
    ("forms", "tried"),
    [
        (["json_object"], ["json_schema", "json_object"]),
        (["text"], ["json_schema", "json_object", "text"]),
    ],
)
def test_a_server_without_structured_output_is_asked_more_plainly(forms: list[str], tried: list[str], status: int):
    with serving(knowing(*forms, status=status)) as (loopback, address):
        run = ask(OPENAI.extractor(address))

    assert (run.objects, list(map(form, loopback.asked))) == (["Figma"], tried)


def test_what_a_server_cannot_enforce_the_prompt_shows():
    with serving(knowing("json_object")) as (loopback, address):
        ask(OPENAI.extractor(address))

    enforced, shown = (OPENAI.texts(asked)[0] for asked in loopback.asked)
    schema = json.dumps(json_schema(MessageAnswer), separators=(",", ":"))
    assert (schema in enforced, schema in shown) == (False, True)


def test_the_form_that_a_server_takes_is_remembered():
    with serving(knowing("json_object")) as (loopback, address):
        extractor = OPENAI.extractor(address)

        async def twice() -> None:
            await extractor.extract(request())
            await extractor.extract(request())
            await extractor.aclose()

        asyncio.run(twice())

    assert list(map(form, loopback.asked)) == ["json_schema", "json_object", "json_object"]


def test_a_server_error_that_names_the_form_is_about_the_form():
    refusal = Reply({"error": {"message": "response_format must be one of text, json_object"}}, 500)
    with serving([refusal, Reply(OPENAI.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(OPENAI.extractor(address), tries=1)

    assert (run.objects, list(map(form, loopback.asked))) == (["Figma"], ["json_schema", "json_object"])


def test_any_other_server_error_says_nothing_about_the_form():
    with serving([OPENAI.error(500), Reply(OPENAI.answer(FIGMA_ANSWER))]) as (loopback, address):
        ask(OPENAI.extractor(address))

    assert list(map(form, loopback.asked)) == ["json_schema", "json_schema"]


def test_a_request_that_is_wrong_in_any_form_is_refused_once_and_not_retried():
    with serving(knowing()) as (loopback, address):
        run = ask(OPENAI.extractor(address))

    assert (run.reason_code, len(loopback.asked)) == ("request_refused", 3)


def test_a_busy_server_is_not_taken_for_a_plain_one():
    script = [OPENAI.error(400), OPENAI.error(429), Reply(OPENAI.answer(FIGMA_ANSWER))]
    with serving(script) as (loopback, address):
        run = ask(OPENAI.extractor(address), tries=1)

    assert (run.reason_code, list(map(form, loopback.asked))) == ("rate_limited", ["json_schema", "json_object"])


@pytest.mark.parametrize(
    "text", [f"```json\n{FIGMA_ANSWER}\n```", f"Here it is:\n{FIGMA_ANSWER}\nAnything else?", f"\n\n{FIGMA_ANSWER}"]
)
def test_an_answer_may_be_wrapped_in_words(text: str):
    with serving(knowing("text", text=text)) as (_, address):
        assert ask(OPENAI.extractor(address)).objects == ["Figma"]


def test_openai_itself_is_asked_in_its_newer_words(monkeypatch: pytest.MonkeyPatch):
    with serving([Reply(OPENAI.answer(FIGMA_ANSWER))]) as (loopback, address):
        # The SDK's own way to reach another address; to the extractor it is OpenAI's own service.
        monkeypatch.setenv("OPENAI_BASE_URL", f"{address}/v1")
        model = OpenAIModel(ModelSettings("m1", "key", None, 500, 10))
        extractor = OPENAI.extractor(address)
        extractor._chat = model
        assert ask(extractor).objects == ["Figma"]

    (asked,) = loopback.asked
    assert asked.body["max_completion_tokens"] == OPENAI.extractor("http://x")._max_output_tokens
    assert {"max_tokens", "temperature"}.isdisjoint(asked.body)

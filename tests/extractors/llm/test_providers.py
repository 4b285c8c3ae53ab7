"""Both real SDK clients against a server that speaks their wire formats: success, and every way to fail."""

from __future__ import annotations

import asyncio
import gc
from email.utils import formatdate
from pathlib import Path

import pytest

from prme import ExtractionLimits, MemoryClient
from prme.model.extraction import ExtractedClaim
from tests.extractors.llm.asking import ask, request
from tests.extractors.llm.loopback import (
    ANTHROPIC,
    FIGMA,
    FIGMA_ANSWER,
    KEY,
    NOTHING,
    OPENAI,
    PROVIDERS,
    Provider,
    Reply,
    answer_text,
    answered_claim,
    serving,
)

pytestmark = pytest.mark.parametrize("provider", PROVIDERS, ids=lambda provider: provider.name)
only = pytest.mark.parametrize


def test_a_message_becomes_claims(provider: Provider):
    text = answer_text(
        answered_claim("I switched from Trello to Linear last week.", "Linear", temporal_intent="update")
        | {"predicate": "switched_to", "replaces_object": "Trello", "temporal_ref": "last week"},
        answered_claim("Nadia plays chess.", "chess", subject="Nadia", predicate="plays")
        | {"subject_entity_type": "person", "kind": "preference", "condition": ""},
        entities=[{"name": "Nadia", "entity_type": "person"}],
    )
    with serving([Reply(provider.answer(text))]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert run.extraction is not None
    assert [(entity.name, entity.entity_type) for entity in run.extraction.entities] == [("Nadia", "person")]
    assert list(run.extraction.claims) == [
        ExtractedClaim(
            subject="I",
            predicate="switched_to",
            object="Linear",
            polarity="positive",
            temporal_intent="update",
            replaces_object="Trello",
            temporal_ref="last week",
            evidence_quote="I switched from Trello to Linear last week.",
        ),
        ExtractedClaim(
            subject="Nadia",
            predicate="plays",
            object="chess",
            kind="preference",
            polarity="positive",
            temporal_intent="assertion",
            evidence_quote="Nadia plays chess.",
            subject_entity_type="person",
        ),
    ]
    assert [asked.path for asked in loopback.asked] == [provider.path]


def test_the_tokens_of_an_answer_are_counted_cached_ones_among_them(provider: Provider):
    with serving([Reply(provider.answer(NOTHING))]) as (_, address):
        spending = ask(provider.extractor(address)).spending

    counted = (spending.calls, spending.input_tokens, spending.output_tokens, spending.cached_tokens)
    assert counted == (1, 100, 20, 50)


def test_an_answer_without_counts_is_an_answer_too(provider: Provider):
    body = provider.answer(FIGMA_ANSWER)
    body["usage"] = {key: None if isinstance(value, int) else value for key, value in body["usage"].items()}
    if provider is ANTHROPIC:
        body["usage"] |= {"input_tokens": -1, "output_tokens": True}
    with serving([Reply(body)]) as (_, address):
        run = ask(provider.extractor(address))

    assert (run.objects, run.spending.tokens) == (["Figma"], 0)


@only("status", [408, 409, 429, 500, 502, 503, 529])
def test_a_passing_failure_is_waited_out(provider: Provider, status: int):
    with serving([provider.error(status), Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.objects, len(loopback.asked), run.spending.calls) == (["Figma"], 2, 2)


@only(
    ("status", "reason_code"),
    [(408, "extractor_unavailable"), (429, "rate_limited"), (500, "extractor_unavailable")],
)
def test_a_failure_that_does_not_pass_is_named_and_the_sdk_does_not_retry(
    provider: Provider, status: int, reason_code: str
):
    with serving([provider.error(status)] * 3) as (loopback, address):
        run = ask(provider.extractor(address), tries=3)

    assert (run.reason_code, len(loopback.asked)) == (reason_code, 3)
    assert "Zebrafish" not in run.said


@only(
    ("headers", "wait"),
    [
        ({"retry_after": "7"}, 7.0),
        ({"retry_after": "1.5"}, 1.5),
        ({"retry_after_ms": "250"}, 0.25),
        ({"retry_after": formatdate(1_800_000_030, usegmt=True), "date": formatdate(1_800_000_000, usegmt=True)}, 30.0),
        ({"retry_after": "soon"}, 0.0),
        ({"retry_after": "-5"}, 0.0),
        ({"retry_after": "nan"}, 0.0),
        ({}, 0.0),
    ],
)
def test_the_wait_that_a_server_asks_for_is_kept(provider: Provider, headers: dict[str, str], wait: float):
    with serving([provider.error(429, **headers), Reply(provider.answer(FIGMA_ANSWER))]) as (_, address):
        run = ask(provider.extractor(address))

    # The server writes a date of its own before the one that is asked for.
    assert run.waits == [wait] or (wait == 30.0 and len(run.waits) == 1)


def test_a_wait_beyond_the_whole_time_ends_the_asking(provider: Provider):
    with serving([provider.error(429, retry_after="900"), Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(provider.extractor(address), total_seconds=60)

    assert (run.reason_code, len(loopback.asked), run.waits) == ("rate_limited", 1, [])


@only(
    ("status", "reason_code"),
    [(401, "not_authorised"), (403, "not_authorised"), (404, "unknown_model"), (413, "message_too_long")],
)
def test_a_final_refusal_is_not_asked_again(provider: Provider, status: int, reason_code: str):
    with serving([provider.error(status)]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.reason_code, len(loopback.asked)) == (reason_code, 1)
    assert "Zebrafish" not in run.said


def test_a_dropped_connection_is_asked_again(provider: Provider):
    with serving([Reply(drops=True), Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.objects, len(loopback.asked)) == (["Figma"], 2)


def test_a_body_that_breaks_off_is_asked_again(provider: Provider):
    whole = provider.answer(FIGMA_ANSWER)
    with serving([Reply(whole, cut=True), Reply(whole)]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.objects, len(loopback.asked)) == (["Figma"], 2)


def test_a_server_that_is_not_there_is_unavailable(provider: Provider):
    with serving([]) as (_, address):
        pass

    assert ask(provider.extractor(address), tries=2).reason_code == "extractor_unavailable"


def impatient(provider: Provider, address: str, seconds: float = 0.3):
    extractor = provider.extractor(address)
    extractor._call_seconds = seconds
    return extractor


def test_a_late_answer_is_a_timeout_and_asked_for_again(provider: Provider):
    whole = provider.answer(FIGMA_ANSWER)
    with serving([Reply(whole, late=5), Reply(whole)]) as (loopback, address):
        run = ask(impatient(provider, address))

    assert (run.objects, len(loopback.asked)) == (["Figma"], 2)


def test_a_body_that_drips_is_a_timeout_although_each_byte_comes_in_time(provider: Provider):
    with serving([Reply(provider.answer(FIGMA_ANSWER), drips=0.02)]) as (_, address):
        run = ask(impatient(provider, address), tries=1)

    assert run.reason_code == "extractor_timeout"


def test_the_whole_time_bounds_a_call_that_never_returns(provider: Provider):
    with serving([Reply(provider.answer(FIGMA_ANSWER), late=20)]) as (_, address):
        run = ask(provider.extractor(address), total_seconds=0.3)

    assert run.reason_code == "extractor_timeout"


@only(
    ("text", "fault"),
    [
        ("", "the answer is empty"),
        ("I found nothing.", "no JSON object"),
        (FIGMA_ANSWER[:60], "not complete JSON"),
        ('{"claims": []}', "entities: Field required"),
        (answer_text(answered_claim(FIGMA, "Figma", polarity="maybe")), "claims.0.polarity"),
        (answer_text(answered_claim(FIGMA, "Figma", certainty=1)), "claims.0.certainty"),
        ('{"entities": [], "claims": ' + "[" * 100_000, "not complete JSON"),
    ],
    ids=["empty", "prose", "cut", "no-entities", "wrong-word", "unknown-field", "deep"],
)
def test_an_answer_that_is_not_valid_is_asked_for_again_with_what_was_wrong(provider: Provider, text: str, fault: str):
    with serving([Reply(provider.answer(text)), Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert run.objects == ["Figma"]
    assert fault in provider.texts(loopback.asked[1])[1]
    assert fault not in provider.texts(loopback.asked[0])[1]
    assert provider.room(loopback.asked[1]) == 2 * provider.room(loopback.asked[0])
    assert run.spending.calls == 2


def test_an_answer_that_stays_invalid_is_asked_for_three_times(provider: Provider):
    with serving([Reply(provider.answer("{"))] * 3) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.reason_code, len(loopback.asked)) == ("invalid_extraction", 3)
    assert run.spending.tokens == 3 * 120


def test_an_answer_that_was_cut_off_is_asked_for_again_with_more_room(provider: Provider):
    cut = Reply(provider.answer(FIGMA_ANSWER[:50], provider.truncated))
    with serving([cut, Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert run.objects == ["Figma"]
    assert "cut off" in provider.texts(loopback.asked[1])[1]


def test_an_answer_that_is_always_cut_off_says_so(provider: Provider):
    with serving([Reply(provider.answer(FIGMA_ANSWER[:50], provider.truncated))] * 3) as (_, address):
        assert ask(provider.extractor(address)).reason_code == "answer_truncated"


@only("body", [b"<html>502 Bad Gateway</html>", b'"text"', {}, {"choices": [], "content": None}, b"[]"])
def test_a_response_that_is_none_is_not_taken_for_an_answer(provider: Provider, body: object):
    with serving([Reply(body), Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.objects, len(loopback.asked)) == (["Figma"], 2)


def test_an_unknown_end_is_no_answer(provider: Provider):
    unknown = Reply(provider.answer(FIGMA_ANSWER, "teapot"))
    with serving([unknown] * 3) as (_, address):
        assert ask(provider.extractor(address)).reason_code == "invalid_extraction"


def test_a_refusal_is_final_and_named(provider: Provider):
    refusals = {
        "anthropic": ANTHROPIC.answer("", "refusal"),
        "openai": OPENAI.answer("", refusal="I cannot help with Zebrafish."),
    }
    with serving([Reply(refusals[provider.name])]) as (loopback, address):
        run = ask(provider.extractor(address))

    assert (run.reason_code, len(loopback.asked), run.spending.tokens) == ("model_refused", 1, 120)
    assert "Zebrafish" not in run.said


def test_what_a_filter_or_a_small_context_keeps_out_is_named(provider: Provider):
    endings = {
        "anthropic": ("model_context_window_exceeded", "message_too_long"),
        "openai": ("content_filter", "content_filtered"),
    }
    ending, reason_code = endings[provider.name]
    with serving([Reply(provider.answer("", ending))]) as (_, address):
        assert ask(provider.extractor(address)).reason_code == reason_code


@only("role", ["assistant", "system", "tool"])
def test_only_what_people_say_is_asked_about(provider: Provider, role: str):
    with serving([]) as (loopback, address):
        run = ask(provider.extractor(address), request(role=role))

    assert (run.objects, loopback.asked) == ([], [])


# The first loop is gone before its connections could be given up.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_one_extractor_serves_one_event_loop_after_another(provider: Provider):
    with serving([Reply(provider.answer(FIGMA_ANSWER))] * 2) as (_, address):
        extractor = provider.extractor(address)

        async def once() -> int:
            return len((await extractor.extract(request())).claims)

        async def once_and_close() -> int:
            found = await once()
            await extractor.aclose()
            return found

        assert asyncio.run(once()) + asyncio.run(once_and_close()) == 2
    gc.collect()


def test_a_key_is_sent_and_neither_shown_nor_stored(
    provider: Provider, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    caplog.set_level("DEBUG", logger="prme")
    with serving([provider.error(401), Reply(provider.answer(FIGMA_ANSWER))]) as (loopback, address):
        extractor = provider.extractor(address)
        with MemoryClient(tmp_path, extractor=extractor, limits=ExtractionLimits(tries=1)) as memory:
            receipts = [memory.ingest(FIGMA, user_id="u1") for _ in range(2)]
            shown = repr([receipts, vars(extractor), vars(extractor._chat), memory.explain(receipts[0].event_id)])

    assert all(KEY in repr(asked.headers) for asked in loopback.asked)
    assert [receipt.status for receipt in receipts] == ["failed", "published"]
    stored = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert KEY not in shown + caplog.text
    assert KEY.encode() not in stored

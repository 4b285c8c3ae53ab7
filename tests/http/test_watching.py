"""What the service tells its operator: logs, metrics, health; never the words of anybody."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from prme import IngestReceipt, MemoryEngine, StoreBusyError, StoreError, UnfinishedMessages
from prme.http import HttpSettings
from prme.http.log import SafeJsonFormatter, log_to
from prme.http.metrics import Metrics
from tests.engine.conversation import NO_TEA, TEA, Stalled
from tests.http.serving import Served, kind_of, served

WORDS = "the secret words of this message"
NOTHING_UNFINISHED = UnfinishedMessages(pending=0, failed=0)


@pytest.fixture
def lines() -> Iterator[io.StringIO]:
    """What is logged while the test runs, as the program logs it."""
    stream = io.StringIO()
    loggers = [logging.getLogger(name) for name in ("prme", "uvicorn", "asyncio")]
    before = [(logger, logger.handlers, logger.level, logger.propagate) for logger in loggers]
    log_to(stream)
    yield stream
    for logger, handlers, level, propagate in before:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)


def documents(stream: io.StringIO, event: str) -> list[dict[str, object]]:
    logged = [json.loads(line) for line in stream.getvalue().splitlines()]
    return [document for document in logged if document["event"] == event]


def test_a_request_is_one_line_of_json(lines: io.StringIO):
    with served() as service:
        service.get("/v1/events/some-id", headers={"X-Request-ID": "r-1"})
    (line,) = documents(lines, "request")

    expected = {"request_id": "r-1", "method": "GET", "route": "/v1/events/{id}", "status": 404, "level": "INFO"}
    assert expected == {name: line[name] for name in expected}


def test_no_line_holds_words_of_a_request(lines: io.StringIO):
    with served() as service:
        service.post(f"/v1/ingest?{WORDS}", {"content": WORDS, "user_id": WORDS, "metadata": {WORDS: WORDS}})
        service.post("/v1/retrieve", {"query": WORDS, "user_id": WORDS})
        service.post("/v1/ingest", {WORDS: WORDS})
        service.get(f"/v1/events/{WORDS}?user_id={WORDS}")
        service.get(f"/{WORDS}")
        service.client.request("SECRET", "/healthz", headers={"X-Request-ID": WORDS, "Authorization": WORDS})

    assert 6 == len(documents(lines, "request"))
    assert "secret" not in lines.getvalue().lower()


def test_an_exception_is_logged_without_its_text():
    try:
        raise RuntimeError(WORDS)
    except RuntimeError as error:
        told = SafeJsonFormatter().formatException((type(error), error, error.__traceback__))

    assert "RuntimeError at " in told
    assert WORDS not in told


def test_a_request_keeps_an_id_that_is_fit_for_a_log(shared: Served):
    assert "r-1.a_B" == shared.get("/healthz", headers={"X-Request-ID": "r-1.a_B"}).headers["x-request-id"]


@pytest.mark.parametrize("given", ["", "two words", "x" * 65, "{}"])
def test_a_request_gets_an_id_of_its_own_otherwise(shared: Served, given: str):
    assert given != shared.get("/healthz", headers={"X-Request-ID": given}).headers["x-request-id"]


def test_every_answer_says_that_nothing_is_to_be_kept(shared: Served):
    for path in ("/healthz", "/v1/nowhere", "/v1/changes"):
        headers = shared.get(path).headers

        assert ("no-store", "nosniff") == (headers["cache-control"], headers["x-content-type-options"])


def metric(service: Served, line: str) -> float:
    text = service.get("/metrics").text
    found = [number.rpartition(" ")[2] for number in text.splitlines() if number.startswith(f"{line} ")]
    return float(found[0]) if found else 0.0


def test_metrics_count_requests_by_route_and_status(service: Served):
    service.get("/v1/events/one")
    service.get("/v1/events/two")

    assert 2 == metric(service, 'prme_http_requests_total{method="GET",route="/v1/events/{id}",status="404"}')
    assert 2 == metric(service, 'prme_http_request_seconds_count{method="GET",route="/v1/events/{id}"}')


def test_metrics_count_what_messages_did(service: Served):
    service.ingest(TEA)
    service.ingest(NO_TEA, message_id="m1")
    service.ingest(NO_TEA, message_id="m1")

    assert 2 == metric(service, 'prme_ingests_total{status="published"}')
    assert 1 == metric(service, 'prme_ingests_total{status="duplicate"}')
    assert 1 == metric(service, "prme_claims_retired_total")


def test_metrics_tell_how_many_messages_wait_for_their_extraction():
    with served(extractor=Stalled()) as service:
        before = metric(service, 'prme_messages_unfinished{state="pending"}')
        service.ingest(TEA, wait_for_extraction=False)
        service.ingest(NO_TEA, wait_for_extraction=False)

        assert (0, 2) == (before, metric(service, 'prme_messages_unfinished{state="pending"}'))
        assert 0 == metric(service, 'prme_messages_unfinished{state="failed"}')


def test_metrics_name_the_requests_at_work(service: Served):
    assert 1 == metric(service, "prme_http_requests_at_work")


def test_an_unknown_address_or_method_is_no_label_of_its_own(service: Served):
    service.get("/v1/made-up")
    service.client.request("MADEUP", "/healthz")

    assert "made" not in service.get("/metrics").text.lower().replace("made_", "")


def test_two_applications_count_apart():
    first, second = Metrics(), Metrics()
    first.begin()

    assert b"prme_http_requests_at_work 1.0" in first.text(NOTHING_UNFINISHED)
    assert b"prme_http_requests_at_work 0.0" in second.text(NOTHING_UNFINISHED)


def test_a_service_that_works_is_live_and_ready(shared: Served):
    assert {"status": "ok"} == shared.get("/healthz").json()
    assert {"status": "ready"} == shared.get("/readyz").json()


def test_a_service_whose_store_is_closed_is_live_and_not_ready():
    with served(settings=HttpSettings()) as service:
        service.close_store()

        assert 200 == service.get("/healthz").status_code
        assert (503, "store_unavailable") == kind_of(service.get("/readyz"))


class FailingOnce(MemoryEngine):
    """A memory whose store refuses the first message: as busy when the message says so, else as damaged."""

    has_failed = False

    async def ingest(self, content: str, **fields: Any) -> IngestReceipt:
        if not self.has_failed:
            self.has_failed = True
            raise StoreBusyError("later") if content == "busy" else StoreError("damaged")
        return await super().ingest(content, **fields)


def test_a_service_whose_last_write_was_refused_is_not_ready_until_one_succeeds():
    with served(engine_class=FailingOnce) as service:
        refused = service.ingest(TEA).status_code, service.get("/readyz").status_code
        taken = service.ingest(TEA).status_code, service.get("/readyz").status_code

    assert ((503, 503), (200, 200)) == (refused, taken)


def test_a_service_that_is_only_busy_is_ready():
    with served(engine_class=FailingOnce) as service:
        assert (503, "store_busy") == kind_of(service.ingest("busy"))
        assert 200 == service.get("/readyz").status_code

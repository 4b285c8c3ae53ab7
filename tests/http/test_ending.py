"""How the service ends: what is being worked on is finished, and the store is closed."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from prme import Extraction, ExtractionRequest, MemoryClient
from tests.engine.conversation import TEA, Remote
from tests.http.processes import started
from tests.http.serving import served

SAID = {"content": "I use an insulin pump.", "user_id": "sam", "first_person_owner": True}


class Held(Remote):
    """An extractor that answers when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()
        self.released = threading.Event()

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.asked.set()
        while not self.released.is_set():
            await asyncio.sleep(0.01)
        return await super().extract(request)


def test_a_request_in_flight_is_finished_and_nothing_new_is_accepted(tmp_path: Path):
    extractor = Held()
    with served(tmp_path, extractor=extractor) as service, ThreadPoolExecutor(1) as other:
        answer = other.submit(service.ingest, TEA)
        assert extractor.asked.wait(20)
        service.end()
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            try:
                httpx2.get(f"{service.url}/healthz", trust_env=False, verify=False)
            except httpx2.HTTPError:
                break
        else:
            pytest.fail("it still accepts connections")
        extractor.released.set()

        assert (200, "published") == (answer.result(20).status_code, answer.result().json()["status"])

    with MemoryClient(tmp_path, extractor=Remote()) as memory:
        assert ["tea"] == [claim.object for claim in memory.claims(user_id="sam")]


def test_a_request_that_takes_too_long_is_given_up_and_its_message_stays_pending(tmp_path: Path):
    extractor = Held()
    with served(tmp_path, extractor=extractor, shutdown_seconds=0.2) as service, ThreadPoolExecutor(1) as other:
        answer = other.submit(service.ingest, TEA)
        assert extractor.asked.wait(20)
        service.end()

        with pytest.raises(httpx2.HTTPError):
            answer.result(20).raise_for_status()

    with MemoryClient(tmp_path, extractor=Remote()) as memory:
        memory.process_pending()
        assert ["tea"] == [claim.object for claim in memory.claims(user_id="sam")]
        assert memory.verify().ok


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_process_in_order(tmp_path: Path, number: signal.Signals):
    with started(tmp_path / "memory") as process:
        url = process.wait_until_listening()
        answer = httpx2.post(f"{url}/v1/ingest", json=SAID, trust_env=False, timeout=60)
        process.send(number)

        assert 0 == process.wait()

    assert 200 == answer.status_code
    assert ["listening", "request", "closing", "closed"] == [event["event"] for event in process.events()]
    with MemoryClient(tmp_path / "memory") as memory:
        assert memory.get_event(answer.json()["event_id"]) is not None
        assert memory.verify().ok


def test_what_was_acknowledged_while_it_was_told_to_end_is_stored(tmp_path: Path):
    acknowledged: list[str] = []

    def talk(url: str, client_number: int) -> None:
        with httpx2.Client(base_url=url, trust_env=False, verify=False, timeout=60) as client:
            for number in range(10_000):
                try:
                    answer = client.post("/v1/ingest", json={**SAID, "message_id": f"{client_number}-{number}"})
                except httpx2.HTTPError:
                    return
                if answer.status_code == 200:
                    acknowledged.append(answer.json()["event_id"])

    with ThreadPoolExecutor(4) as clients:
        with served(tmp_path) as service:
            talking = [clients.submit(talk, service.url, number) for number in range(4)]
            while len(acknowledged) < 20:
                time.sleep(0.01)
        for client in talking:
            client.result(60)

    with MemoryClient(tmp_path) as memory:
        assert [] == [event for event in acknowledged if memory.get_event(event) is None]
        assert memory.verify().ok


def test_pending_work_of_an_earlier_service_is_taken_up(tmp_path: Path):
    with served(tmp_path, extractor=Held()) as service:
        event = service.ingest(TEA, wait_for_extraction=False).json()["event_id"]

    with served(tmp_path, extractor=Remote()) as service:
        deadline = time.monotonic() + 20
        while service.get(f"/v1/events/{event}/plan").status_code == 404:
            assert time.monotonic() < deadline
            time.sleep(0.02)

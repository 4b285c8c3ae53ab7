from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from typing import Any

import pytest

from prme import Extraction, ExtractionRequest, MemoryClient, ids
from prme.http import HttpSettings, server
from tests.engine.conversation import TEA, Remote
from tests.http.serving import Served, kind_of, served

SMALL = HttpSettings(most_body_bytes=1_000)


def sized(size: int) -> bytes:
    """Return a body of exactly so many bytes."""
    frame = json.dumps({"content": "", "user_id": "sam"}).encode()
    return frame.replace(b'""', b'"' + b"x" * (size - len(frame)) + b'"', 1)


def send(service: Served, body: Any) -> Any:
    return service.client.post("/v1/ingest", content=body, headers={"Content-Type": "application/json"})


@pytest.mark.parametrize(("size", "status"), [(1_000, 200), (1_001, 413), (5_000, 413), (20_000, 413)])
def test_a_body_has_at_most_so_many_bytes(size: int, status: int):
    with served(settings=SMALL) as service:
        assert status == send(service, sized(size)).status_code


@pytest.mark.parametrize(("size", "status"), [(1_000, 200), (1_001, 413)])
def test_a_body_that_does_not_say_how_long_it_is_has_no_more(size: int, status: int):
    with served(settings=SMALL) as service:
        whole = sized(size)

        assert status == send(service, iter([whole[:600], whole[600:]])).status_code


def test_the_longest_message_fits_also_when_every_character_is_escaped(service: Served):
    content = "\U0001f375" * 100_000
    body = json.dumps({"content": content, "user_id": "sam", "metadata": {"a": "\u00e9" * 10_000}}).encode("ascii")

    assert len(body) > 1_200_000
    assert 200 == send(service, body).status_code


def read_all(connection: socket.socket) -> bytes:
    received = b""
    with contextlib.suppress(ConnectionResetError):
        while chunk := connection.recv(65_536):
            received += chunk
    return received


def head(port: int, *lines: str) -> bytes:
    return "\r\n".join(["POST /v1/ingest HTTP/1.1", f"Host: 127.0.0.1:{port}", *lines, "", ""]).encode()


def test_a_body_that_is_announced_as_too_large_is_refused_before_it_is_sent():
    with served(settings=SMALL) as service, service.connect() as connection:
        announced = ("Content-Type: application/json", "Content-Length: 5000000000", "Expect: 100-continue")
        connection.sendall(head(service.port, *announced))

        assert read_all(connection).startswith(b"HTTP/1.1 413 ")


def test_a_body_that_does_not_arrive_in_time_is_408():
    with served(settings=HttpSettings(body_seconds=0.3)) as service, service.connect() as connection:
        connection.sendall(head(service.port, "Content-Type: application/json", "Content-Length: 100") + b'{"content"')
        answer = read_all(connection)

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b'"urn:prme:problem:too_slow"' in answer


def test_a_body_that_trickles_in_is_408_too():
    with served(settings=HttpSettings(body_seconds=0.5)) as service, service.connect() as connection:
        connection.sendall(head(service.port, "Content-Type: application/json", "Content-Length: 100"))
        began = time.monotonic()
        for _ in range(100):
            try:
                connection.sendall(b" ")
            except OSError:
                break
            time.sleep(0.02)
            connection.setblocking(False)
            try:
                if connection.recv(1, socket.MSG_PEEK):
                    break
            except BlockingIOError:
                pass
            finally:
                connection.settimeout(20)

        assert read_all(connection).startswith(b"HTTP/1.1 408 ")
        assert time.monotonic() - began < 10


def test_a_body_that_arrives_in_pieces_is_taken():
    with served(settings=HttpSettings(body_seconds=5)) as service, service.connect() as connection:
        body = sized(60)
        lines = ("Content-Type: application/json", f"Content-Length: {len(body)}", "Connection: close")
        connection.sendall(head(service.port, *lines))
        for byte in body:
            connection.sendall(bytes([byte]))

        assert read_all(connection).startswith(b"HTTP/1.1 200 ")


def test_a_client_that_goes_away_in_the_middle_of_a_body_is_forgotten(service: Served):
    with service.connect() as connection:
        connection.sendall(head(service.port, "Content-Type: application/json", "Content-Length: 100") + b"{")

    assert 200 == service.ingest(TEA).status_code
    assert 1 == len({change["event_id"] for change in service.get("/v1/changes").json()})


class Held(Remote):
    """An extractor that answers when the test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = threading.Event()
        self.released = threading.Event()

    async def extract(self, request: ExtractionRequest) -> Extraction:
        self.asked.set()
        await asyncio.to_thread(self.released.wait, 20)
        return await super().extract(request)


def test_more_requests_than_allowed_at_once_are_503():
    extractor = Held()
    settings = HttpSettings(most_requests=1)
    with served(settings=settings, extractor=extractor) as service, ThreadPoolExecutor(1) as other:
        first = other.submit(service.ingest, TEA)
        assert extractor.asked.wait(20)
        full = service.get("/v1/changes")
        healthy = service.get("/healthz")
        extractor.released.set()
        first.result(20)
        again = service.get("/v1/changes")

    assert (503, "busy") == kind_of(full)
    assert "1" == full.headers["retry-after"]
    assert (200, 200, 200) == (healthy.status_code, first.result().status_code, again.status_code)


def test_an_answer_that_takes_too_long_is_504_and_the_work_goes_on(tmp_path: Any):
    extractor = Held()
    with served(tmp_path, HttpSettings(answer_seconds=1.5), extractor=extractor) as service:
        late = service.ingest(TEA, message_id="m1")
        event = ids.event_id("sam", "personal", "m1")
        extractor.released.set()
        deadline = time.monotonic() + 20
        while service.get(f"/v1/events/{event}/plan").status_code != 200 and time.monotonic() < deadline:
            time.sleep(0.02)
        again = service.ingest(TEA, message_id="m1")

    assert (504, "late") == kind_of(late)
    assert (200, "duplicate", 1) == (again.status_code, again.json()["status"], len(again.json()["claims"]))


def test_a_message_whose_client_went_away_is_published_all_the_same(tmp_path: Any):
    extractor = Held()
    with served(tmp_path, extractor=extractor) as service:
        with service.connect() as connection:
            body = json.dumps({"content": TEA, "user_id": "sam", "first_person_owner": True}).encode()
            lines = ("Content-Type: application/json", f"Content-Length: {len(body)}")
            connection.sendall(head(service.port, *lines) + body)
            assert extractor.asked.wait(20)
        extractor.released.set()
        deadline = time.monotonic() + 20
        while not service.get("/v1/claims?user_id=sam").json() and time.monotonic() < deadline:
            time.sleep(0.02)

    with MemoryClient(tmp_path) as memory:
        assert ["tea"] == [claim.object for claim in memory.claims(user_id="sam")]


def test_a_connection_that_brings_no_request_is_closed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "FIRST_REQUEST_SECONDS", 0.2)
    with served() as service, service.connect() as silent, service.connect() as slow:
        slow.sendall(b"GET /healthz HTTP/1.1\r\n")

        assert (b"", b"") == (read_all(silent), read_all(slow))


def test_a_connection_that_brought_a_request_may_bring_another(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(server, "FIRST_REQUEST_SECONDS", 1.0)
    with served() as service, contextlib.closing(HTTPConnection("127.0.0.1", service.port, timeout=20)) as connection:
        connection.request("GET", "/healthz")
        connection.getresponse().read()
        opened = connection.sock
        time.sleep(1.2)
        connection.request("GET", "/healthz")

        assert 200 == connection.getresponse().status
        assert opened is connection.sock


def test_a_request_that_is_no_http_is_400_and_closed(service: Served):
    with service.connect() as connection:
        connection.sendall(b"\x16\x03\x01 not http\r\n\r\n")

        assert read_all(connection).startswith(b"HTTP/1.1 400 ")


def test_a_head_that_does_not_end_is_refused(shared: Served):
    with shared.connect() as connection, contextlib.suppress(ConnectionError):
        while True:
            connection.sendall(b"GET /healthz HTTP/1.1\r\nX: " + b"x" * 200_000)

    assert 200 == shared.get("/healthz").status_code

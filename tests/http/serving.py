"""Serves a store over real HTTP on a loopback port, from a thread of the test."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2

from prme import MemoryEngine
from prme.http import HttpSettings
from prme.http.server import Service, listening_socket, url_of
from prme.http.tokens import Token, token_digest
from tests.engine.conversation import Scripted, SettableClock

SAM_TOKEN = "sam-has-this-token"
KIM_TOKEN = "kim-has-this-token"
ADMIN_TOKEN = "the-operator-has-this-token"
TOKENS = (
    Token(digest=token_digest(SAM_TOKEN), user_id="sam"),
    Token(digest=token_digest(KIM_TOKEN), user_id="kim"),
    Token(digest=token_digest(ADMIN_TOKEN), admin=True),
)
WITH_TOKENS = HttpSettings(tokens=TOKENS)


def bearing(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


@dataclass
class Served:
    """A service at work: a client that talks to it, its address, and how to end it."""

    client: httpx2.Client
    url: str
    port: int
    end: Callable[[], None]
    close_store: Callable[[], None]

    def post(self, path: str, body: Any, **options: Any) -> httpx2.Response:
        return self.client.post(path, json=body, **options)

    def get(self, path: str, **options: Any) -> httpx2.Response:
        return self.client.get(path, **options)

    def ingest(self, content: str, **fields: Any) -> httpx2.Response:
        return self.post("/v1/ingest", {"content": content, "user_id": "sam", "first_person_owner": True, **fields})

    def entries(self) -> int:
        """Return how many entries the journals have: what is refused adds none."""
        return len(self.get("/v1/changes?limit=10000").json())

    def connect(self) -> socket.socket:
        """Return a plain connection, for what no client would send."""
        return socket.create_connection(("127.0.0.1", self.port), timeout=20)


@contextmanager
def served(
    directory: str | Path = ":memory:",
    settings: HttpSettings | None = None,
    *,
    extractor: Any = None,
    engine_class: type[MemoryEngine] = MemoryEngine,
    token: str | None = None,
    shutdown_seconds: float = 20.0,
) -> Iterator[Served]:
    """Serve a store until the block ends; the client has the token, if there is one."""
    engine = engine_class(directory, extractor=extractor or Scripted(), clock=SettableClock())
    service = Service(engine, settings or HttpSettings(), shutdown_seconds=shutdown_seconds)
    with listening_socket("127.0.0.1", 0) as listener:
        url, port = url_of(listener), listener.getsockname()[1]
        started: Future[asyncio.AbstractEventLoop] = Future()

        async def serve() -> None:
            started.set_result(asyncio.get_running_loop())
            await service.run(listener)

        def end() -> None:
            service.end(signal.SIGTERM, None)

        def close_store() -> None:
            asyncio.run_coroutine_threadsafe(engine.close(), started.result(20)).result(20)

        thread = threading.Thread(target=lambda: asyncio.run(serve()), name="served")
        thread.start()

        try:
            headers = {} if token is None else bearing(token)
            with httpx2.Client(base_url=url, headers=headers, timeout=20, trust_env=False, verify=False) as client:
                yield Served(client, url, port, end, close_store)
        finally:
            end()
            thread.join(30)
    assert not thread.is_alive()


def kind_of(response: httpx2.Response) -> tuple[int, str]:
    """Return the status of a problem and its kind."""
    assert response.headers["content-type"] == "application/problem+json", response.text
    return response.status_code, response.json()["type"].removeprefix("urn:prme:problem:")

"""Runs the service: one process, one listening socket, and an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
from collections.abc import Generator
from typing import Any

import uvicorn
from fastapi import FastAPI
from uvicorn.protocols.http.h11_impl import H11Protocol

from prme.engine import MemoryEngine
from prme.http.app import create_app
from prme.http.settings import HttpSettings

logger = logging.getLogger("prme.http")
KEEP_ALIVE_SECONDS = 5
FIRST_REQUEST_SECONDS = 20.0
BACKLOG = 512


class _Protocol(H11Protocol):
    """HTTP/1.1 that hangs up on a connection which brings no request."""

    def connection_made(self, transport: Any) -> None:
        """Begin to wait for the first request."""
        super().connection_made(transport)
        self._deadline = self.loop.call_later(FIRST_REQUEST_SECONDS, self._hang_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._deadline.cancel()
        super().connection_lost(exc)

    def _hang_up(self) -> None:
        if self.cycle is None:
            self.transport.close()


class _Server(uvicorn.Server):
    """A server whose signals are handled by whoever runs it: they count from before the store opens until it closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Generator[None, None, None]:
        """Leave the signals alone."""
        yield


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens on an address; port 0 takes any free one. Raises `OSError`."""
    family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except BaseException:
        listener.close()
        raise
    return listener


def url_of(listener: socket.socket) -> str:
    """Return the address of a listening socket as a URL."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Service:
    """The service of one store on one socket."""

    def __init__(self, engine: MemoryEngine, settings: HttpSettings, *, shutdown_seconds: float) -> None:
        self._engine = engine
        app: FastAPI = create_app(engine, settings)
        config = uvicorn.Config(
            app,
            http=_Protocol,
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=shutdown_seconds,  # type: ignore[arg-type]  # any number of seconds is waited for
        )
        self._server = _Server(config)

    def end(self, number: int, frame: Any) -> None:
        """Begin to end, as a handler of signals: nothing new is accepted. A second interrupt does not wait."""
        self._server.handle_exit(number, frame)

    async def run(self, listener: socket.socket) -> None:
        """Answer requests until a signal says to end; then finish what is being worked on and close the store."""
        async with self._engine:
            logger.info("listening", extra={"url": url_of(listener)})
            await self._server.serve(sockets=[listener])
            logger.info("closing")
        logger.info("closed")


def serve(engine: MemoryEngine, settings: HttpSettings, listener: socket.socket, *, shutdown_seconds: float) -> None:
    """Serve a store until SIGTERM or SIGINT, in the main thread; the engine is closed at the end."""
    service = Service(engine, settings, shutdown_seconds=shutdown_seconds)
    before = {number: signal.signal(number, service.end) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        asyncio.run(service.run(listener))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)

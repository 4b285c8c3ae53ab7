"""Runs the server for one store: over standard input and output, or over HTTP for this machine, to an orderly end."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
import sys
from typing import Any

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp.server.transport_security import TransportSecuritySettings

from prme.engine import MemoryEngine
from prme.mcp.server import create_server

PATH = "/mcp"
LOOPBACK = "127.0.0.1"
SHUTDOWN_SECONDS = 5
_LOCAL_NAMES = (LOOPBACK, "localhost")


def serve_streams(engine: MemoryEngine, user_id: str | None) -> None:
    """Serve one client over standard input and output until its end, SIGTERM or SIGINT; then close the store.

    While it lasts nothing but the protocol is written to standard output. Raises `BrokenPipeError` when the client does
    not read any more.
    """
    asyncio.run(_serve_streams(engine, user_id))


async def _serve_streams(engine: MemoryEngine, user_id: str | None) -> None:
    async with engine:
        serving = asyncio.create_task(_exchange(create_server(engine, user_id)))
        signalled = asyncio.create_task(_signal())
        await asyncio.wait({serving, signalled}, return_when=asyncio.FIRST_COMPLETED)
    if not serving.done():
        # The SDK waits for a line of standard input in a thread, which nothing can end but that line.
        os._exit(0)
    signalled.cancel()
    is_read = True
    try:
        await serving
    except* BrokenPipeError:
        is_read = False
    if not is_read:
        raise BrokenPipeError("the client does not read any more")


async def _exchange(server: Server[Any]) -> None:
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


async def _signal() -> None:
    """Wait for a signal that says to end."""
    received = asyncio.Event()
    with contextlib.suppress(NotImplementedError):  # Windows ends the process by itself
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, received.set)
    await received.wait()


def serve_http(engine: MemoryEngine, user_id: str | None, listener: socket.socket) -> None:
    """Serve clients of this machine over streamable HTTP until SIGTERM or SIGINT; then close the store."""
    server = _web_server(engine, user_id, listener.getsockname()[1])
    # Uvicorn's own handlers count from its start to its end only, and then send the signals again, before the store
    # closes: these count from here on, and find that the end has begun.
    before = {number: signal.signal(number, server.handle_exit) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        asyncio.run(_serve_http(engine, server, listener))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


async def _serve_http(engine: MemoryEngine, server: uvicorn.Server, listener: socket.socket) -> None:
    async with engine:
        print(f"listening on {url_of(listener)}", file=sys.stderr, flush=True)
        await server.serve(sockets=[listener])


def _web_server(engine: MemoryEngine, user_id: str | None, port: int) -> uvicorn.Server:
    # A page in a browser on this machine reaches local addresses too: by its origin, or under a name of its own.
    security = TransportSecuritySettings(
        allowed_hosts=[f"{name}:{port}" for name in _LOCAL_NAMES],
        allowed_origins=[f"http://{name}:{port}" for name in _LOCAL_NAMES],
    )
    app = create_server(engine, user_id).streamable_http_app(streamable_http_path=PATH, transport_security=security)
    config = uvicorn.Config(
        app,
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    return uvicorn.Server(config)


def local_socket(port: int) -> socket.socket:
    """Return a socket that listens on this machine; port 0 takes any free one. Raises `OSError`."""
    return socket.create_server((LOOPBACK, port))


def url_of(listener: socket.socket) -> str:
    """Return the address that clients are given."""
    return f"http://{LOOPBACK}:{listener.getsockname()[1]}{PATH}"

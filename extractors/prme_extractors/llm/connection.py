"""A client of an SDK, made when it is needed: connections belong to one event loop, an extractor may see several."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar


class Closable(Protocol):
    """A client that can be closed."""

    async def close(self) -> None:
        """Give up the connections."""


Client = TypeVar("Client", bound=Closable)


class Connection(Generic[Client]):
    """The client for the running event loop."""

    def __init__(self, connect: Callable[[], Client]) -> None:
        """Take what makes a client."""
        self._connect = connect
        self._open: tuple[asyncio.AbstractEventLoop, Client] | None = None

    def client(self) -> Client:
        """Return the client; another event loop than before gets a new one."""
        loop = asyncio.get_running_loop()
        if self._open is None or self._open[0] is not loop:
            self._open = (loop, self._connect())
        return self._open[1]

    async def aclose(self) -> None:
        """Close the client of the running loop; that of another loop stays, and a later use makes a new one."""
        if self._open is not None and self._open[0] is asyncio.get_running_loop():
            _, client = self._open
            self._open = None
            await client.close()

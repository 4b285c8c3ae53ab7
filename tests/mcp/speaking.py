"""A client of the SDK that tests call without waiting, and the program as a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client, StdioServerParameters
from mcp.types import CallToolResult, Implementation

PROGRAM = "from prme.cli.main import main; main()"
CLIENT = Implementation(name="spec client", version="1")
ACTOR = "mcp:spec client"


@dataclass(frozen=True)
class Speaking:
    """An open session: each call returns what the server answered."""

    portal: BlockingPortal
    client: Client

    def call(self, tool: str, **arguments: Any) -> CallToolResult:
        return self.portal.call(self.client.call_tool, tool, arguments)

    def data(self, tool: str, **arguments: Any) -> dict[str, Any]:
        answer = self.call(tool, **arguments)
        assert not answer.is_error, text_of(answer)
        return dict(answer.structured_content)

    def refusal(self, tool: str, **arguments: Any) -> str:
        answer = self.call(tool, **arguments)
        assert answer.is_error, text_of(answer)
        return text_of(answer)

    def tools(self) -> dict[str, Any]:
        return {tool.name: tool for tool in self.portal.call(self.client.list_tools).tools}

    def resource(self, uri: str) -> str:
        (content,) = self.portal.call(self.client.read_resource, uri).contents
        return str(content.text)


def text_of(answer: CallToolResult) -> str:
    return "".join(part.text for part in answer.content if part.type == "text")


@contextmanager
def speaking(server: Any, **options: Any) -> Iterator[Speaking]:
    """Open a session with a server: one of this process, a process to start, or an address."""
    client = Client(server, client_info=CLIENT, **options)
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(client):
        yield Speaking(portal, client)


def command(store: Path, *options: str) -> StdioServerParameters:
    return StdioServerParameters(
        command=sys.executable, args=["-c", PROGRAM, "--store", str(store), "mcp", *options], env=dict(os.environ)
    )


@contextmanager
def started(store: Path, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """Start `prme mcp` with pipes for its three streams, and end it whatever happens."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, "--store", str(store), "mcp", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

"""`prme mcp --http`: for this machine, for clients and not for pages of other origins."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from prme import MemoryClient
from tests.mcp.speaking import speaking, started

HEADERS = {"Accept": "application/json, text/event-stream"}
CALL = {"jsonrpc": "2.0", "id": 1, "method": "ping"}


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with started(tmp_path_factory.mktemp("mcp") / "memory", "--user-id", "sam", "--http", "--port", "0") as process:
        assert process.stderr is not None
        yield process.stderr.readline().decode().split()[-1]


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_a_client_stores_and_recalls(url: str, mode: str):
    with speaking(url, mode=mode) as session:
        (claim,) = session.data("memory_ingest", content=f"I use a {mode} pump.", first_person_owner=True)["claims"]
        found = session.data("memory_retrieve", query=mode, exclude_node_types=["NOTE"])

    assert [claim] == [hit["node"]["id"] for hit in found["hits"]]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:1"}, 403),
        ({"Host": "evil.example"}, 421),
    ],
    ids=["origin", "another-port", "rebound-name"],
)
def test_a_page_of_another_origin_is_refused(url: str, headers: dict[str, str], status: int):
    assert status == httpx2.post(url, json=CALL, headers=HEADERS | headers).status_code


def test_the_same_request_without_a_foreign_origin_is_not_refused_for_it(url: str):
    own = url.removesuffix("/mcp")

    assert {403, 421}.isdisjoint(
        httpx2.post(url, json=CALL, headers=HEADERS | headers).status_code for headers in ({}, {"Origin": own})
    )


def test_a_signal_ends_it_and_closes_the_store(tmp_path: Path):
    with started(tmp_path, "--http", "--port", "0") as process:
        assert process.stderr is not None
        process.stderr.readline()
        process.send_signal(signal.SIGTERM)

        assert 0 == process.wait(15)
    assert not (tmp_path / "memory.duckdb.wal").exists()
    with MemoryClient(tmp_path) as memory:
        assert memory.verify().ok

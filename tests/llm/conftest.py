"""One server with a real small model for all tests, and stores whose extractor asks it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prme import ExtractionLimits, MemoryClient
from tests.llm.served import MODEL, served_model

# On a busy machine the model writes a word or two a second.
PATIENT = ExtractionLimits(total_seconds=900.0, concurrency=1)
Opened = Callable[..., MemoryClient]


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    with served_model() as address:
        yield address


@pytest.fixture
def opened(server: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Opened]:
    """Return what opens an empty store whose extractor is made by name, as users do; all are closed after the test."""
    clients: list[MemoryClient] = []

    def open_store(
        provider: str = "openai", *, form: str = "schema", limits: ExtractionLimits = PATIENT
    ) -> MemoryClient:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server}/{form}/v1")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"{server}/{form}")
        directory = tmp_path / f"store-{len(clients)}"
        clients.append(MemoryClient(directory, extractor=f"{provider}:{MODEL}", limits=limits))
        return clients[-1]

    yield open_store
    for client in clients:
        client.close()

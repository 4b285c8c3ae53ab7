"""Opens a store for one command, and closes it whatever happens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prme.errors import ExtractionError, StoreError
from prme.extraction.protocol import Extractor
from prme.model.extraction import Extraction, ExtractionRequest
from prme.policy.registry import DEFAULT_POLICY
from prme.service import MemoryService
from prme.store.database import DATABASE_FILE


class _NoExtractor:
    """Stands in where a command only reads: it is never asked, and needs neither tables nor keys."""

    name = "none"
    model = "none"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Refuse: a command that reads has nothing to extract."""
        raise ExtractionError("this command only reads", reason_code="no_extractor")


@contextmanager
def reading_store(directory: str) -> Iterator[MemoryService]:
    """Open an existing store to read it; work that is pending there stays pending.

    Raises `StoreError` when there is no store: a mistyped name must not create one.
    """
    if not Path(directory, DATABASE_FILE).is_file():
        raise StoreError(f"there is no store in {directory!r}: name one with --store DIR, or make one with prme ingest")
    with writing_store(directory, _NoExtractor()) as service:
        yield service


@contextmanager
def writing_store(directory: str, extractor: str | Extractor, policy: str = DEFAULT_POLICY) -> Iterator[MemoryService]:
    """Open or create a store; closing waits for the write in flight, so that nothing acknowledged is lost."""
    service = MemoryService(directory, extractor=extractor, policy=policy)
    try:
        yield service
    finally:
        service.close()

"""Opens a store for one command, and closes it whatever happens."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from pathlib import Path

from prme.errors import ExtractionError, StoreError
from prme.extraction.limits import DEFAULT_LIMITS, ExtractionLimits
from prme.extraction.protocol import Extractor
from prme.model.extraction import Extraction, ExtractionRequest
from prme.policy.registry import DEFAULT_POLICY, get_policy
from prme.service import MemoryService
from prme.store.opening import DATABASE_FILE


class _NoExtractor:
    """Stands in where a command only reads: it is never asked, and needs neither tables nor keys."""

    name = "none"
    model = "none"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Refuse: a command that reads has nothing to extract."""
        raise ExtractionError("this command only reads", reason_code="no_extractor")


@contextmanager
def reading_store(directory: str) -> Iterator[MemoryService]:
    """Open an existing store for a command that extracts nothing; work that is pending there stays pending.

    Raises `StoreError` when there is no store: a mistyped name must not create one.
    """
    if not Path(directory, DATABASE_FILE).is_file():
        raise StoreError(f"there is no store in {directory!r}: name one with --store DIR, or make one with prme ingest")
    with writing_store(directory, _NoExtractor()) as service:
        yield service


@contextmanager
def replaying_store(directory: str) -> Iterator[MemoryService]:
    """Open or create a store for what was extracted before; work that is pending there stays pending."""
    with writing_store(directory, _NoExtractor()) as service:
        yield service


@contextmanager
def writing_store(
    directory: str,
    extractor: str | Extractor,
    policy: str = DEFAULT_POLICY,
    limits: ExtractionLimits = DEFAULT_LIMITS,
) -> Iterator[MemoryService]:
    """Open or create a store; closing waits for the write in flight, so that nothing acknowledged is lost."""
    service = MemoryService(directory, extractor=extractor, policy=policy, limits=limits)
    try:
        yield service
    finally:
        service.close()


@contextmanager
def store_on_demand(
    directory: str, extractor: Extractor, policy: str, limits: ExtractionLimits = DEFAULT_LIMITS
) -> Iterator[Callable[[], MemoryService]]:
    """Give a function that opens or creates a store when it is first called; the policy's name is checked at once.

    Raises `UnsupportedPlanError` for an unknown policy.
    """
    get_policy(policy)
    with ExitStack() as opened:

        @cache
        def service() -> MemoryService:
            return opened.enter_context(writing_store(directory, extractor, policy, limits))

        yield service

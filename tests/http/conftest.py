from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.http.serving import WITH_TOKENS, Served, served


@pytest.fixture(scope="session")
def shared() -> Iterator[Served]:
    """A service without tokens whose store many tests share: what else is in it does not matter to them."""
    with served() as running:
        yield running


@pytest.fixture(scope="session")
def guarded() -> Iterator[Served]:
    """A service with tokens, shared in the same way; its client has none of its own."""
    with served(settings=WITH_TOKENS) as running:
        yield running


@pytest.fixture
def service() -> Iterator[Served]:
    """A service without tokens over an empty store; its extractor has the script of `tests.engine.conversation`."""
    with served() as running:
        yield running

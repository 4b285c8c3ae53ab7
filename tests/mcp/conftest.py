from __future__ import annotations

from collections.abc import Iterator

import pytest

from prme import MemoryEngine
from prme.mcp.server import create_server
from tests.mcp.speaking import Speaking, speaking


@pytest.fixture(scope="module")
def sams_engine() -> MemoryEngine:
    return MemoryEngine(":memory:")


@pytest.fixture(scope="module")
def sam(sams_engine: MemoryEngine) -> Iterator[Speaking]:
    """A session with a server that is bound to sam; the tests of a page share it, each speaks of things of its own."""
    with speaking(create_server(sams_engine, "sam")) as session:
        yield session
        session.portal.call(sams_engine.close)


@pytest.fixture(scope="module")
def operator() -> Iterator[Speaking]:
    """A session with a server that is bound to no owner, shared as well."""
    engine = MemoryEngine(":memory:")
    with speaking(create_server(engine)) as session:
        yield session
        session.portal.call(engine.close)

from __future__ import annotations

from collections.abc import Iterator

import pytest

from prme import MemoryClient
from tests.engine.conversation import SettableClock
from tests.retrieval.talking import client


@pytest.fixture
def clock() -> SettableClock:
    return SettableClock()


@pytest.fixture
def memory(clock: SettableClock) -> Iterator[MemoryClient]:
    with client(clock=clock) as memory:
        yield memory

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from prme import MemoryClient
from tests.decisions.conversation import opened


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[MemoryClient]:
    with opened(tmp_path) as memory:
        yield memory

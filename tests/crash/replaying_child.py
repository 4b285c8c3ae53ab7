"""A process that replays an export into a store; called with both."""

from __future__ import annotations

import sys
from pathlib import Path

from prme import MemoryClient

if __name__ == "__main__":
    with MemoryClient(sys.argv[1]) as memory:
        memory.replay(Path(sys.argv[2]))

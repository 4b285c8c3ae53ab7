"""A process that replays an export into a store; called with both."""

from __future__ import annotations

import sys
from pathlib import Path

from prme import MemoryClient
from prme.replay import replay

# Two owners of this test in a transaction, so that there are enough moments to be killed at.
replay.RECORDS_PER_TRANSACTION = 8

if __name__ == "__main__":
    with MemoryClient(sys.argv[1]) as memory:
        memory.replay(Path(sys.argv[2]))

"""For tests of a chat application: what a conversation does to memory, as text and as verdicts.

Needs neither pytest nor syrupy; the fixtures are in `prme_pytest`, the snapshot extension in `prme.testing.snapshots`.
"""

from prme.testing.clock import MemoryClock
from prme.testing.outcome import memory_outcome
from prme.testing.recording import RecordingExtractor

__all__ = ["MemoryClock", "RecordingExtractor", "memory_outcome"]

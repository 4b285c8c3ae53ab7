"""For tests of a chat application, what a conversation does to memory; and for tests of an extractor, its contract.

Needs neither pytest nor syrupy; the fixtures are in `prme_pytest`, the snapshot extension in `prme.testing.snapshots`.
"""

from prme.testing.clock import MemoryClock
from prme.testing.extractor_contract import ExtractorContract, ExtractorContractError, check_extractor
from prme.testing.outcome import memory_outcome
from prme.testing.recording import RecordingExtractor

__all__ = [
    "ExtractorContract",
    "ExtractorContractError",
    "MemoryClock",
    "RecordingExtractor",
    "check_extractor",
    "memory_outcome",
]

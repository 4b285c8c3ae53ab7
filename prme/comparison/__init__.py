"""Comparison: what each of two policies would admit and retire on the same recorded extractions (SPEC 11)."""

from prme.comparison.differences import compare
from prme.comparison.outcome import (
    ClaimDifference,
    Closing,
    Comparison,
    MessageDifference,
    NamedClaim,
    PolicyCounts,
    Summary,
    Unread,
    Verdict,
)
from prme.comparison.sources import compare_owners, gather, unread

__all__ = [
    "ClaimDifference",
    "Closing",
    "Comparison",
    "MessageDifference",
    "NamedClaim",
    "PolicyCounts",
    "Summary",
    "Unread",
    "Verdict",
    "compare",
    "compare_owners",
    "gather",
    "unread",
]

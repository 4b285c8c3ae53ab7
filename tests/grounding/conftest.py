"""One claim through the gate, in a line."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from prme.grounding import ground
from prme.model.claim import GroundedClaim, RejectedClaim
from prme.model.extraction import ExtractedClaim, Extraction
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

SAID_AT = datetime(2031, 4, 1, 9, 0, tzinfo=UTC)

GroundOne = Callable[..., GroundedClaim | RejectedClaim]
Outcome = Callable[..., str]


def _ground_one(content: str, **fields: Any) -> GroundedClaim | RejectedClaim:
    proposed = {"subject": "I", "predicate": "uses", "object": "Figma", "polarity": "positive", **fields}
    extraction = Extraction(claims=(ExtractedClaim(**proposed),))
    grounding = ground(content, SAID_AT, extraction, SPEECH_ACT_WORDS_V14)
    (claim,) = (*grounding.admitted, *grounding.rejected)
    return claim


@pytest.fixture
def ground_one() -> GroundOne:
    """Ground one claim, by default (I, uses, Figma), and return it admitted or rejected."""
    return _ground_one


@pytest.fixture
def outcome() -> Outcome:
    """Ground one claim and return its epistemic type and changes, or why it was rejected."""

    def describe(content: str, **fields: Any) -> str:
        claim = _ground_one(content, **fields)
        if isinstance(claim, RejectedClaim):
            return claim.reason
        return " ".join((claim.epistemic_type, *claim.changes))

    return describe

"""Every aspect in which two verdicts differ is put into words; those of today's policies are seen in `test_diff.py`."""

from __future__ import annotations

import io
from datetime import UTC, datetime
from typing import Any

import pytest
from rich.console import Console

from prme.cli.diff_view import message_page
from prme.comparison import Closing, MessageDifference, compare
from prme.comparison.outcome import Aspect
from tests.plan.golden import GOLDEN, saved_plans

A, B = "speech_act_v13", "speech_act_v14"
LATER = datetime(2031, 6, 1, 9, tzinfo=UTC)


def printed(aspect: Aspect, *, claim: dict[str, Any] | None = None, **verdict: Any) -> str:
    """Return what the page says of policy B when its verdict differs in one aspect, with the given changes."""
    message: MessageDifference = compare(saved_plans(GOLDEN / "policies-side-by-side"), (), A, B).messages[0]
    found = message.claims[0]
    b = found.a.model_copy(update={"claim": found.a.claim.model_copy(update=claim or {}), **verdict})
    shown = found.model_copy(update={"differs": (aspect,), "b": b})
    console = Console(file=io.StringIO(), width=200)
    console.print(message_page(message.model_copy(update={"claims": (shown,)}), (A, B)))
    text = " ".join(console.file.getvalue().split())  # type: ignore[attr-defined]
    return text.partition(B)[2].rpartition(" claim ")[0].strip()


@pytest.mark.parametrize(
    ("aspect", "changes", "says"),
    [
        ("subject", {"claim": {"subject_id": None}}, "about somebody who cannot be told"),
        ("subject", {}, 'about "Nadia", in every message that names the same'),
        ("epistemic_type", {"claim": {"epistemic_type": "unverified"}}, "heard from others"),
        ("effective_at", {"claim": {"effective_at": LATER}}, "in effect since 2031-06-01 09:00 UTC"),
        ("sentences", {"claim": {"content": "Nadia."}}, 'its own sentences: "Nadia."'),
        (
            "grounding",
            {"claim": {"replaces_object": "Sketch"}},
            'the former value is "Sketch" taken as it was proposed',
        ),
        ("contested", {}, "not contested"),
        ("contested", {"status": "contested"}, "contested by hand"),
        ("confirms", {}, "repeats no open claim"),
        (
            "closing",
            {"closing": Closing(at=LATER, by="n1", decision=4)},
            "in effect from 2031-05-01 09:00 UTC to 2031-06-01 09:00 UTC closed by hand, decision 4; "
            "note n1 replaces it",
        ),
        (
            "closing",
            {"closing": Closing(at=LATER, by=None, decision=4)},
            "in effect from 2031-05-01 09:00 UTC to 2031-06-01 09:00 UTC closed by hand, decision 4",
        ),
    ],
)
def test_an_aspect_is_told_in_words(aspect: Aspect, changes: dict[str, Any], says: str):
    assert printed(aspect, **changes) == says


def test_only_the_aspects_that_differ_are_told():
    assert printed("subject", status="contested") == printed("subject")

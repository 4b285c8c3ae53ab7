"""The sample of thirty messages, what a person reads in each, and how near an extraction comes to that."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from prme import ExtractedClaim
from prme.model.value import Value

SAMPLE = Path(__file__).with_name("messages.jsonl")


class Gold(Value):
    """One thing that a message says: None stands for what a reader may see either way.

    An object is right when it holds one of `object_any`, a replaced one when it holds one of `replaces`.
    """

    object_any: tuple[str, ...]
    polarity: str | None
    update: bool | None
    replaces: tuple[str, ...] | None


class SampleMessage(Value):
    """A message and what it says."""

    content: str
    gold: tuple[Gold, ...]


class Marks(Value):
    """What is right of one thing that a message says."""

    object: bool
    polarity: bool
    update: bool
    replaces: bool

    @property
    def all_right(self) -> bool:
        return self.object and self.polarity and self.update and self.replaces


def sample() -> list[SampleMessage]:
    return [SampleMessage.model_validate(json.loads(line)) for line in SAMPLE.read_text(encoding="utf-8").splitlines()]


def marks(gold: Gold, claims: Sequence[ExtractedClaim]) -> Marks:
    """Judge the claim about the gold object; of several the one with most right, as a reader would take it."""
    found = [_marks_of(gold, claim) for claim in claims if _holds(claim.object, gold.object_any)]
    return max(found, key=_count, default=Marks(object=False, polarity=False, update=False, replaces=False))


def _marks_of(gold: Gold, claim: ExtractedClaim) -> Marks:
    return Marks(
        object=True,
        polarity=gold.polarity in (None, claim.polarity),
        update=gold.update in (None, claim.temporal_intent == "update"),
        replaces=_replaces_rightly(gold, claim),
    )


def _replaces_rightly(gold: Gold, claim: ExtractedClaim) -> bool:
    if gold.replaces is not None:
        return claim.replaces_object is not None and _holds(claim.replaces_object, gold.replaces)
    # A denial that names its own object as the former one says nothing else than without it.
    return claim.replaces_object in (None, claim.object if claim.polarity == "negative" else None)


def _holds(text: str, any_of: Iterable[str]) -> bool:
    return any(part in text.casefold() for part in any_of)


def _count(marks: Marks) -> int:
    return sum((marks.object, marks.polarity, marks.update, marks.replaces))

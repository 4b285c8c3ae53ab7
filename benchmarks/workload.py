"""Conversations of any length, the same on every machine: messages of many owners, a tenth of them corrections.

A message depends only on its owner's number and its own, so that any part of a conversation can be made anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from prme.model.extraction import ExtractedClaim, Extraction, ExtractionRequest
from prme.model.message import Message

START = datetime(2031, 1, 1, 8, tzinfo=UTC)
STEP = timedelta(minutes=1)
CORRECTION_EVERY = 10
CLAIMS_PER_TEN_TURNS = 19
PREDICATES = ("uses", "likes", "owns", "visits", "reads", "plays", "wears", "drives", "studies", "collects")
VERBS = {
    "uses": "use",
    "likes": "like",
    "owns": "own",
    "visits": "visit",
    "reads": "read",
    "plays": "play",
    "wears": "wear",
    "drives": "drive",
    "studies": "study",
    "collects": "collect",
}
SYLLABLES = ("ba", "co", "di", "fu", "ga", "he", "ki", "lo", "mu", "na", "po", "ra", "se", "ti", "vo", "wy")
INSTEAD_OF = " instead of "


class Said(Protocol):
    """One message of a workload."""

    @property
    def number(self) -> int:
        """Its place in its owner's conversation."""

    @property
    def message(self) -> Message:
        """The message as a caller hands it over."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation: two statements, or, every tenth time, a denial of an earlier one.

    `late_by` says how many turns ago it was said: it arrives in its place, and takes effect before what came since.
    """

    owner: int
    number: int
    late_by: int = 0

    @property
    def user_id(self) -> str:
        """The owner's id."""
        return user_id(self.owner)

    @property
    def is_correction(self) -> bool:
        """Whether the message ends something that an earlier one said."""
        return self.number % CORRECTION_EVERY == CORRECTION_EVERY - 1

    @property
    def predicate(self) -> str:
        """What the message is about; a correction speaks of the same as the message that it takes back."""
        return PREDICATES[self._about % len(PREDICATES)]

    @property
    def objects(self) -> tuple[str, ...]:
        """The values named: two in a plain message, one in a correction."""
        if self.is_correction:
            return (invented_name(self.owner, 2 * self._about),)
        return tuple(invented_name(self.owner, 2 * self.number + place) for place in range(2))

    @property
    def content(self) -> str:
        """The text."""
        verb = VERBS[self.predicate]
        if self.is_correction:
            return f"I don't {verb} {self.objects[0]} anymore."
        first, second = self.objects
        return f"I {verb} {first} on most days. I also {verb} {second} now and then."

    @property
    def message(self) -> Message:
        """The message as a caller hands it over."""
        return _message(self.owner, self.number, self.content, START + STEP * (self.number - self.late_by))

    @property
    def _about(self) -> int:
        """The turn that the message is about: a correction's is one of the nine before it, every time another one."""
        if not self.is_correction:
            return self.number
        return self.number - 1 - self.number // CORRECTION_EVERY % (CORRECTION_EVERY - 1)


@dataclass(frozen=True, slots=True)
class Switch:
    """A message that replaces one of a few values by a new one: all but those few are closed."""

    owner: int
    number: int
    values: int

    @property
    def content(self) -> str:
        """The text; the first messages only say what there is."""
        name = invented_name(self.owner, self.number)
        if self.number < self.values:
            return f"I use {name} on most days."
        return f"I use {name}{INSTEAD_OF}{invented_name(self.owner, self.number - self.values)} now."

    @property
    def message(self) -> Message:
        """The message as a caller hands it over."""
        return _message(self.owner, self.number, self.content, START + STEP * self.number)


def user_id(owner: int) -> str:
    """Return the id of an owner."""
    return f"owner-{owner:06d}"


def turns_for(claims: int) -> int:
    """Return how many turns of one owner make about so many claims."""
    return max(1, claims * CORRECTION_EVERY // CLAIMS_PER_TEN_TURNS)


def conversation(owners: int, turns: int) -> Iterator[Turn]:
    """Yield the messages of some owners, turn by turn."""
    for number in range(turns):
        for owner in range(owners):
            yield Turn(owner, number)


def statements(owner: int, claims: int) -> Iterator[Turn]:
    """Yield messages of one owner that together make so many claims, all of which stay open."""
    numbers = (number for number in range(claims) if not Turn(owner, number).is_correction)
    for _, number in zip(range(claims // 2), numbers, strict=False):
        yield Turn(owner, number)


class WorkloadExtractor:
    """Answers for messages of the workload: what the text says, read with a few splits."""

    name = "workload"
    model = "1"
    local = True

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the claims of a message."""
        return Extraction(claims=[_claim(sentence) for sentence in request.message.content.split(". ")])


def _message(owner: int, number: int, content: str, said_at: datetime) -> Message:
    return Message(
        user_id=user_id(owner),
        scope="personal",
        role="user",
        content=content,
        session_id=None,
        message_id=f"m{number}",
        speaker=None,
        first_person_owner=True,
        occurred_at=said_at,
        metadata_json=None,
    )


def _claim(sentence: str) -> ExtractedClaim:
    words = sentence.removesuffix(".").replace("I also ", "I ").split()
    denies = words[1] == "don't"
    verb, named = (words[2], words[3]) if denies else (words[1], words[2])
    replaced = words[5] if INSTEAD_OF in sentence else None
    return ExtractedClaim(
        subject="I",
        predicate=next(predicate for predicate, said in VERBS.items() if said == verb),
        object=named,
        polarity="negative" if denies else "positive",
        temporal_intent="update" if denies or replaced is not None else "assertion",
        replaces_object=replaced,
        evidence_quote=sentence,
    )


def invented_name(owner: int, number: int) -> str:
    """Return an invented word that names one value of one owner."""
    rest = number * 1_000_003 + owner
    syllables: list[str] = []
    while rest:
        rest, digit = divmod(rest, len(SYLLABLES))
        syllables.append(SYLLABLES[digit])
    return "".join(syllables).capitalize() or "Ba"

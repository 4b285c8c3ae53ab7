"""Random conversations: after every step what is kept in memory answers what reading everything answers."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme import Extraction, MemoryClient, NodeType
from prme.errors import ConflictError
from prme.reading import assertion_query, assertions, read_assertion_state, standing
from prme.store import database
from prme.store.recent_commits import MOST_CHARACTERS, RecentCommits
from tests.engine.conversation import NOON, Scripted, SettableClock, claim, extraction
from tests.engine.random_messages import OBJECTS, OWNERS
from tests.reading.test_assertion_cache import noting

# One predicate family and one that is none, so that entries concern what was asked for, and do not.
PREDICATES = ("uses", "uses", "uses", "use", "switched_to", "likes")
ASKED: tuple[dict[str, Any], ...] = (
    {"subject": "I", "predicate": "uses"},
    {"subject": "Ines", "predicate": "uses"},
    {"subject": "I", "predicate": "uses", "node_types": frozenset({NodeType.FACT})},
    {"subject": "I", "predicate": "likes"},
)

claims = st.builds(
    claim,
    st.sampled_from(("I", "I", "I", "Ines")),
    st.sampled_from(PREDICATES),
    st.sampled_from(OBJECTS),
    polarity=st.sampled_from(("positive", "positive", "negative")),
    temporal_intent=st.sampled_from((None, "update")),
    replaces_object=st.sampled_from((None, None, *OBJECTS)),
    epistemic_type=st.sampled_from((*["asserted"] * 9, "inferred")),
    kind=st.sampled_from((*["fact"] * 9, "preference")),
)
answers = st.builds(
    lambda said, kind: extraction(*said, entities={} if kind is None else {"Ines": kind}),
    st.lists(claims, min_size=1, max_size=3),
    st.sampled_from((None, "person", "person", "tool")),
)


@dataclass(frozen=True)
class Step:
    """One thing that happens to a memory; `pick` chooses among what there is to decide."""

    kind: str
    owner: str
    day: int
    answer: Extraction
    pick: tuple[int, int]


steps = st.builds(
    Step,
    kind=st.sampled_from((*["ingest"] * 9, "fail", "retry", "note", "supersede", "contradict", "resolve", "restart")),
    owner=st.sampled_from((*["sam"] * 3, "ann")),
    day=st.integers(-5, 5),
    answer=answers,
    pick=st.tuples(st.integers(0, 99), st.integers(0, 99)),
)


class Conversation:
    """A memory in a directory, and what was said to it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.extractor = Scripted({})
        self.clock = SettableClock()
        self.memory = self.opened()
        self.number = 0
        self.failed: list[tuple[str, str, Extraction]] = []
        self.contested: list[tuple[str, str]] = []

    def opened(self) -> MemoryClient:
        return MemoryClient(self.directory, extractor=self.extractor, clock=self.clock)

    def take(self, step: Step) -> None:
        """Do what a step says, if there is anything to do it with."""
        self.clock.advance(hours=1)
        if step.kind in ("ingest", "fail"):
            self.ingest(step)
        elif step.kind == "retry" and self.failed:
            event_id, content, answer = self.failed.pop()
            self.extractor.script[content] = answer
            assert self.memory.retry(event_id).status == "published"
        elif step.kind == "note":
            self.memory.store("A note.", user_id=step.owner)
        elif step.kind == "restart":
            self.memory.close()
            self.memory = self.opened()
        elif step.kind == "resolve" and self.contested:
            self.decide(self.memory.resolve_contradiction, *self.contested[step.pick[0] % len(self.contested)])
        elif step.kind in ("supersede", "contradict"):
            known = [node.id for node in self.memory.claims(user_id=step.owner)]
            if known:
                old, new = (known[pick % len(known)] for pick in step.pick)
                self.decide(getattr(self.memory, step.kind), old, new)
                self.contested.append((old, new))

    def ingest(self, step: Step) -> None:
        self.number += 1
        content = f"I and Ines note on {', '.join(OBJECTS)} in entry {self.number}."
        self.extractor.script[content] = RuntimeError() if step.kind == "fail" else step.answer
        receipt = self.memory.ingest(
            content,
            user_id=step.owner,
            first_person_owner=True,
            occurred_at=NOON + timedelta(days=step.day, seconds=self.number),
        )
        if receipt.status == "failed":
            self.failed.append((receipt.event_id, content, step.answer))

    def decide(self, call: Callable[..., object], first: str, second: str) -> None:
        try:
            call(first, second)
        except ConflictError:
            return

    def compare(self) -> None:
        """Ask the cache, and read everything."""
        for owner in OWNERS:
            for asked in ASKED:
                query = assertion_query(**{"user_id": owner, "scope": "personal", "node_types": None, **asked})
                with self.memory._engine._service._database.snapshot() as reader:
                    whole = read_assertion_state(reader, query)
                assert self.memory.get_assertion_state(user_id=owner, **asked) == whole


@pytest.mark.slow
@pytest.mark.parametrize("most_characters", [MOST_CHARACTERS, 0], ids=["from memory", "from the database"])
def test_the_cache_answers_what_reading_everything_answers(most_characters: int, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(database, "RecentCommits", partial(RecentCommits, most_characters=most_characters))
    # Two closed claims instead of twenty: short conversations then have more of them than are kept.
    monkeypatch.setattr(assertions, "MOST_CLOSED", 2)
    monkeypatch.setattr(standing, "MOST_CLOSED", 2)
    followed, read = noting(monkeypatch, "follow"), noting(monkeypatch, "read_standing")

    @settings(max_examples=5, suppress_health_check=list(HealthCheck))
    @given(taken=st.lists(steps, min_size=8, max_size=12))
    def converse(taken: list[Step]) -> None:
        with tempfile.TemporaryDirectory(prefix="prme-states-") as directory:
            conversation = Conversation(Path(directory))
            try:
                for step in taken:
                    conversation.take(step)
                    conversation.compare()
            finally:
                conversation.memory.close()

    converse()
    brought_up = [found for found in followed if found is not None]
    assert len(brought_up) > len(followed) / 2
    # Not everything can be followed: the walk must come to that too, or it shows nothing of it.
    assert len(brought_up) < len(followed)
    assert read

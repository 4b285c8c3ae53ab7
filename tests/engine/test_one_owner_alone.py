"""With `user_id` bound nothing of another owner shows: every answer is the one of a store that holds nobody else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme import MemoryClient, NodeType
from prme.errors import PrmeError
from tests.decisions.conversation import BOTH, COFFEE, NO_TEA, SCRIPT, TEA, UNKNOWN, WINE
from tests.engine.conversation import Scripted, SettableClock

SENTENCES = (TEA, COFFEE, NO_TEA, WINE, BOTH)
# Keyed with random bytes, so that they differ between any two stores.
KEYED = {"digest"}

texts = st.sampled_from(SENTENCES)
numbers = st.integers(0, 30)
steps = st.one_of(
    st.tuples(st.just("ingest"), texts, numbers),
    st.tuples(st.just("store"), texts, numbers),
    st.tuples(st.sampled_from(("supersede", "contradict", "resolve", "store_superseding")), numbers, numbers),
)
Step = tuple[str, Any, Any]
talks = st.lists(st.tuples(steps, st.lists(steps, max_size=2)), min_size=2, max_size=7)


class Owner:
    """What one owner does through bound calls; `foreign` are ids that belong to somebody else, or to nobody."""

    def __init__(self, memory: MemoryClient, name: str) -> None:
        self.memory = memory
        self.name = name
        self.events: list[str] = []
        self.foreign: list[str] = []

    def take(self, step: Step) -> Any:
        """Carry out one step; return what the caller got to see."""
        kind, first, second = step
        bound = {"user_id": self.name}
        if kind in ("ingest", "store"):
            call = self.memory.ingest if kind == "ingest" else self.memory.store
            answer = call(first, message_id=f"m{second}", first_person_owner=True, **bound)
            self.events.append(getattr(answer, "event_id", answer))
            return answer
        old, new = self.node(first), self.node(second)
        calls: dict[str, Callable[[], Any]] = {
            "supersede": lambda: self.memory.supersede(old, new, **bound),
            "contradict": lambda: self.memory.contradict(old, new, **bound),
            "resolve": lambda: self.memory.resolve_contradiction(old, new, **bound),
            "store_superseding": lambda: self.memory.store("Instead.", supersedes=old, **bound),
        }
        answer = calls[kind]()
        if kind == "store_superseding":
            self.events.append(answer)
        return answer

    def node(self, number: int) -> str:
        """Return one of the owner's nodes, or now and then a foreign id."""
        nodes = [node.id for event in self.events for node in self.memory.get_event_nodes(event)]
        choices = [*nodes, *self.foreign]
        return choices[number % len(choices)] if choices else UNKNOWN

    def everything(self) -> list[Any]:
        """Return the answers of every read, on the owner's own ids and on foreign ones."""
        memory, bound = self.memory, {"user_id": self.name}
        ids = [*self.events, *(node.id for event in self.events for node in memory.get_event_nodes(event))]
        reads: list[Callable[[], Any]] = [
            lambda: memory.verify(**bound),
            lambda: memory.journal_head(self.name),
            lambda: memory.changes(**bound),
            lambda: memory.changes(**bound, limit=1),
            lambda: memory.get_assertion_state(**bound, subject="I", predicate="drinks"),
            lambda: memory.retrieve("What do I drink, tea or wine?", **bound),
            lambda: memory.retrieve("tea", **bound, include_superseded=True),
            lambda: memory.retrieve("tea", **bound, exclude_node_types={NodeType.NOTE}).excluded,
        ]
        for closed in (False, True):
            reads.append(lambda closed=closed: memory.claims(**bound, include_superseded=closed))
        for wanted in (*ids, *self.foreign, UNKNOWN):
            for read in (memory.get_event, memory.get_event_nodes, memory.get_plan, memory.get_plan_data):
                reads.append(lambda read=read, wanted=wanted: read(wanted, **bound))
            for read in (memory.history, memory.explain):
                reads.append(lambda read=read, wanted=wanted: read(wanted, **bound))
            reads.append(lambda wanted=wanted: memory.get_node(wanted, **bound, include_superseded=True))
        return [answered(read) for read in reads]


def answered(call: Callable[[], Any]) -> Any:
    """Return what a caller sees: an answer as plain data, or the type and text of an error."""
    try:
        return plain(call())
    except (PrmeError, ValueError) as error:
        return type(error).__name__, str(error)


def plain(answer: Any) -> Any:
    if hasattr(answer, "model_dump"):
        return plain(answer.model_dump())
    if isinstance(answer, dict):
        return {key: plain(value) for key, value in answer.items() if key not in KEYED}
    if isinstance(answer, list | tuple):
        return [plain(value) for value in answer]
    return answer


def told(talk: list[tuple[Step, list[Step]]], *, crowded: bool) -> list[Any]:
    """Let Sam speak, alone or with Ann speaking in between; return everything that Sam got to see."""
    clock = SettableClock()
    seen: list[Any] = []
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=clock) as memory:
        sam, ann = Owner(memory, "sam"), Owner(memory, "ann")
        for number, (step, others) in enumerate(talk):
            for other in others if crowded else ():
                answered(lambda other=other: ann.take(other))
            theirs = [node.id for event in ann.events for node in memory.get_event_nodes(event)]
            # The same places hold what belongs to Ann here, and what nobody has there.
            sam.foreign = (theirs or [UNKNOWN])[:1]
            clock.advance(hours=1)
            seen.append((number, answered(lambda step=step: sam.take(step))))
        seen += sam.everything()
        assert memory.verify().ok
    return seen


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(talk=talks)
def test_an_owner_sees_what_a_store_of_its_own_would_show(talk: list[tuple[Step, list[Step]]]):
    assert told(talk, crowded=True) == told(talk, crowded=False)


def test_what_the_owner_says_does_show():
    silent = told([(("ingest", TEA, 1), [])], crowded=False)
    spoken = told([(("ingest", TEA, 1), []), (("ingest", COFFEE, 2), [])], crowded=False)

    assert silent != spoken


@pytest.mark.parametrize("kind", ["supersede", "contradict", "resolve", "store_superseding"])
def test_nothing_that_an_owner_decides_reaches_another(kind: str):
    with MemoryClient(":memory:", extractor=Scripted(SCRIPT), clock=SettableClock()) as memory:
        sam, ann = Owner(memory, "sam"), Owner(memory, "ann")
        for sentence, number in ((TEA, 1), (COFFEE, 2)):
            sam.take(("ingest", sentence, number))
            ann.take(("ingest", sentence, number))
        before = ann.everything()
        sam.foreign = [node.id for event in ann.events for node in memory.get_event_nodes(event)]

        for first in range(7):
            for second in range(7):
                answered(lambda first=first, second=second: sam.take((kind, first, second)))

        assert ann.everything() == before
        assert memory.verify().ok

"""With `known_at` a search gives what the store would have said then: the nodes and states that `claims` gives."""

from __future__ import annotations

import contextlib
from datetime import timedelta

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from prme.errors import ConflictError
from prme.retrieval import states
from tests.engine.conversation import NOON, SettableClock
from tests.engine.random_messages import OWNERS, Saying, Sayings, sayings


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(
    said=st.lists(sayings(st.just(0)), min_size=1, max_size=7),
    decided=st.lists(st.integers(0, 50), max_size=5),
    then=st.integers(-1, 7),
    day=st.none() | st.integers(-6, 6),
)
def test_a_search_as_known_finds_what_claims_lists(said: list[Saying], decided: list[int], then: int, day: int | None):
    extractor, clock = Sayings(), SettableClock()
    times = {
        "known_at": NOON + timedelta(hours=then),
        "valid_at": None if day is None else NOON + timedelta(days=day),
    }
    with MemoryClient(":memory:", extractor=extractor, clock=clock) as memory:
        for number, saying in enumerate(said):
            clock.moment = NOON + timedelta(hours=number)
            numbered = Saying(number, saying.owner, saying.day, saying.claims)
            extractor.learn(numbered)
            memory.ingest(**numbered.fields)
            nodes = memory.claims(user_id=saying.owner)
            for choice in decided[number : number + 1]:
                if len(nodes) > 1:
                    with contextlib.suppress(ConflictError):
                        memory.supersede(nodes[choice % len(nodes)].id, nodes[-1].id)
        for owner in OWNERS:
            found = memory.retrieve("note pump", user_id=owner, limit=1000, exclude_node_types=["NOTE"], **times)
            listed = memory.claims(user_id=owner, **times)

            assert sorted((hit.node for hit in found), key=lambda node: node.id) == sorted(listed, key=lambda n: n.id)


def test_many_later_records_are_taken_back_as_few_are(monkeypatch):
    clock = SettableClock()
    monkeypatch.setattr(states, "LONGEST_LIST", 1)
    extractor = Sayings()
    with MemoryClient(":memory:", extractor=extractor, clock=clock) as memory:
        for number in range(4):
            memory.ingest(f"I note a pump in entry {number}.", user_id="sam")
            clock.advance(hours=1)

        assert len(memory.retrieve("pump", user_id="sam", known_at=NOON + timedelta(minutes=90))) == 2
        assert len(memory.retrieve("pump", user_id="sam")) == 4

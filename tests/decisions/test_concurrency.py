"""Of callers who decide at once exactly one wins, the losers leave nothing, and there is no cycle (000-15, 000-20)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from prme.errors import ConflictError
from tests.decisions.conversation import COFFEE, TEA, found, noted, opened, said

CALLERS = 12


def at_once(calls: list[Callable[[], Any]]) -> list[Any]:
    """Start all calls at the same moment; return what each returned or raised."""
    barrier = Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        barrier.wait()
        try:
            return call()
        except ConflictError as error:
            return error

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def test_of_many_successors_of_one_target_exactly_one_wins(memory: MemoryClient):
    target = noted(memory, "old")
    rivals = [noted(memory, f"new {number}") for number in range(CALLERS)]

    answers = at_once([lambda rival=rival: memory.supersede(target.id, rival.id) for rival in rivals])
    won = [answer for answer in answers if not isinstance(answer, ConflictError)]

    assert len(won) == 1
    assert found(memory, target.id).superseded_by == won[0].new_id
    assert {found(memory, rival.id).status for rival in rivals} == {"current"}
    assert len(memory.history(target.id).versions) == 2
    assert memory.verify().ok


def test_of_many_notes_stored_as_its_successor_only_the_winner_is_stored(tmp_path: Path):
    with opened(tmp_path) as memory:
        target = noted(memory, "old")
        answers = at_once(
            [
                lambda number=number: memory.store(f"new {number}", user_id="sam", supersedes=target.id)
                for number in range(CALLERS)
            ]
        )
        [won] = [answer for answer in answers if not isinstance(answer, ConflictError)]

        assert found(memory, target.id).superseded_by == memory.get_event_nodes(won)[0].id
        assert [change.kind for change in memory.changes(user_id="sam")] == [
            "NOTE_STORED",
            "NOTE_STORED",
            "SUPERSEDENCE_APPLIED",
        ]
        assert memory.verify().ok


@pytest.mark.parametrize("repetition", range(5))
def test_of_two_that_replace_each_other_exactly_one_wins(memory: MemoryClient, repetition: int):
    one, two = said(memory, TEA), said(memory, COFFEE)

    answers = at_once([lambda: memory.supersede(one.id, two.id), lambda: memory.supersede(two.id, one.id)])

    assert [isinstance(answer, ConflictError) for answer in answers].count(True) == 1
    assert sorted(found(memory, node.id).status for node in (one, two)) == ["current", "superseded"]
    assert memory.verify().ok


def test_many_exact_retries_at_once_are_one_decision(memory: MemoryClient):
    tea, coffee = said(memory, TEA), said(memory, COFFEE)

    answers = at_once([lambda: memory.supersede(tea.id, coffee.id)] * CALLERS)

    assert sorted(answer.status for answer in answers) == ["applied"] + ["duplicate"] * (CALLERS - 1)


def test_decisions_and_messages_at_once_leave_a_store_that_verifies(memory: MemoryClient):
    notes = [noted(memory, f"note {number}") for number in range(CALLERS)]
    tea = said(memory, TEA)
    decide = [lambda old=old, new=new: memory.supersede(old.id, new.id) for old, new in pairwise(notes)]
    speak = [lambda: memory.ingest(COFFEE, user_id="sam", first_person_owner=True)] * CALLERS

    at_once([*decide, *speak, lambda: memory.supersede(tea.id, notes[0].id)])

    assert memory.verify().ok


@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
@given(pairs=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=4, max_size=14))
def test_no_mix_of_decisions_at_once_makes_a_cycle(pairs: list[tuple[int, int]]):
    with opened() as memory:
        nodes = [noted(memory, f"note {number}") for number in range(4)] + [said(memory, TEA), said(memory, COFFEE)]

        at_once([lambda a=a, b=b: memory.supersede(nodes[a].id, nodes[b].id) for a, b in pairs])

        following = {node.id: found(memory, node.id).superseded_by for node in nodes}
        for here in following:
            seen = set()
            while here is not None:
                assert here not in seen
                seen.add(here)
                here = following[here]
        assert any(successor is None for successor in following.values())
        assert memory.verify().ok

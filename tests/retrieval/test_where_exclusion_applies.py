"""The table "Where exclusion applies" names every read, and each keeps to what it says (000-24)."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from prme import MemoryClient
from tests.docs.pages import ROOT, codes, tables_of
from tests.retrieval.talking import say

WRITES = {
    "close",
    "contradict",
    "ingest",
    "ingest_batch",
    "process_pending",
    "rebuild_index",
    "replay",
    "resolve_contradiction",
    "retry",
    "store",
    "supersede",
    "supersede_many",
}


def test_the_table_names_every_read():
    (table,) = [table for table in tables_of(ROOT / "docs" / "retrieval.md") if table.columns[0] == "Read"]
    public = {name for name, _ in inspect.getmembers(MemoryClient, inspect.isfunction) if not name.startswith("_")}

    assert sorted(public - WRITES) == sorted(name for row in table.rows for name in codes(row[0]))


def ids(nodes: Any) -> set[str]:
    return {node.id for node in nodes}


def hits(found: Any) -> set[str]:
    return {hit.node.id for hit in found}


def claimed(state: Any) -> set[str]:
    return ids((*state.claims, *state.denied, *state.uncertain))


Reads = Callable[[MemoryClient, str], set[str]]
ASKED: dict[str, Any] = {"user_id": "sam", "subject": "I", "predicate": "use"}
HIDING: dict[str, tuple[Reads, Reads]] = {
    "retrieve": (
        lambda memory, _: hits(memory.retrieve("tea", user_id="sam")),
        lambda memory, _: hits(memory.retrieve("tea", user_id="sam", include_superseded=True)),
    ),
    "claims": (
        lambda memory, _: ids(memory.claims(user_id="sam")),
        lambda memory, _: ids(memory.claims(user_id="sam", include_superseded=True)),
    ),
    "get_node": (
        lambda memory, old: ids(filter(None, [memory.get_node(old)])),
        lambda memory, old: ids(filter(None, [memory.get_node(old, include_superseded=True)])),
    ),
    "get_assertion_state": (
        lambda memory, _: claimed(memory.get_assertion_state(**ASKED)),
        lambda memory, _: ids(entry.claim for entry in memory.get_assertion_state(**ASKED).closed),
    ),
}


@pytest.mark.parametrize(("default", "asked"), HIDING.values(), ids=HIDING)
def test_a_read_that_hides_closed_claims_shows_them_when_asked(memory: MemoryClient, default: Reads, asked: Reads):
    (old,) = say(memory, "I use tea.")
    assert old in default(memory, old)
    say(memory, "I don't use tea anymore.")

    assert old not in default(memory, old)
    assert old in asked(memory, old)


@pytest.mark.parametrize(
    "read",
    [
        lambda memory, old: ids(memory.get_event_nodes(memory.history(old).node.event_id)),
        lambda memory, old: ids([memory.history(old).node]),
        lambda memory, old: ids(claim.node for claim in memory.explain(old).claims),
    ],
    ids=["get_event_nodes", "history", "explain"],
)
def test_a_read_that_hides_nothing_shows_closed_claims(memory: MemoryClient, read: Reads):
    (old,) = say(memory, "I use tea.")
    say(memory, "I don't use tea anymore.")

    assert old in read(memory, old)

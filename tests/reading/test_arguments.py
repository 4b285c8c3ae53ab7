"""What cannot be meant is an error that names the argument, never an empty answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest

from prme import MemoryClient, NodeType
from tests.decisions.conversation import COFFEE, TEA, noted, opened, said

UNKNOWN = "00000000-0000-0000-0000-000000000000"
READS: dict[str, Callable[..., Any]] = {
    "get_event": lambda memory, user: memory.get_event(UNKNOWN, user_id=user),
    "get_event_nodes": lambda memory, user: memory.get_event_nodes(UNKNOWN, user_id=user),
    "get_node": lambda memory, user: memory.get_node(UNKNOWN, user_id=user),
    "get_plan": lambda memory, user: memory.get_plan(UNKNOWN, user_id=user),
    "get_plan_data": lambda memory, user: memory.get_plan_data(UNKNOWN, user_id=user),
    "history": lambda memory, user: memory.history(UNKNOWN, user_id=user),
    "explain": lambda memory, user: memory.explain(UNKNOWN, user_id=user),
    "claims": lambda memory, user: memory.claims(user_id=user),
    "changes": lambda memory, user: memory.changes(user_id=user),
    "verify": lambda memory, user: memory.verify(user_id=user),
    "journal_head": lambda memory, user: memory.journal_head(user),
    "retrieve": lambda memory, user: memory.retrieve("tea", user_id=user),
    "state": lambda memory, user: memory.get_assertion_state(user_id=user, subject="I", predicate="drinks"),
    "supersede": lambda memory, user: memory.supersede(UNKNOWN, UNKNOWN, user_id=user),
    "contradict": lambda memory, user: memory.contradict(UNKNOWN, UNKNOWN, user_id=user),
}


@pytest.fixture
def memory() -> Iterator[MemoryClient]:
    with opened() as memory:
        yield memory


@pytest.mark.parametrize("owner", [5, b"sam", ["sam"], "", " ", "\ud800", "x" * 257], ids=repr)
@pytest.mark.parametrize("read", READS)
def test_an_owner_that_no_message_can_have_is_refused_by_name(memory: MemoryClient, read: str, owner: Any):
    with pytest.raises(ValueError, match="user_id"):
        READS[read](memory, owner)


@pytest.mark.parametrize("scope", ["Personal", "a b", "", 5])
def test_a_scope_that_no_message_can_have_is_refused_by_name(memory: MemoryClient, scope: Any):
    for read in (
        lambda: memory.claims(user_id="sam", scope=scope),
        lambda: memory.get_assertion_state(user_id="sam", subject="I", predicate="drinks", scope=scope),
        lambda: memory.retrieve("tea", user_id="sam", scope=scope),
    ):
        with pytest.raises(ValueError, match="scope"):
            read()


@pytest.mark.parametrize("limit", ["5", None, True, 2.0, 0])
def test_a_limit_is_a_whole_number(memory: MemoryClient, limit: Any):
    with pytest.raises(ValueError, match="limit"):
        memory.changes(limit=limit)
    with pytest.raises(ValueError, match="limit"):
        memory.process_pending(limit=-1 if limit is None else limit if limit != 0 else -1)


@pytest.mark.parametrize("types", [["fact", "nope"], "FACT", 5, [5]])
def test_node_types_are_members_or_their_names(memory: MemoryClient, types: Any):
    with pytest.raises(ValueError, match="node_types"):
        memory.get_assertion_state(user_id="sam", subject="I", predicate="drinks", node_types=types)


def test_any_iterable_of_node_types_will_do(memory: MemoryClient):
    said(memory, TEA)
    said(memory, COFFEE)

    for types in (["fact"], {NodeType.FACT}, (kind for kind in [NodeType.FACT])):
        state = memory.get_assertion_state(user_id="sam", subject="I", predicate="drinks", node_types=types)
        assert state.status == "multiple"


@pytest.mark.parametrize("word", [None, 5, b"I", "\ud800"])
def test_subject_and_predicate_are_texts(memory: MemoryClient, word: Any):
    with pytest.raises(ValueError, match="subject"):
        memory.get_assertion_state(user_id="sam", subject=word, predicate="drinks")
    with pytest.raises(ValueError, match="predicate"):
        memory.get_assertion_state(user_id="sam", subject="I", predicate=word)


def test_a_time_beyond_the_calendar_is_refused(memory: MemoryClient):
    beyond = datetime.max.replace(tzinfo=timezone(timedelta(hours=-14)))

    for read in (
        lambda: memory.claims(user_id="sam", valid_at=beyond),
        lambda: memory.retrieve("tea", user_id="sam", valid_at=beyond),
    ):
        with pytest.raises(ValueError, match="outside the years"):
            read()


@pytest.mark.parametrize("actor", ["\ud800", "nurse\n", "a\0b", "\u202enurse"])
def test_an_actor_has_no_characters_that_a_display_name_may_not_have(memory: MemoryClient, actor: str):
    one, two = noted(memory, "one"), noted(memory, "two")

    with pytest.raises(ValueError, match="actor_id"):
        memory.supersede(one.id, two.id, actor_id=actor)


@pytest.mark.parametrize("entries", [None, "text", {"old_id": UNKNOWN}, 5])
def test_entries_are_a_list(memory: MemoryClient, entries: Any):
    with pytest.raises(ValueError, match="entries must be a list"):
        memory.supersede_many(entries)


def test_an_entry_without_an_id_names_its_place(memory: MemoryClient):
    with pytest.raises(ValueError, match=r"entries\[0\]: old_id is missing"):
        memory.supersede_many([{"old_id": None, "new_id": UNKNOWN}])

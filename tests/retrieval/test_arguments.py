"""What `retrieve` takes, and how it refuses the rest."""

from __future__ import annotations

import asyncio
import copy
import pickle
from typing import Any

import pytest

from prme import MemoryClient, MemoryEngine, SourceType
from prme.errors import InvalidMessageError
from prme.model.retrieval import EXCLUSION_REASONS, Retrieval
from tests.engine.conversation import NOON, SettableClock
from tests.retrieval.talking import Simple, say, seen

NAIVE = NOON.replace(tzinfo=None)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"query": None}, "query"),
        ({"query": b"tea"}, "query"),
        ({"limit": 0}, "limit"),
        ({"limit": 1001}, "limit"),
        ({"limit": -1}, "limit"),
        ({"limit": True}, "limit"),
        ({"limit": 1.0}, "limit"),
        ({"limit": "5"}, "limit"),
        ({"limit": None}, "limit"),
        ({"scope": "Not a scope"}, "scope"),
        ({"scope": 1}, "scope"),
        ({"scope": ["personal"]}, "scope"),
        ({"exclude_node_types": "NOTE"}, "exclude_node_types"),
        ({"exclude_node_types": None}, "exclude_node_types"),
        ({"exclude_node_types": ["CAT"]}, "exclude_node_types"),
        ({"exclude_node_types": [SourceType.TOOL_OUTPUT]}, "exclude_node_types"),
        ({"source_types": "TOOL_OUTPUT"}, "source_types"),
        ({"source_types": [1]}, "source_types"),
        ({"source_types": ["NOTE"]}, "source_types"),
        ({"valid_at": NAIVE}, "valid_at"),
        ({"valid_at": "2031-01-01"}, "valid_at"),
        ({"known_at": NAIVE}, "known_at"),
        ({"include_superseded": 1}, "include_superseded"),
        ({"include_contested": None}, "include_contested"),
        ({"user_id": " "}, "user_id"),
        ({"user_id": None}, "user_id"),
        ({"user_id": "x" * 257}, "user_id"),
    ],
)
def test_an_argument_that_breaks_its_rule_is_named(memory: MemoryClient, fields: dict[str, Any], named: str):
    with pytest.raises(ValueError, match=named):
        memory.retrieve(**{"query": "tea", "user_id": "sam", **fields})


def test_the_owner_is_refused_as_messages_refuse_it(memory: MemoryClient):
    with pytest.raises(InvalidMessageError, match="user_id is blank"):
        memory.retrieve("tea", user_id="")


def test_an_error_repeats_neither_the_query_nor_a_name(memory: MemoryClient):
    with pytest.raises(ValueError, match="known are") as raised:
        memory.retrieve("secret", user_id="sam", exclude_node_types=["secret"])

    assert "secret" not in str(raised.value)


@pytest.mark.parametrize("limit", [1, 1000])
def test_the_ends_of_the_limit_are_allowed(memory: MemoryClient, limit: int):
    say(memory, "I use tea.")

    assert memory.retrieve("tea", user_id="sam", limit=limit)


def test_the_engine_finds_what_the_client_finds(memory: MemoryClient):
    say(memory, "I use tea.")

    async def asynchronously() -> Retrieval:
        async with MemoryEngine(":memory:", extractor=Simple(), clock=SettableClock()) as engine:
            await engine.ingest("I use tea.", user_id="sam", first_person_owner=True)
            return await engine.retrieve("tea", user_id="sam")

    assert seen(asyncio.run(asynchronously())) == seen(memory.retrieve("tea", user_id="sam"))


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda found: pickle.loads(pickle.dumps(found))])
def test_a_copy_keeps_what_was_left_out(memory: MemoryClient, again: Any):
    say(memory, "I use tea.", "I don't use tea anymore.")
    found = memory.retrieve("tea", user_id="sam")
    copied = again(found)

    assert (list(copied), copied.excluded) == (list(found), {"superseded": 1})


def test_a_reason_without_rows_reads_as_none_left_out():
    assert [Retrieval().excluded[reason] for reason in EXCLUSION_REASONS] == [0] * 8

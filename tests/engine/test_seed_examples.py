"""The examples of the source documents, as printed as far as the methods exist."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from prme import MemoryClient, MemoryEngine, NodeType
from prme_extractors.lexical import LexicalExtractor
from tests.engine.conversation import Scripted, claim, denial, extraction

USE = "I use an insulin pump."
STOPPED = "I don't use an insulin pump anymore."
PUMP = {USE: extraction(claim("I", "uses", "insulin pump")), STOPPED: extraction(denial("I", "uses", "insulin pump"))}


def test_store_returns_an_event_whose_nodes_can_be_read(tmp_path: Path):
    with MemoryClient(tmp_path / "memory", extractor=Scripted()) as memory:
        old_event = memory.store("My current city is Boston.", user_id="alice")
        new_event = memory.store("I moved to Chicago.", user_id="alice")
        old_node = memory.get_event_nodes(old_event, user_id="alice")[0]
        new_node = memory.get_event_nodes(new_event, user_id="alice")[0]

        assert memory.get_node(str(old_node.id), user_id="alice") == old_node
        assert memory.get_event(old_event, user_id="alice").content == old_node.content
        assert (old_node.node_type, new_node.content) == (NodeType.NOTE, "I moved to Chicago.")


@pytest.mark.parametrize("extractor", [LexicalExtractor(), Scripted(PUMP)], ids=["lexical", "scripted"])
def test_a_denial_retires_what_the_owner_said_before(tmp_path: Path, extractor: LexicalExtractor | Scripted):
    async def example() -> tuple[list[str], list[tuple[str | None, str | None, str]], bool]:
        async with MemoryEngine(tmp_path / "memory", extractor=extractor) as engine:
            first = await engine.ingest(USE, user_id="sam", first_person_owner=True, wait_for_extraction=True)
            second = await engine.ingest(STOPPED, user_id="sam", first_person_owner=True, wait_for_extraction=True)
            nodes = await engine.claims(user_id="sam", include_superseded=True)
            shown = [(node.object, node.polarity, node.status) for node in nodes]
            return [*first.claims, *second.retired], shown, (await engine.verify()).ok

    ids, shown, ok = asyncio.run(example())

    assert (len(ids), len(set(ids)), ok) == (2, 1, True)
    assert shown == [("insulin pump", "positive", "superseded"), ("insulin pump", "negative", "current")]


def test_without_the_declaration_the_same_denial_retires_nothing(tmp_path: Path):
    with MemoryClient(tmp_path / "memory", extractor=Scripted(PUMP)) as memory:
        memory.ingest(USE, user_id="sam")

        assert memory.ingest(STOPPED, user_id="sam").retired == []

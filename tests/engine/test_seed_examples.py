"""The examples of the source documents run as printed."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient, MemoryEngine
from prme_extractors.lexical import LexicalExtractor
from tests.engine.conversation import Scripted, claim, denial, extraction

EXPLICIT = """
from prme import MemoryClient

with MemoryClient("./memory") as memory:
    old_event = memory.store("My current city is Boston.", user_id="alice")
    new_event = memory.store("I moved to Chicago.", user_id="alice")
    old_node = memory.get_event_nodes(old_event, user_id="alice")[0]
    new_node = memory.get_event_nodes(new_event, user_id="alice")[0]

    memory.supersede(
        str(old_node.id),
        str(new_node.id),
        evidence_id=new_event,
        user_id="alice",
        actor_id="alice",
    )

    assert memory.get_node(str(old_node.id), user_id="alice") is None
    history = memory.get_node(
        str(old_node.id), user_id="alice", include_superseded=True
    )
    assert history.superseded_by == new_node.id
    assert memory.get_event(old_event, user_id="alice").content == old_node.content
"""
FROM_MESSAGES = """
from prme import NodeType, SourceType

await engine.ingest("I use an insulin pump.", user_id="sam",
                    first_person_owner=True, wait_for_extraction=True)
await engine.ingest("I don't use an insulin pump anymore.", user_id="sam",
                    first_person_owner=True, wait_for_extraction=True)
response = await engine.retrieve(
    "What treatment do I use?", user_id="sam",
    exclude_node_types={NodeType.NOTE, NodeType.ENTITY},
    source_types={SourceType.USER_STATED},
)
"""

USE = "I use an insulin pump."
STOPPED = "I don't use an insulin pump anymore."
PUMP = {USE: extraction(claim("I", "uses", "insulin pump")), STOPPED: extraction(denial("I", "uses", "insulin pump"))}


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


def test_the_example_of_an_explicit_correction(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}

    exec(EXPLICIT, names)

    assert names["history"].status == "superseded"
    with MemoryClient("./memory") as memory:
        assert memory.verify().ok


def test_the_example_of_corrections_from_messages(tmp_path: Path):
    async def example() -> dict[str, Any]:
        async with MemoryEngine(tmp_path / "memory") as engine:
            names: dict[str, Any] = {"engine": engine}
            code = compile(FROM_MESSAGES, "<example>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            await eval(code, names)
            return names

    response = asyncio.run(example())["response"]

    # The pump is gone; what is left says that it is not used any more.
    assert [(hit.node.object, hit.node.polarity) for hit in response] == [("insulin pump", "negative")]

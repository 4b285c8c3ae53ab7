"""What tests of retrieval share: an owner who speaks in simple sentences, and a short way to say what was found."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from prme import Extraction, ExtractionRequest, MemoryClient
from prme.model.retrieval import Retrieval
from tests.engine.conversation import NOON, SettableClock, claim, denial

OWNER = {"user_id": "sam", "first_person_owner": True}
_SAID = re.compile(r"I (?P<verb>use|ride|take|like|am_with) (?P<object>.+)\.")
_DENIED = re.compile(r"I don't (?P<verb>use|ride|take|like|am_with) (?P<object>.+) anymore\.")


class Simple:
    """A local extractor that understands "I use X." and "I don't use X anymore.", each sentence by itself."""

    local = True
    name = "simple"
    model = "1"

    async def extract(self, request: ExtractionRequest) -> Extraction:
        return Extraction(claims=list(_claims(request.message.content)))


def _claims(content: str) -> Iterable[Any]:
    for line in content.splitlines():
        if denied := _DENIED.fullmatch(line):
            yield denial("I", denied["verb"], denied["object"])
        elif said := _SAID.fullmatch(line):
            yield claim("I", said["verb"], said["object"])


def client(directory: Any = ":memory:", clock: SettableClock | None = None) -> MemoryClient:
    return MemoryClient(directory, extractor=Simple(), clock=clock or SettableClock())


def say(memory: MemoryClient, *contents: str, **fields: Any) -> list[str]:
    """Ingest messages, a second apart, and return the ids of their claims."""
    receipts = memory.ingest_batch({"content": content, **OWNER, **fields} for content in contents)
    return [claim_id for receipt in receipts for claim_id in receipt.claims]


def objects(found: Retrieval) -> list[str]:
    """Return the objects of the claims that were found, best first; notes are left out."""
    return [hit.node.object for hit in found if hit.node.object is not None]


def contents(found: Retrieval) -> list[str]:
    return [hit.node.content for hit in found]


def seen(found: Retrieval) -> list[tuple[Any, ...]]:
    """Return everything that a caller sees of the hits but the times of receipt."""
    return [(hit.node.id, hit.score, hit.rank, hit.historical, hit.successor, hit.excerpt) for hit in found]


__all__ = ["NOON", "OWNER", "Simple", "client", "contents", "objects", "say", "seen"]

"""docs/plan-format.md and docs/journal.md: keys, ids and bodies are those that a store holds."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, get_args
from uuid import uuid5

import duckdb
import pytest

from prme import ExtractedClaim, ExtractedEntity, Extraction, MemoryClient
from prme.canonical import canonical_json
from prme.clock import utc_text
from prme.ids import NAMESPACE
from prme.journal.chain import JournalKind
from prme.store.opening import DATABASE_FILE
from prme_extractors.recorded import RecordedExtractor, Recording
from tests.docs.pages import ROOT, codes, plain, tables_of

PLAN = ROOT / "docs" / "plan-format.md"
JOURNAL = ROOT / "docs" / "journal.md"
NOON = datetime(2031, 4, 1, 12, 0, tzinfo=UTC)
CLAIMS = [
    ExtractedClaim(subject=subject, predicate="plays", object="chess", polarity="positive")
    for subject in ("Nadia", "I", "she")
]
TEXT = "Nadia and I play chess, and she plays well."
ANSWERS = RecordedExtractor.of(
    [
        Recording(
            content=TEXT,
            extraction=Extraction(entities=[ExtractedEntity(name="Nadia", entity_type="Person")], claims=CLAIMS),
        )
    ]
)


def tell(memory: MemoryClient, message_id: str | None = None) -> dict[str, Any]:
    """Ingest the text and return its plan as JSON."""
    receipt = memory.ingest(TEXT, user_id="sam", first_person_owner=True, message_id=message_id)
    document: dict[str, Any] = json.loads(memory.get_plan_data(receipt.event_id))
    return document


def test_the_page_lists_the_keys_of_a_plan():
    (table,) = [table for table in tables_of(PLAN) if table.columns[0] == "key"]
    with MemoryClient(":memory:", extractor=ANSWERS, clock=lambda: NOON) as memory:
        assert list(tell(memory)) == [codes(row[0])[0] for row in table.rows]


@pytest.mark.parametrize("message_id", ["m-1", None])
def test_ids_are_made_of_the_arrays_that_the_page_gives(message_id: str | None):
    arrays = {
        plain(row[0]): codes(row[1])[0] for table in tables_of(PLAN) if table.columns[0] == "id" for row in table.rows
    }
    with MemoryClient(":memory:", extractor=ANSWERS, clock=lambda: NOON) as memory:
        plan = tell(memory, message_id)
        note = memory.get_event_nodes(plan["event"]["id"])[0]
    values = {
        "user_id": "sam",
        "scope": "personal",
        "message_id": message_id,
        "received_at": utc_text(NOON),
        "event_id": plan["event"]["id"],
        "policy": plan["policy"],
        "position": 0,
        "entity_type": "person",
        "folded_name": "nadia",
        "pronoun": "she",
    }
    derived = {
        what: str(uuid5(NAMESPACE, canonical_json(eval(array, values)).decode())) for what, array in arrays.items()
    }
    unused = "event without" if message_id else "event with a message_id"
    del derived[unused]

    assert [
        plan["event"]["id"],
        note.id,
        plan["plan_id"],
        plan["claims"][0]["id"],
        plan["entities"][0]["id"],
        plan["claims"][1]["subject_id"],
        plan["claims"][2]["subject_id"],
    ] == list(derived.values())


def test_the_page_lists_every_kind_of_entry_with_the_keys_of_its_body(tmp_path: Path):
    (table,) = [table for table in tables_of(JOURNAL) if table.columns[0] == "kind"]
    with MemoryClient(tmp_path, extractor=ANSWERS, clock=lambda: NOON) as memory:
        tell(memory)
        memory.ingest("Nothing was recorded for this.", user_id="sam")
        memory.ingest("Nor for this.", user_id="sam", wait_for_extraction=False)
        one, two, three = (memory.get_event_nodes(memory.store(text, user_id="sam"))[0].id for text in "abc")
        memory.supersede(one, two)
        memory.contradict(two, three)
        memory.resolve_contradiction(two, three)
    with duckdb.connect(str(tmp_path / DATABASE_FILE), read_only=True) as database:
        bodies = dict(database.execute("select kind, body from journal").fetchall())

    assert list(get_args(JournalKind)) == [codes(row[0])[0] for row in table.rows]
    assert {kind: set(json.loads(body)) for kind, body in bodies.items()} == {
        codes(row[0])[0]: set(codes(row[2])) for row in table.rows
    }

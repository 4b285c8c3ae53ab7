"""What is prepared for an owner ahead of its turn is what the store ends up with, whatever was guessed."""

from __future__ import annotations

import itertools
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from prme.model.claim import Evidence
from prme.model.decision import NearMiss, RetiredTarget, RuleDecision
from prme.publication.snapshots import decision_document
from prme.records.head import record_head
from prme.records.sources import Place
from prme.records.spool import PlacedRecord
from prme.replay.preparing import MOST_ENTRIES_PER_RECORD, prepare_owner
from prme.replay.publishing import publish_prepared
from prme.service import MemoryService
from prme.store.rows import TABLES
from tests.engine.conversation import NOON, Scripted
from tests.replay.worlds import exported, lines

TRIGGER = Evidence(event_id="e", start=3, end=7, quote="stop")
PLAIN = RuleDecision(claim_id="c", outcome="none", trigger=TRIGGER)
FULL = RuleDecision(
    claim_id="c",
    outcome="retired",
    reason="contested",
    rule="direct_replacement",
    trigger=TRIGGER,
    targets=(RetiredTarget(claim_id="a", match="exact", via="same"),),
    candidates=("d", "f"),
    near_misses=(NearMiss(claim_id="b", test="time"), NearMiss(claim_id="g", test="kind")),
)


def stored(records: list[PlacedRecord], guess: int) -> dict[str, list[tuple[object, ...]]]:
    """Publish an owner's records, prepared under a guessed key, and return all rows of the store."""
    keys = [number.to_bytes(32) for number in range(MOST_ENTRIES_PER_RECORD * len(records))]
    prepared = prepare_owner("sam", records, owner_key=guess, now=NOON + timedelta(days=99), keys=keys)
    numbers = itertools.count()
    service = MemoryService(":memory:", extractor=Scripted(), entropy=lambda size: next(numbers).to_bytes(size))
    try:
        assert service._writer.submit("sam", partial(publish_prepared, prepared=prepared)).result()
        return {table: sorted(service._database.query(f"select * from {table}"), key=repr) for table in TABLES}
    finally:
        service.close()


def test_every_row_has_the_key_that_the_store_gives_the_owner(tmp_path: Path):
    target, _ = exported(tmp_path / "x.jsonl")
    read = [(record_head(line), line) for line in map(bytes.strip, lines(target))]
    records = [
        PlacedRecord(head.kind, head.name, head.checksum, Place("x", None), line)
        for head, line in read
        if head.user_id == "sam"
    ]

    expected = stored(records, 1)

    assert all(expected[table] for table in TABLES if table not in ("entities", "meta"))
    assert expected == stored(records, 7)


@pytest.mark.parametrize("decision", [PLAIN, FULL])
def test_the_document_of_a_decision_has_every_field(decision: RuleDecision):
    assert decision.model_dump() == decision_document(decision)

"""Nothing that the service acknowledged is lost, whenever it is killed. `python -m tests.http.load` runs longer."""

from __future__ import annotations

from pathlib import Path

import pytest

from prme import MemoryClient
from tests.engine.conversation import TEA, Scripted
from tests.http.load import Ledger, missing, run_load

pytestmark = pytest.mark.slow


def test_nothing_acknowledged_is_lost_when_the_service_is_killed(tmp_path: Path):
    outcome = run_load(tmp_path / "memory", seconds=8, clients=4, seed=7, pauses=(0.1, 1.0))

    assert ([], []) == (outcome.lost, outcome.problems)
    assert outcome.kills >= 1
    assert outcome.acknowledged >= 5


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """What a client was told by a store, all of it true."""
    with MemoryClient(tmp_path, extractor=Scripted()) as memory:
        receipt = memory.ingest(TEA, user_id="sam", first_person_owner=True)
        note = memory.store("A note.", user_id="sam")
        nodes = [memory.get_event_nodes(event)[0].id for event in (receipt.event_id, note)]
        operation = memory.supersede(*nodes).operation_id
    return Ledger(plans={receipt.event_id: receipt.plan_checksum or ""}, notes={note}, operations={operation})


def test_the_check_finds_nothing_where_nothing_is_lost(tmp_path: Path, ledger: Ledger):
    assert [] == missing(tmp_path, ledger)


@pytest.mark.parametrize("kind", ["event", "plan", "note", "operation"])
def test_the_check_notices_what_was_acknowledged_and_lost(tmp_path: Path, ledger: Ledger, kind: str):
    nowhere = "00000000-0000-0000-0000-000000000000"
    match kind:
        case "event":
            ledger.plans[nowhere] = "sha256:0"
        case "plan":
            ledger.plans = dict.fromkeys(ledger.plans, "sha256:0")
        case "note":
            ledger.notes.add(nowhere)
        case "operation":
            ledger.operations.add(nowhere)

    assert 1 == len(missing(tmp_path, ledger))

"""The workload does what the benchmarks say of it, and is the same bytes everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.workload import (
    CORRECTION_EVERY,
    Said,
    Switch,
    Turn,
    WorkloadExtractor,
    conversation,
    statements,
    turns_for,
    user_id,
)
from prme import IngestReceipt, MemoryClient

ROOT = Path(__file__).parents[2]
DIGEST = """
import hashlib
from benchmarks.plans import saved_plans
from benchmarks.workload import conversation
print(hashlib.sha256(b"".join(prepared.data for prepared in saved_plans(conversation(2, 20)))).hexdigest())
"""


@pytest.fixture
def memory() -> Iterator[MemoryClient]:
    with MemoryClient(":memory:", extractor=WorkloadExtractor()) as opened:
        yield opened


def ingest_all(memory: MemoryClient, messages: list[Said]) -> list[IngestReceipt]:
    return memory.ingest_batch([said.message for said in messages])


def test_a_tenth_of_a_conversation_are_corrections():
    turns = list(conversation(owners=2, turns=200))

    assert len(turns) == CORRECTION_EVERY * sum(turn.is_correction for turn in turns)


@pytest.mark.parametrize("late_by", [0, 30])
def test_each_correction_retires_exactly_one_claim_and_no_other_message_does(memory: MemoryClient, late_by: int):
    ingest_all(memory, list(conversation(owners=1, turns=60)))
    turns = [Turn(0, number, late_by) for number in range(60, 90)]

    receipts = ingest_all(memory, turns)

    assert [int(turn.is_correction) for turn in turns] == [len(receipt.retired) for receipt in receipts]


def test_corrections_are_about_many_predicates():
    corrections = [turn for turn in conversation(owners=1, turns=200) if turn.is_correction]

    assert len({turn.predicate for turn in corrections}) == CORRECTION_EVERY - 1


def test_a_conversation_has_about_as_many_claims_as_asked_for(memory: MemoryClient):
    receipts = ingest_all(memory, list(conversation(owners=1, turns=turns_for(57))))

    assert sum(len(receipt.claims) for receipt in receipts) == 57


def test_statements_stay_open(memory: MemoryClient):
    receipts = ingest_all(memory, list(statements(0, 40)))

    assert [2] * 20 == [len(receipt.claims) for receipt in receipts]
    assert not any(receipt.retired for receipt in receipts)


def test_switches_leave_a_few_values_open_and_deny_none(memory: MemoryClient):
    ingest_all(memory, [Switch(0, number, values=3) for number in range(12)])

    state = memory.get_assertion_state(user_id=user_id(0), subject="I", predicate="uses")

    assert (len(state.claims), len(state.denied), len(state.closed)) == (3, 0, 9)


def test_the_plans_are_the_same_bytes_under_every_hash_seed():
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", DIGEST],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1")
    ]
    first, second = [process.communicate()[0] for process in processes]

    assert first == second != ""

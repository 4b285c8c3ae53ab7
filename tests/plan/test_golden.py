"""Every plan that this project ever published as an example is prepared again, byte for byte, and does the same."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from prme.model.decision import RuleDecision
from prme.model.interval import Interval
from prme.plan.rule_claims import rule_claims
from tests.plan.golden import (
    CASES,
    GOLDEN,
    explicit_decisions,
    fold_at_once,
    intervals_of,
    labels_of,
    outcome_bytes,
    plan_bytes,
    saved_plans,
    told_plan_by_plan,
    without_near_misses,
    write_cases,
)

ROOT = Path(__file__).parents[2]
EVERY_CASE = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
DECIDED_CASES = [case for case in CASES if (case / "decisions.jsonl").exists()]


@EVERY_CASE
def test_the_recorded_extractions_give_the_saved_bytes(case: Path):
    assert plan_bytes(case) == (case / "plans.jsonl").read_bytes()


@EVERY_CASE
def test_the_saved_bytes_are_read_and_proved(case: Path):
    lines = (case / "plans.jsonl").read_bytes().splitlines()

    assert [plan.checksum for plan in saved_plans(case)] == [json.loads(line)["checksum"] for line in lines]


@EVERY_CASE
def test_the_saved_plans_do_to_memory_what_was_saved(case: Path):
    assert outcome_bytes(case).decode("utf-8") == (case / "outcome.json").read_bytes().decode("utf-8")


@EVERY_CASE
def test_plan_by_plan_memory_comes_to_the_fold_over_all_of_them(case: Path):
    plans = saved_plans(case)
    by_hand = explicit_decisions(case, labels_of(plans))
    subjects, told = told_plan_by_plan(plans, by_hand)
    folded = fold_at_once((claim for plan in plans for claim in rule_claims(plan)), by_hand)

    families = [family for subject in folded.values() for family in subject.families.values()]
    decisions = {name: entry.decision for family in families for name, entry in family.entries.items()}
    assert intervals_of(subjects) == intervals_of(folded)
    assert {name: without_near_misses(decision) for name, decision in told.items()} == decisions


@pytest.mark.parametrize("case", DECIDED_CASES, ids=lambda case: case.name)
def test_every_decision_by_hand_could_be_made_when_it_was(case: Path):
    plans = saved_plans(case)
    by_hand = explicit_decisions(case, labels_of(plans))
    for n, decision in enumerate(by_hand):
        received = [plan for plan in plans if plan.event.received_at <= decision.mark]
        known = intervals_of(told_plan_by_plan(received, by_hand[:n])[0])
        status = "contested" if decision.kind == "resolve" else "current"

        assert decision.mark == received[-1].event.received_at
        assert [known[decision.old].status, known[decision.new].status] == [status, status]
        if decision.kind != "contradict":
            before = [made.at for made in by_hand[:n] if made.new == decision.old and made.at is not None]
            assert decision.at == max(known[decision.old].valid_from, known[decision.new].valid_from, *before)


def test_an_outcome_tells_every_field_of_an_interval_and_of_a_decision():
    (told,) = json.loads((GOLDEN / "quotation-marks-differ" / "outcome.json").read_bytes()).values()

    assert {"node_id", *told["interval"]} == set(Interval._fields)
    assert {"claim_id", *told["decision"]} == set(RuleDecision.model_fields)


@pytest.mark.parametrize(("seed", "zone"), [("0", "Pacific/Auckland"), ("4242", "America/St_Johns")])
def test_another_process_with_another_hash_seed_and_time_zone_gives_the_same_bytes(seed: str, zone: str):
    program = (
        "import hashlib; from tests.plan.golden import CASES, outcome_bytes, plan_bytes; "
        "print(hashlib.sha256(b''.join(plan_bytes(case) + outcome_bytes(case) for case in CASES)).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )

    saved = b"".join((case / file).read_bytes() for case in CASES for file in ("plans.jsonl", "outcome.json"))
    assert ran.stdout.strip() == hashlib.sha256(saved).hexdigest()


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """A folder with two of the cases."""
    for name in ("ambiguous-denial", "denial-retires"):
        shutil.copytree(GOLDEN / name, tmp_path / name)
    return tmp_path


def test_nothing_is_written_when_nothing_is_missing(golden: Path):
    assert write_cases(golden) == []


def test_missing_plans_and_outcomes_are_written(golden: Path):
    missing = [golden / "denial-retires" / file for file in ("plans.jsonl", "outcome.json")]
    for path in missing:
        path.unlink()

    assert write_cases(golden) == missing
    assert [path.read_bytes() for path in missing] == [
        (GOLDEN / path.relative_to(golden)).read_bytes() for path in missing
    ]


def test_an_outcome_that_came_out_differently_is_written_and_named(golden: Path):
    outcome = golden / "denial-retires" / "outcome.json"
    outcome.write_bytes(outcome.read_bytes().replace(b"superseded", b"current"))

    assert write_cases(golden) == [outcome]


def test_nothing_is_written_when_saved_plans_would_come_out_differently(golden: Path):
    changed, missing = golden / "denial-retires" / "plans.jsonl", golden / "ambiguous-denial" / "plans.jsonl"
    other = changed.read_bytes().replace(b"I take", b"I took")
    changed.write_bytes(other)
    missing.unlink()

    with pytest.raises(SystemExit, match="denial-retires: its plans would come out differently"):
        write_cases(golden)
    assert changed.read_bytes() == other
    assert not missing.exists()

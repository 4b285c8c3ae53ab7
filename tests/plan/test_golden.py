"""Every plan that this project ever published as an example is prepared again, byte for byte, and does the same."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from itertools import chain
from pathlib import Path
from typing import Any, get_args

import pytest

from prme.cli.wording import CHANGES, REJECTIONS
from prme.correction.fold import family_interval
from prme.model.decision import Match, Reason, Test, Via
from prme.plan.codec import decode_plan
from prme.policy.registry import DEFAULT_POLICY, POLICIES, get_policy
from tests.plan.golden import (
    CASES,
    GOLDEN,
    corrections,
    folded,
    outcome_bytes,
    plan_bytes,
    saved_claims,
    saved_outcome,
    saved_plans,
    write_missing,
)

ROOT = Path(__file__).parents[2]
# What a policy can never conclude, and why.
UNREACHABLE = {
    ("speech_act_v13", "reason", "ambiguous"): "objects match exactly, so all that match are one object",
    ("speech_act_v13", "match", "short"): "it knows no shorthand",
    ("speech_act_v13", "via", "transition"): "it knows no transition",
}


@pytest.mark.parametrize("case", CASES)
def test_the_recorded_extractions_give_the_saved_bytes(case: str):
    assert plan_bytes(case) == (GOLDEN / case / "plans.jsonl").read_bytes()


@pytest.mark.parametrize("case", CASES)
def test_the_saved_bytes_are_read_and_proved(case: str):
    for line in saved_plans(case):
        assert decode_plan(line).checksum == json.loads(line)["checksum"]


@pytest.mark.parametrize("case", CASES)
def test_the_saved_plans_do_to_memory_what_was_saved(case: str):
    assert outcome_bytes(case).decode("utf-8") == saved_outcome(case).decode("utf-8")


@pytest.mark.parametrize("case", [case for case in CASES if not (GOLDEN / case / "decisions.jsonl").exists()])
def test_plan_by_plan_memory_comes_to_the_fold_over_all_of_them(case: str):
    claims = saved_claims(case)
    stepwise = {
        name: family_interval(family, name)
        for correction in corrections(claims)
        for subject in correction.subjects.values()
        for family in subject.families.values()
        for name in family.entries
    }

    assert stepwise == folded(claims, [])[0]


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_another_process_with_another_hash_seed_gives_the_same_bytes(seed: str):
    program = (
        "import hashlib; from tests.plan.golden import *; "
        "print(hashlib.sha256(b''.join(plan_bytes(case) + outcome_bytes(case) for case in CASES)).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "Pacific/Auckland"}
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environment, capture_output=True, text=True, check=True
    )

    saved = ((GOLDEN / case / "plans.jsonl").read_bytes() + saved_outcome(case) for case in CASES)
    assert ran.stdout.strip() == hashlib.sha256(b"".join(saved)).hexdigest()


def test_writing_what_is_missing_never_changes_a_saved_plan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    case = CASES[0]
    (tmp_path / case).mkdir()
    saved = (GOLDEN / case / "plans.jsonl").read_bytes().replace(b"I keep", b"I hold")
    (tmp_path / case / "plans.jsonl").write_bytes(saved)
    monkeypatch.setattr("tests.plan.golden.GOLDEN", tmp_path)

    with pytest.raises(SystemExit, match="a saved plan never changes"):
        write_missing()
    assert (tmp_path / case / "plans.jsonl").read_bytes() == saved


def test_there_are_at_least_forty_cases():
    assert len(CASES) >= 40


@pytest.mark.parametrize("policy", POLICIES)
def test_the_cases_cover_every_code_that_a_policy_can_give(policy: str):
    wanted = {
        *(("reason", code) for code in get_args(Reason)),
        *(("match", code) for code in get_args(Match)),
        *(("via", code) for code in get_args(Via)),
        *(("near miss", code) for code in get_args(Test)),
        *(("rule", rule.name) for rule in POLICIES[policy].rules),
        *(("rejection", code) for code in REJECTIONS),
        *(("change", code) for code in CHANGES),
    }
    unreachable = {(kind, code) for name, kind, code in UNREACHABLE if name == policy}

    assert wanted - set(chain.from_iterable(map(_codes, _cases_of(policy)))) == unreachable


def test_the_cases_cover_every_class_of_the_default_policy():
    retired = {predicate for case in CASES for predicate in _class_targets(case)}

    assert [] == [names for names in get_policy(DEFAULT_POLICY).predicate_classes if not names & retired]


def _cases_of(policy: str) -> list[str]:
    return [case for case in CASES if decode_plan(saved_plans(case)[0]).policy == policy]


def _codes(case: str) -> set[tuple[str, str]]:
    found = {("rejection", rejected.reason) for plan in _plans(case) for rejected in plan.rejected}
    found |= {("change", code) for plan in _plans(case) for claim in plan.claims for code in claim.changes}
    for decision in _decisions(case):
        found |= {("reason", decision["reason"]), ("rule", decision["rule"])}
        found |= {("near miss", test) for _, test in decision["near_misses"]}
        for _, match, via in decision["targets"]:
            found |= {("match", match), ("via", via)}
    return found


def _decisions(case: str) -> list[dict[str, Any]]:
    return [claim["decision"] for claim in json.loads(saved_outcome(case)).values()]


def _plans(case: str) -> list[Any]:
    return [decode_plan(line) for line in saved_plans(case)]


def _class_targets(case: str) -> list[str]:
    """Return the predicates of the claims that a case retires through a class."""
    predicates = {
        f"{n}.{claim.position}": claim.predicate
        for n, plan in enumerate(_plans(case), start=1)
        for claim in plan.claims
    }
    return [predicates[name] for decision in _decisions(case) for name, _, via in decision["targets"] if via == "class"]

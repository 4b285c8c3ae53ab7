"""Every plan that this project ever published as an example is prepared again, byte for byte."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from prme.message import validate_message
from prme.model.extraction import Extraction
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.plan.codec import decode_plan
from prme.plan.prepare import prepare_plan
from prme.policy.registry import get_policy
from prme.publication.publish import new_event

GOLDEN = Path(__file__).parents[2] / "plans" / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())


def prepared_again(step: dict[str, Any]) -> bytes:
    fields = {**step["message"], "occurred_at": datetime.fromisoformat(step["message"]["occurred_at"])}
    return prepare_plan(
        new_event(validate_message(**fields), datetime.fromisoformat(step["received_at"])),
        Extraction.model_validate(step["extraction"]),
        extractor=ExtractorIdentity.model_validate(step["extractor"]),
        policy=get_policy(step["policy"]),
        options=PlanOptions.model_validate(step["options"]),
    ).data


def case_bytes(case: str) -> bytes:
    lines = (GOLDEN / case / "conversation.jsonl").read_text(encoding="utf-8").splitlines()
    return b"".join(prepared_again(json.loads(line)) + b"\n" for line in lines)


@pytest.mark.parametrize("case", CASES)
def test_the_recorded_extractions_give_the_saved_bytes(case: str):
    assert case_bytes(case) == (GOLDEN / case / "plans.jsonl").read_bytes()


@pytest.mark.parametrize("case", CASES)
def test_the_saved_bytes_are_read_and_proved(case: str):
    for line in (GOLDEN / case / "plans.jsonl").read_bytes().splitlines():
        assert decode_plan(line).checksum == json.loads(line)["checksum"]


@pytest.mark.parametrize("seed", ["0", "4242"])
def test_another_process_with_another_hash_seed_gives_the_same_bytes(seed: str):
    program = (
        "import hashlib, runpy, sys; "
        "golden = runpy.run_path(sys.argv[1]); "
        "print(hashlib.sha256(b''.join(map(golden['case_bytes'], golden['CASES']))).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": "Pacific/Auckland"}
    ran = subprocess.run(
        [sys.executable, "-c", program, __file__], env=environment, capture_output=True, text=True, check=True
    )

    expected = hashlib.sha256(b"".join((GOLDEN / case / "plans.jsonl").read_bytes() for case in CASES)).hexdigest()
    assert ran.stdout.strip() == expected

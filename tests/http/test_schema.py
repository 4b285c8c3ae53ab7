"""The service does what its schema says: requests that are made from the schema find nothing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from prme import Change, MemoryEngine
from tests.http.serving import SAM_TOKEN, WITH_TOKENS, served

CONFIGURATION = Path(__file__).with_name("schemathesis.toml")
SEED = "1"

pytestmark = pytest.mark.slow


def examined(url: str, *options: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run schemathesis against a service as sam, who may not see the metrics."""
    command = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(CONFIGURATION), "run"]
    asked = [f"{url}/openapi.json", "-H", f"Authorization: Bearer {SAM_TOKEN}", "--seed", SEED, *options]
    return subprocess.run([*command, *asked], capture_output=True, text=True, cwd=folder)


def test_requests_made_from_the_schema_find_nothing(tmp_path: Path):
    with served(settings=WITH_TOKENS) as service:
        found = examined(service.url, "--phases", "examples,fuzzing", "--max-examples", "3", folder=tmp_path)

    assert 0 == found.returncode, found.stdout


class BrokenEngine(MemoryEngine):
    """A memory whose feed of changes fails in a way that nobody expected."""

    async def changes(self, **asked: Any) -> list[Change]:
        raise RuntimeError


def test_a_service_that_is_broken_is_found_out(tmp_path: Path):
    with served(settings=WITH_TOKENS, engine_class=BrokenEngine) as service:
        options = ("--include-path", "/v1/changes", "--phases", "fuzzing", "--max-examples", "3")
        found = examined(service.url, *options, folder=tmp_path)

    assert 1 == found.returncode
    assert "Server error" in found.stdout

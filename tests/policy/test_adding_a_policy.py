"""A later policy is one more module: nothing else is touched, older plans keep theirs, older releases refuse it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from prme import MemoryClient
from prme.errors import StoreVersionError, UnsupportedPlanError
from prme.plan.codec import decode_plan
from prme.policy.registry import DEFAULT_POLICY, NEWEST_POLICY, POLICIES
from tests.engine.conversation import raw
from tests.policy import later_release
from tests.policy.later_release import BEFORE, LATER, LINES, OLDER

ROOT = Path(__file__).parents[2]
# The next free name, so that the policy which takes it one day finds nothing to change here.
NAME = f"speech_act_v{NEWEST_POLICY.number + 1}"

pytestmark = pytest.mark.slow


def release_with_one_more_policy(directory: Path) -> dict[str, str]:
    """Lay the package out once more with one more module, and return the environment that imports it from there."""
    package = directory / "prme"
    (package / "policy").mkdir(parents=True)
    for entry in (ROOT / "prme").iterdir():
        if entry.name not in {"policy", "__pycache__"}:
            (package / entry.name).symlink_to(entry)
    for module in (ROOT / "prme" / "policy").glob("*.py"):
        (package / "policy" / module.name).symlink_to(module)
    (package / "policy" / f"{NAME}.py").symlink_to(ROOT / "tests" / "policy" / "later_policy.py")
    path = os.pathsep.join(map(str, (directory, ROOT, ROOT / "extractors")))
    return {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def run(environment: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    # -P keeps this tree, in which the tests run, from answering for the package.
    return subprocess.run(
        [sys.executable, "-P", *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@dataclass(frozen=True)
class Handed:
    """A store that this release began and a later one went on with, and what the later one found."""

    store: Path
    digest: str
    found: dict[str, Any]
    environment: dict[str, str]

    @property
    def decisions(self) -> dict[str, Any]:
        decisions: dict[str, Any] = self.found["gone on"]["decisions"]
        return decisions


@pytest.fixture(scope="module")
def handed(tmp_path_factory: pytest.TempPathFactory) -> Handed:
    directory = tmp_path_factory.mktemp("releases")
    environment = release_with_one_more_policy(directory / "later")
    store = directory / "store"
    later_release.tell(store, BEFORE)
    digest = later_release.looked_at(store)["state_digest"]
    ran = run(environment, later_release.__file__, str(store), str(directory / "orders"))
    assert ran.returncode == 0, ran.stderr
    return Handed(store, digest, json.loads(ran.stdout), environment)


def judged(decision: dict[str, Any]) -> tuple[str, str | None, str | None]:
    return decision["outcome"], decision["reason"], decision["rule"]


def test_the_module_is_found_and_is_the_newest_but_not_the_default(handed: Handed):
    assert handed.found["policies"] == [*POLICIES, NAME]
    assert (handed.found["newest"], handed.found["default"]) == (NAME, DEFAULT_POLICY)


def test_this_release_does_not_know_it():
    assert NAME not in POLICIES


def test_a_store_of_older_policies_is_to_the_later_release_what_it_was(handed: Handed):
    assert handed.found["handed over"]["ok"]
    assert handed.found["handed over"]["state_digest"] == handed.digest


def test_every_plan_records_the_policy_of_its_time(handed: Handed):
    expected = {str(line.day): NAME if line.policy == LATER else line.policy for line in LINES}

    assert handed.found["gone on"]["policies"] == expected


def test_the_store_remembers_the_newest_policy_it_holds(handed: Handed):
    held = raw(handed.store, "select value from meta where key = ?", [f"policy.{NEWEST_POLICY.number + 1}"])

    assert held == [(NAME,)]


def test_what_the_later_release_stored_verifies_there(handed: Handed):
    assert handed.found["gone on"]["ok"]


@pytest.mark.parametrize(
    ("day", "rule", "retired", "way"),
    [
        (8, "plain_denial", 3, ("exact", "class")),
        (9, "plain_denial", 1, ("short", "same")),
        (10, "move", 2, ("exact", "transition")),
    ],
)
def test_it_retires_by_its_own_rules_predicates_and_objects(
    handed: Handed, day: int, rule: str, retired: int, way: tuple[str, str]
):
    decision = handed.decisions[str(day)]
    [target] = decision["targets"]

    assert judged(decision) == ("retired", None, rule)
    assert target["claim_id"] == LINES[retired - 1].claim_id
    assert (target["match"], target["via"]) == way


def test_its_word_lists_are_its_own(handed: Handed):
    types = handed.found["gone on"]["epistemic_types"]

    assert (types["11"], types["12"]) == ("hypothetical", "asserted")


def test_older_policies_decide_beside_it_what_they_decide_alone(handed: Handed, tmp_path: Path):
    later_release.tell(tmp_path, OLDER)
    alone = later_release.looked_at(tmp_path, OLDER)["decisions"]

    assert {day: judged(decision) for day, decision in alone.items()} == {
        line.day: judged(handed.decisions[str(line.day)]) for line in OLDER
    }


@pytest.mark.parametrize("order", ["backwards", "later first", "every other"])
def test_every_order_of_arrival_ends_in_the_same_state(handed: Handed, order: str):
    found = handed.found["orders"][order]

    assert found["ok"]
    assert found["state_digest"] == handed.found["gone on"]["state_digest"]


def test_this_release_refuses_the_store_and_names_the_policy(handed: Handed):
    with pytest.raises(StoreVersionError, match=f"'{NAME}'.*upgrade prme"):
        MemoryClient(handed.store)


def test_this_release_refuses_its_plan_and_names_the_policy(handed: Handed):
    with pytest.raises(UnsupportedPlanError, match=f"'{NAME}' is not known.*upgrade prme"):
        decode_plan(handed.found["plan"].encode("utf-8"))


def test_the_command_line_lists_it_with_its_rules(handed: Handed):
    assert f"{NAME} (newest)\n  plain_denial: a denial ends what it denies, also" in handed.found["page"]


def test_what_it_decided_can_be_explained(handed: Handed):
    page = " ".join(handed.found["why"].split())

    assert "a denial ends what it denies, also without a word of change" in page
    assert LINES[2].content in page
    assert LINES[2].claim_id in page


def test_the_tests_of_every_policy_take_it_in(handed: Handed):
    checks = ("tests/policy/test_every_policy.py", "tests/policy/test_registry.py", "tests/policy/test_policy.py")

    ran = run(handed.environment, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-rA", *checks)

    assert ran.returncode == 0, ran.stdout
    assert f"[{NAME}]" in ran.stdout

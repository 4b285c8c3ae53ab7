"""docs/testing.md and the example application: the tests that they show pass, and the lists are complete."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from click.testing import CliRunner

import prme_pytest
from prme.cli.main import program
from prme.testing.scenario import Expectations, Scenario, ScenarioMessage
from prme.testing.scenario_verdict import Verdict
from tests.docs.pages import ROOT, blocks_of, codes, tables_of

PAGE = ROOT / "docs" / "testing.md"
EXAMPLE = ROOT / "examples" / "chat_app"


def first_column(column: str) -> list[str]:
    (table,) = [table for table in tables_of(PAGE) if table.columns[0] == column]
    return [code for row in table.rows for code in codes(row[0])]


def test_the_tests_on_the_page_pass_once_they_are_recorded(project: pytest.Pytester):
    shown = [block.text for block in blocks_of(PAGE) if block.language == "python"]
    tests = [text for text in shown if text.startswith("def test_")]
    imports = [line for text in shown for line in text.splitlines() if line.startswith("from prme")]
    project.makepyfile(test_chat="\n\n".join(["\n".join(imports), *tests]))

    project.runpytest().assert_outcomes(failed=len(tests))
    project.runpytest("--prme-record=lexical", "--snapshot-update").assert_outcomes(passed=len(tests))
    project.runpytest().assert_outcomes(passed=len(tests))


@pytest.mark.parametrize(
    ("column", "model"),
    [
        ("Key of a scenario", Scenario),
        ("Key of a message", ScenarioMessage),
        ("Key of what is expected", Expectations),
    ],
)
def test_the_page_lists_every_key(column: str, model: type[Scenario]):
    assert set(model.model_fields) == set(first_column(column))


def test_the_page_lists_every_verdict():
    assert list(get_args(Verdict)) == first_column("Verdict")


def test_the_page_lists_every_fixture_and_option():
    source = Path(prme_pytest.__file__).read_text(encoding="utf-8")
    fixtures = [
        name for name, value in vars(prme_pytest).items() if type(value).__name__ == "FixtureFunctionDefinition"
    ]

    assert set(fixtures) == set(first_column("Fixture"))
    assert re.findall(r"addoption\(\s*\"(--[a-z-]+)\"", source) == first_column("Option")


@pytest.fixture
def example(tmp_path: Path) -> Path:
    """A copy of the example, so that running it leaves nothing behind."""
    return Path(
        shutil.copytree(EXAMPLE, tmp_path / "chat_app", ignore=shutil.ignore_patterns("__pycache__", ".pytest_cache"))
    )


def run_example(example: Path, environment: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "chat_app", *options]
    return subprocess.run(command, cwd=example.parent, env=environment, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_tests_of_the_example_pass(example: Path, environment: dict[str, str]):
    result = run_example(example, environment)

    assert (result.returncode, "5 passed" in result.stdout) == (0, True), result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(("name", "passed"), [("langgraph_store", 8), ("remembering", 4)])
def test_the_tests_of_an_integration_pass(name: str, passed: int, tmp_path: Path, environment: dict[str, str]):
    folder = shutil.copytree(ROOT / "examples" / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", str(folder)]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert (result.returncode, f"{passed} passed" in result.stdout) == (0, True), result.stdout


@pytest.mark.slow
def test_the_example_is_as_its_extractor_would_record_it_today(example: Path, environment: dict[str, str]):
    kept = {path.name: path.read_bytes() for path in example.glob("[_r]*/**/*.*") if path.suffix in (".jsonl", ".txt")}
    shutil.rmtree(example / "recordings")
    shutil.rmtree(example / "__snapshots__")

    result = run_example(example, environment, "--prme-record=lexical", "--snapshot-update")

    assert result.returncode == 0, result.stdout
    assert kept == {
        path.name: path.read_bytes() for path in example.glob("[_r]*/**/*.*") if path.suffix in (".jsonl", ".txt")
    }
    assert set(kept) == {"test_chat.jsonl", "test_a_move_and_a_doubt.txt"}


@pytest.mark.slow
def test_a_change_in_what_a_message_means_is_noticed(example: Path, environment: dict[str, str]):
    recordings = example / "recordings" / "test_chat.jsonl"
    recordings.write_text(
        recordings.read_text(encoding="utf-8").replace('"replaces_object": "Oulu", ', ""), encoding="utf-8"
    )

    result = run_example(example, environment)

    assert (result.returncode, "1 failed, 4 passed" in result.stdout) == (1, True), result.stdout


@pytest.mark.slow
def test_the_scenarios_of_the_example_pass():
    files = sorted(map(str, (EXAMPLE / "scenarios").iterdir()))

    result = CliRunner().invoke(program, ["test", *files], prog_name="prme", catch_exceptions=False)

    assert (result.exit_code, "5 scenarios: 5 passed" in result.stdout) == (0, True), result.stdout

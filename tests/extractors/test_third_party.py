"""docs/writing-an-extractor.md: its package is built and installed, found by its name, and keeps the contract."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from prme.extraction.limits import DEFAULT_LIMITS
from prme.model.extraction import ExtractionRequest
from prme.testing import ExtractorContract
from prme.testing.extractor_contract import LONGEST_HOLD_SECONDS
from tests.docs.pages import ROOT, blocks_of, codes, tables_of

PAGE = ROOT / "docs" / "writing-an-extractor.md"
PROGRAM = "from prme.cli.main import main; main()"


def first_column(column: str) -> list[str]:
    (table,) = [table for table in tables_of(PAGE) if table.columns[0] == column]
    return [code for row in table.rows for code in codes(row[0])]


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the page: the blocks that have a name behind their language."""
    folder = tmp_path_factory.mktemp("package")
    for block in blocks_of(PAGE):
        _, _, name = block.language.partition(" ")
        if name:
            file = folder / name
            file.parent.mkdir(exist_ok=True)
            file.write_text(block.text, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def environment(package: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The variables with which a process finds prme, and the package of the page as it is installed elsewhere."""
    pytest.importorskip("uv")
    target = tmp_path_factory.mktemp("installed")
    options = ["--offline", "--no-config", "--no-deps", "--no-cache", "--quiet", "--python", sys.executable]
    command = [sys.executable, "-m", "uv", "pip", "install", *options, "--target", str(target), str(package)]
    subprocess.run(command, check=True)
    path = os.pathsep.join(map(str, (target, ROOT, ROOT / "extractors")))
    ours = {name: value for name, value in os.environ.items() if name not in {"PRME_STORE", "PYTEST_ADDOPTS"}}
    return {**ours, "PYTHONPATH": path, "COLUMNS": "100"}


def ran(environment: dict[str, str], folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, *map(str, arguments)]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_the_extractor_of_the_page_has_at_most_thirty_lines(package: Path):
    code = (package / "prme_profile_cards" / "__init__.py").read_text(encoding="utf-8").splitlines()

    assert 0 < len([line for line in code if line.strip()]) <= 30


def test_the_installed_extractor_is_found_by_its_name_and_does_what_the_page_shows(
    environment: dict[str, str], package: Path, tmp_path: Path
):
    (commands,) = [block for block in blocks_of(PAGE) if block.language == "sh"]
    assert commands.following is not None
    install, *typed = commands.text.replace("cards.jsonl", str(package / "cards.jsonl")).splitlines()

    ends = [ran(environment, tmp_path, "-c", PROGRAM, *line.split()[1:]) for line in typed]

    assert install == "pip install ."
    assert [0, 0] == [end.returncode for end in ends], ends
    assert commands.following.text == ends[-1].stdout


def test_without_its_package_the_name_is_unknown(environment: dict[str, str], package: Path, tmp_path: Path):
    _, _, path = environment["PYTHONPATH"].partition(os.pathsep)
    command = ("-c", PROGRAM, "ingest", package / "cards.jsonl", "--extractor", "profile-cards")

    end = ran({**environment, "PYTHONPATH": path}, tmp_path, *command)

    assert (end.returncode, "no extractor named 'profile-cards' is installed" in end.stderr) == (1, True)


def contract_tests(environment: dict[str, str], package: Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run the contract tests of the page in a folder of their own, so that only what is installed can be tested."""
    shutil.copy(package / "test_profile_cards.py", folder)
    return ran(environment, folder, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_profile_cards.py")


def test_the_contract_tests_of_the_page_pass(environment: dict[str, str], package: Path, tmp_path: Path):
    end = contract_tests(environment, package, tmp_path)

    assert (end.returncode, "11 passed" in end.stdout) == (0, True), end.stdout


def test_the_contract_tests_of_the_page_fail_for_an_extractor_that_rewords(
    environment: dict[str, str], package: Path, tmp_path: Path
):
    code = (package / "prme_profile_cards" / "__init__.py").read_text(encoding="utf-8")
    reworded = code.replace("object=value,", "object=value.upper()[::-1],")
    (tmp_path / "prme_profile_cards.py").write_text(reworded, encoding="utf-8")

    end = contract_tests(environment, package, tmp_path)

    assert code != reworded
    assert (end.returncode, "object_not_mentioned" in end.stdout) == (1, True), end.stdout


def test_the_page_lists_every_test_of_the_contract():
    tests = [name.removeprefix("test_") for name in vars(ExtractorContract) if name.startswith("test_")]

    assert tests == first_column("Test")


def test_the_page_lists_every_field_of_a_request():
    assert list(ExtractionRequest.model_fields) == first_column("Field of the request")


def test_the_page_gives_the_limits_of_the_program():
    limits = f"{DEFAULT_LIMITS.tries} tries and {DEFAULT_LIMITS.total_seconds:.0f} seconds"

    assert limits in PAGE.read_text(encoding="utf-8")
    assert f"{LONGEST_HOLD_SECONDS:.0f} when left out" in PAGE.read_text(encoding="utf-8")

"""Stages import upstream only, and the engine never imports an extractor: the contract in pyproject.toml holds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LINT = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True, no_logo=True))"


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    # -P keeps the working directory off the path, so that only `root` can answer for the packages.
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "extractors")])}
    return subprocess.run(
        [sys.executable, "-P", "-c", LINT], cwd=root, env=environment, capture_output=True, text=True, check=False
    )


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for package in ("prme", "extractors"):
        shutil.copytree(ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


def test_the_packages_keep_the_contract():
    result = lint(ROOT)

    assert (result.returncode, "BROKEN" in result.stdout) == (0, False), result.stdout


@pytest.mark.parametrize(
    ("module", "statement", "complaint"),
    [
        ("prme/canonical.py", "import prme.ids", "prme.canonical -> prme.ids"),
        ("prme/unplaced.py", "", "prme.unplaced"),
        ("prme/message.py", "import prme_extractors", "prme.message -> prme_extractors"),
        ("extractors/prme_extractors/planted.py", "import prme.message", "prme_extractors.planted -> prme.message"),
    ],
)
def test_a_planted_import_breaks_the_contract(copy: Path, module: str, statement: str, complaint: str):
    with (copy / module).open("a", encoding="utf-8") as file:
        file.write(f"\n{statement}\n")

    result = lint(copy)

    assert result.returncode == 1, result.stdout
    assert complaint in result.stdout


def test_a_planted_import_that_is_allowed_breaks_nothing(copy: Path):
    (copy / "extractors/prme_extractors/planted.py").write_text("import prme.model.claim\n", encoding="utf-8")

    result = lint(copy)

    assert result.returncode == 0, result.stdout

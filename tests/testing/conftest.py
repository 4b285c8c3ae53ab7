"""What tests of the testing package share: the plugin as it is installed, and projects that use it."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

# Loaded here, or every project that runs in this process would load them again.
import prme.testing.recorded_memory
import prme.testing.snapshots  # noqa: F401
from prme_extractors.lexical import LexicalExtractor

ROOT = Path(__file__).parents[2]
LexicalExtractor()


@pytest.fixture(scope="session")
def metadata(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that declares extractors and plugin as the installed distribution does, also where it is older."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = tmp_path_factory.mktemp("metadata")
    information = folder / "prme-0.dist-info"
    information.mkdir()
    (information / "METADATA").write_text("Metadata-Version: 2.1\nName: prme\nVersion: 0\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in project["entry-points"][group].items())
        for group in ("prme.extractors", "pytest11")
    ]
    (information / "entry_points.txt").write_text("\n".join(groups))
    return folder


@pytest.fixture
def environment(metadata: Path) -> dict[str, str]:
    """The variables with which a process of its own finds the packages and the plugin."""
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (metadata, ROOT, ROOT / "extractors")))}


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, environment: dict[str, str]) -> pytest.Pytester:
    """An empty project in which the plugin is installed; its tests are in test_chat.py."""
    for entry in reversed(environment["PYTHONPATH"].split(os.pathsep)):
        monkeypatch.syspath_prepend(entry)
    monkeypatch.setenv("PYTHONPATH", environment["PYTHONPATH"])
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    return pytester

"""Every extractor that the distribution declares is there, and is found under the name it bears."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from prme.extraction.protocol import faults
from prme.extraction.registry import ENTRY_POINT_GROUP

PROJECT = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = PROJECT["entry-points"][ENTRY_POINT_GROUP]


def test_the_shipped_extractors_are_declared():
    assert set(DECLARED) == {"anthropic", "lexical", "openai", "recorded"}


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_declared_extractor_can_be_made_and_bears_its_name(name: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "k")
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    extractor = EntryPoint(name, DECLARED[name], ENTRY_POINT_GROUP).load()()

    assert (extractor.name, faults(extractor)) == (name, ())

"""Every extractor that the distribution declares is there, and is found under the name it bears."""

from __future__ import annotations

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from prme.extraction.registry import ENTRY_POINT_GROUP

PROJECT = tomllib.loads(Path(__file__).parents[2].joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]
DECLARED = PROJECT["entry-points"][ENTRY_POINT_GROUP]


def test_the_two_extractors_without_a_model_are_declared():
    assert {"lexical", "recorded"} <= set(DECLARED)


@pytest.mark.parametrize("name", sorted(DECLARED))
def test_a_declared_extractor_can_be_loaded_and_bears_its_name(name: str):
    extractor = EntryPoint(name, DECLARED[name], ENTRY_POINT_GROUP).load()

    assert extractor.name == name

"""Extractors are found by name among what is installed, and every way to fail says what to do."""

from __future__ import annotations

import importlib.metadata
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from prme.errors import UnknownExtractorError
from prme.extraction.registry import installed_extractors, resolve_extractor

PROVIDER = """
class Chosen:
    name = "chosen"

    def __init__(self, model="default"):
        if model == "unheard-of":
            raise ValueError("the models are default and other")
        if model == "broken":
            raise RuntimeError("connection string secret")
        self.model = model

    async def extract(self, request):
        raise NotImplementedError


class Unfinished:
    name = "unfinished"


Twin = Chosen
"""


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installs one distribution with a few extractors, and hides all others."""
    (tmp_path / "provider_of_tests.py").write_text(PROVIDER, encoding="utf-8")
    install(
        tmp_path,
        "one",
        chosen="provider_of_tests:Chosen",
        unfinished="provider_of_tests:Unfinished",
        gone="module_that_is_not_there:Extractor",
        misspelt="provider_of_tests:Nobody",
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    real = importlib.metadata.distributions
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **context: real(path=[str(tmp_path)]))
    monkeypatch.delitem(sys.modules, "provider_of_tests", raising=False)


def install(folder: Path, distribution: str, **extractors: str) -> None:
    info = folder / f"{distribution}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: 1.0\n", encoding="utf-8")
    lines = [f"{name} = {target}" for name, target in extractors.items()]
    (info / "entry_points.txt").write_text("\n".join(["[prme.extractors]", *lines, ""]), encoding="utf-8")


def test_installed_extractors_are_listed_by_name():
    assert installed_extractors() == ("chosen", "gone", "misspelt", "unfinished")


def test_a_name_gives_the_extractor_with_its_own_default_model():
    assert resolve_extractor("chosen").model == "default"


def test_everything_after_the_first_colon_is_the_model():
    assert resolve_extractor("chosen:vendor/model:7b").model == "vendor/model:7b"


def test_an_unknown_name_lists_what_is_installed():
    with pytest.raises(UnknownExtractorError, match=r"'nobody' is installed.*chosen, gone, misspelt, unfinished"):
        resolve_extractor("nobody")


def test_with_nothing_installed_the_list_says_none(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(importlib.metadata, "distributions", lambda **context: iter(()))

    with pytest.raises(UnknownExtractorError, match="installed are: none"):
        resolve_extractor("chosen")


@pytest.mark.parametrize("value", ["", ":model"])
def test_an_empty_name_is_unknown(value: str):
    with pytest.raises(UnknownExtractorError, match="no extractor named ''"):
        resolve_extractor(value)


@pytest.mark.parametrize("value", ["chosen:", "chosen:  "])
def test_a_colon_without_a_model_is_refused(value: str):
    with pytest.raises(UnknownExtractorError, match="no model after the colon"):
        resolve_extractor(value)


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("chosen:unheard-of", "the models are default and other"),
        ("gone", "module_that_is_not_there"),
        ("misspelt", "AttributeError"),
        ("unfinished:model", "TypeError"),
        ("unfinished", "model must be a non-blank printable str; extract must be an async method"),
    ],
)
def test_an_extractor_that_cannot_be_made_says_why(value: str, reason: str):
    with pytest.raises(UnknownExtractorError, match=reason):
        resolve_extractor(value)


def test_an_unexpected_failure_of_a_provider_is_not_quoted():
    with pytest.raises(UnknownExtractorError, match="RuntimeError") as caught:
        resolve_extractor("chosen:broken")

    assert "secret" not in str(caught.value)


def test_two_distributions_with_one_name_are_a_conflict(tmp_path: Path):
    install(tmp_path, "two", chosen="provider_of_tests:Twin")

    with pytest.raises(UnknownExtractorError, match="provider_of_tests:Chosen, provider_of_tests:Twin"):
        resolve_extractor("chosen")


def test_the_same_target_twice_is_no_conflict(tmp_path: Path):
    install(tmp_path, "two", chosen="provider_of_tests:Chosen")

    assert resolve_extractor("chosen").name == "chosen"


def test_an_object_is_its_own_extractor():
    async def extract(request: Any) -> None:
        raise NotImplementedError

    mine = SimpleNamespace(name="mine", model="m1", extract=extract)

    assert resolve_extractor(mine) is mine


@pytest.mark.parametrize("value", [None, 5, object(), ["chosen"]])
def test_an_object_that_is_no_extractor_is_told_what_it_lacks(value: Any):
    with pytest.raises(UnknownExtractorError, match=rf"the {type(value).__name__} passed as extractor.*name must be"):
        resolve_extractor(value)

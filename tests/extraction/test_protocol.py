"""What an object needs to be an extractor, and what it may declare besides."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from prme.extraction.protocol import faults, is_local, prompt_digest


async def extract(request: Any) -> None:
    raise NotImplementedError


def extractor(**attributes: Any) -> Any:
    return SimpleNamespace(**{"name": "mine", "model": "m1", "extract": extract, **attributes})


def test_name_model_and_extract_are_enough():
    assert faults(extractor()) == ()


def test_optional_members_may_be_there():
    assert faults(extractor(local=True, prompt_digest="sha256:00")) == ()


@pytest.mark.parametrize(
    ("attributes", "fault"),
    [
        ({"name": None}, "name must be a non-blank printable str"),
        ({"name": " "}, "name must be a non-blank printable str"),
        ({"model": "m\ud800"}, "model must be a non-blank printable str"),
        ({"name": "my\nname"}, "name must be a non-blank printable str"),
        ({"model": 5}, "model must be a non-blank printable str"),
        ({"extract": None}, "extract must be an async method"),
        ({"local": 1}, "local must be True or False"),
        ({"prompt_digest": b"x"}, "prompt_digest must be a non-blank printable str, a mapping of such, or None"),
    ],
)
def test_what_is_wrong_is_named(attributes: dict[str, Any], fault: str):
    assert faults(extractor(**attributes)) == (fault,)


def test_everything_that_is_missing_is_named():
    expected = (
        "name must be a non-blank printable str",
        "model must be a non-blank printable str",
        "extract must be an async method",
    )

    assert faults(object()) == expected


def test_a_class_is_not_an_extractor_but_its_instance_is():
    class Mine:
        name = "mine"
        model = "m1"
        extract = extract

    assert faults(Mine) == ("it is a class, pass an instance",)
    assert faults(Mine()) == ()


@pytest.mark.parametrize(("attributes", "local"), [({}, False), ({"local": False}, False), ({"local": True}, True)])
def test_an_extractor_is_local_only_when_it_says_so(attributes: dict[str, Any], local: bool):
    assert is_local(extractor(**attributes)) is local


def test_an_extractor_without_a_prompt_has_no_digest():
    assert prompt_digest(extractor(), "p1") is None
    assert prompt_digest(extractor(prompt_digest="sha256:00"), "p1") == "sha256:00"

"""A long JSON text is read value by value, and says where it is damaged."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.cli import json_values
from prme.cli.json_values import DamagedJsonError, JsonValues

SCALARS = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
DOCUMENTS = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)


def values_of(text: str, *, most: int = 10_000) -> list[Any]:
    return list(JsonValues(io.StringIO(text), most=most))


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(json_values, "CHUNK_CHARACTERS", 3)


@given(st.lists(DOCUMENTS, max_size=5), st.sampled_from([None, 2]), st.integers(1, 7))
def test_the_elements_of_a_list_are_what_the_whole_list_holds(documents: list[Any], indent: int | None, chunk: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_values, "CHUNK_CHARACTERS", chunk)

        assert documents == values_of(f" {json.dumps(documents, indent=indent)}\n")


@given(st.lists(st.dictionaries(st.text(max_size=3), DOCUMENTS, max_size=3), max_size=5), st.integers(1, 7))
def test_values_one_after_another_are_each_read(documents: list[Any], chunk: int):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_values, "CHUNK_CHARACTERS", chunk)

        assert documents == values_of("\n\n".join(map(json.dumps, documents)))


def test_a_number_is_not_taken_for_whole_where_the_text_held_so_far_ends(small_chunks):
    assert [1234567] == values_of("1234567")
    assert [1234567, 8] == values_of("[1234567,8]")


@pytest.mark.parametrize(
    ("text", "read", "place"),
    [
        ('[{"a": 1}, {"a"', 1, "character 16"),
        ('[{"a": 1}, {"a" 2}]', 1, "character 17"),
        ("[1 2]", 1, "character 4"),
        ("[1, ]", 1, "character 5"),
        ("[1", 1, "character 3"),
        ("[1] x", 1, "character 5"),
        ("[", 0, "character 2"),
        ("]", 0, "character 1"),
    ],
)
def test_damage_is_named_by_its_place_after_the_values_before_it(small_chunks, text: str, read: int, place: str):
    values = iter(JsonValues(io.StringIO(text), most=100))

    assert len([next(values) for _ in range(read)]) == read
    with pytest.raises(DamagedJsonError, match=rf"\({place}\)"):
        next(values)


@pytest.mark.parametrize("text", ["[" * 200_000, '{"a": ' + "1" * 5_000 + "}"])
def test_what_the_decoder_cannot_hold_is_damage(text: str):
    with pytest.raises(DamagedJsonError, match="nested too deeply, or with a number"):
        values_of(text, most=10**6)


def test_text_that_is_not_utf_8_is_damage():
    stream = io.TextIOWrapper(io.BytesIO(b'["\xff"]'), encoding="utf-8")

    with pytest.raises(DamagedJsonError, match="not UTF-8"):
        list(JsonValues(stream, most=100))


def test_no_more_is_read_than_allowed(small_chunks):
    assert values_of("[1]" + " " * 7, most=10) == [1]
    with pytest.raises(DamagedJsonError, match="longer than 10 characters"):
        values_of("[1]" + " " * 8, most=10)


def test_a_value_that_never_ends_is_not_held_for_ever(small_chunks, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(json_values, "MOST_VALUE_CHARACTERS", 20)

    assert values_of(f'["{"x" * 10}"]') == ["x" * 10]
    with pytest.raises(DamagedJsonError, match="longer than 20 characters"):
        values_of(f'["{"x" * 100}"]')

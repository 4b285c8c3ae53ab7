"""Metadata is JSON that every reader understands, of a bounded depth and size."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.errors import InvalidMessageError
from prme.message import validate_message

SAFE = 2**53 - 1
KIB_64 = 64 * 1024


def canonical(metadata: Any) -> str | None:
    return validate_message("hello", user_id="u1", metadata=metadata).metadata_json


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


REFUSED_AND_CONTROL = {
    "NaN": (float("nan"), 0.5),
    "infinity": (float("inf"), 1.5e300),
    "minus infinity": (float("-inf"), -1.5e300),
    "an integer beyond 2^53-1": (SAFE + 1, SAFE),
    "an integer below -2^53+1": (-SAFE - 1, -SAFE),
    "an integer of 5,000 digits": (10**5000, 10**15),
    "a whole float beyond 2^53-1": (2.0**53, 2.0**53 - 1),
    "a text with a lone surrogate": ("\udfff", "\U0001f600"),
    "a key with a lone surrogate": ({"\udfff": 1}, {"\U0001f600": 1}),
    "a nested number as key": ({"a": {1: 2}}, {"a": {"1": 2}}),
    "a nested None as key": ([{None: 2}], [{"None": 2}]),
    "bytes": (b"x", "x"),
    "a set": ({1, 2}, [1, 2]),
    "a complex number": (1j, 1),
    "an object": (object(), None),
}


@pytest.mark.parametrize(("refused", "allowed"), REFUSED_AND_CONTROL.values(), ids=REFUSED_AND_CONTROL)
def test_what_json_cannot_carry_is_refused_and_its_neighbour_is_not(refused: Any, allowed: Any):
    with pytest.raises(InvalidMessageError, match="metadata"):
        canonical({"key": refused})

    assert canonical({"key": allowed}) is not None


def test_a_number_as_top_level_key_is_refused():
    with pytest.raises(InvalidMessageError, match="keys are texts"):
        canonical({1: "a"})

    assert canonical({"1": "a"}) == '{"1":"a"}'


def test_a_whole_float_that_is_written_with_an_exponent_is_no_integer():
    assert canonical({"a": 1e21}) == '{"a":1e+21}'


def test_numbers_and_truth_values_keep_their_kind():
    assert canonical({"a": True, "b": 1, "c": 0.5, "d": False}) == '{"a":true,"b":1,"c":0.5,"d":false}'


def test_tuples_and_other_mappings_are_arrays_and_objects():
    assert canonical(MappingProxyType({"a": (1, MappingProxyType({"b": 2}))})) == '{"a":[1,{"b":2}]}'


def test_the_reserved_key_is_free_below_the_top_level():
    assert canonical({"a": {"prme_first_person_owner_v1": 1}}) == '{"a":{"prme_first_person_owner_v1":1}}'


def test_64_levels_are_allowed_and_65_are_not():
    assert canonical(nested(64)) is not None

    with pytest.raises(InvalidMessageError, match="64 levels"):
        canonical(nested(65))


def test_lists_count_as_levels_like_mappings():
    fits: Any = "leaf"
    for _ in range(63):
        fits = [fits]

    assert canonical({"a": fits}) is not None
    with pytest.raises(InvalidMessageError, match="64 levels"):
        canonical({"a": [fits]})


def test_ten_thousand_levels_are_a_clean_error():
    with pytest.raises(InvalidMessageError, match="64 levels"):
        canonical(nested(10_000))


def test_a_mapping_that_contains_itself_is_a_clean_error():
    circular: dict[str, Any] = {}
    circular["a"] = circular

    with pytest.raises(InvalidMessageError, match="64 levels"):
        canonical(circular)


def test_shared_lists_are_refused_before_they_are_multiplied_out():
    shared: list[Any] = [1]
    for _ in range(60):
        shared = [shared, shared]

    with pytest.raises(InvalidMessageError, match="larger than 65536 bytes"):
        canonical({"a": shared})


@pytest.mark.parametrize("letter", ["x", "é", "\U0001f600"])
def test_64_kib_of_canonical_utf8_are_allowed_and_one_byte_more_is_not(letter: str):
    room = KIB_64 - len('{"a":""}')
    width = len(letter.encode())
    text = letter * (room // width) + "x" * (room % width)

    stored = canonical({"a": text})
    assert stored is not None
    assert len(stored.encode()) == KIB_64
    with pytest.raises(InvalidMessageError, match="larger than 65536 bytes"):
        canonical({"a": text + "x"})


def test_what_escaping_adds_counts_too():
    with pytest.raises(InvalidMessageError, match="larger"):
        canonical({"a": "\x01" * 11_000})

    assert canonical({"a": "x" * 11_000}) is not None


json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-SAFE, SAFE)
    | st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    lambda children: st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=4), children, max_size=3),
    max_leaves=12,
)


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), json_values, max_size=4))
def test_metadata_reads_back_as_it_was_passed(metadata: dict[str, Any]):
    stored = canonical(metadata)

    assert stored is not None
    assert json.loads(stored) == metadata


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_refused_or_its_canonical_form_is_stable(number: float):
    try:
        stored = canonical({"a": number})
    except InvalidMessageError:
        assert abs(number) > SAFE
        return

    assert stored is not None
    assert canonical(json.loads(stored)) == stored

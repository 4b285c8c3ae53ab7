"""Canonical JSON is RFC 8785, and a digest names its algorithm."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
import rfc8785
from hypothesis import example, given
from hypothesis import strategies as st

from prme.canonical import canonical_document, canonical_json, digest_bytes, digest_document, digest_text
from prme.model.decision import RuleDecision
from prme.model.export import ExportedDecision, ExportedEvent, ExportManifest
from prme.model.plan import ExtractionPlan
from prme.model.value import Value
from tests.plan.plans import texts

keys = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,8}", fullmatch=True)
scalars = st.none() | st.booleans() | st.integers(-(2**53) + 1, 2**53 - 1) | texts
documents = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4), max_leaves=12
)


@given(documents)
@example('\x00\x01\b\t\n\x0b\f\r\x1f"\\/\x7f\x80\u2028\u2029\uffff\U0001f980')
@example({"b": [], "a": {}, "B": None, "_": True, "a1": -1})
def test_our_encoder_writes_what_the_library_writes(document: Any):
    assert canonical_document(document) == rfc8785.dumps(document)


@given(documents)
def test_a_document_reads_back(document: Any):
    assert json.loads(canonical_document(document)) == document


def test_the_order_of_keys_does_not_matter():
    assert canonical_document({"b": 1, "a": 2}) == canonical_document({"a": 2, "b": 1}) == b'{"a":2,"b":1}'


def test_the_order_of_a_list_does():
    assert canonical_document([1, 2]) != canonical_document([2, 1])


def test_text_is_written_as_utf_8_and_not_escaped():
    assert canonical_document(["é\U0001f980"]) == b'["\xc3\xa9\xf0\x9f\xa6\x80"]'


def test_keys_of_a_caller_sort_by_utf_16_units():
    # U+1F980 begins with the unit D83E, which sorts before U+E000 though its code point does not.
    assert canonical_json({"\ue000": 1, "\U0001f980": 2}) == '{"\U0001f980":2,"\ue000":1}'.encode()


@pytest.mark.parametrize(
    ("number", "text"),
    [(1.0, b"1"), (0.1, b"0.1"), (1e21, b"1e+21"), (1e-7, b"1e-7"), (-0.0, b"0"), (5e-324, b"5e-324")],
)
def test_numbers_of_a_caller_are_written_as_ecmascript_writes_them(number: float, text: bytes):
    assert canonical_json(number) == text


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 2**53, "\ud800", {"\udfff": 1}], ids=repr)
def test_what_json_cannot_carry_is_refused(value: Any):
    with pytest.raises(ValueError):  # noqa: PT011 - the class is what is promised
        canonical_json(value)


@pytest.mark.parametrize("value", [1.5, -(2**53) + 1, 2**53 - 1, "\ue000", {"": 1}], ids=repr)
def test_what_json_can_carry_is_not(value: Any):
    assert json.loads(canonical_json(value)) == value


@pytest.mark.parametrize("value", ["\ud800", {"\udfff": 1}, {1: 2}, 2**64, b"bytes"], ids=repr)
def test_our_own_documents_refuse_what_has_no_form(value: Any):
    with pytest.raises(ValueError):  # noqa: PT011 - the class is what is promised
        canonical_document([value])


@pytest.mark.parametrize("model", [ExtractionPlan, RuleDecision, ExportedEvent, ExportedDecision, ExportManifest])
def test_no_document_of_ours_can_hold_a_float(model: type[Value]):
    """The encoder would write NaN as null: what it is given must not be able to hold one."""
    schema = json.dumps(model.model_json_schema(mode="serialization"))

    assert '"type": "number"' not in schema
    assert '"type": "string"' in schema


def test_a_digest_is_tagged_with_its_algorithm():
    assert digest_bytes(b"abc") == "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_document_is_digested_in_its_canonical_form():
    expected = "sha256:" + hashlib.sha256(b'{"a":"\xc3\xa9","b":1}').hexdigest()

    assert digest_document({"b": 1, "a": "é"}) == expected


def test_a_text_is_digested_as_utf_8_without_quotes():
    assert digest_text("é") == digest_bytes(b"\xc3\xa9")

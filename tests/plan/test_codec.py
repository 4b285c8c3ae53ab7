"""Saved bytes are read only when they are the bytes that were saved, under a format and policy that is known."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prme.canonical import canonical_document, digest_bytes
from prme.errors import PlanCorruptError, UnsupportedPlanError
from prme.plan.codec import decode_plan, encode_plan, plan_checksum
from tests.plan.plans import event, prepared, texts

PLAN = prepared(event(metadata={"z": [1.5, True, None], "\U0001f980": "é"}))
DATA = PLAN.data


def saved(**changes: Any) -> bytes:
    """Return the plan's document with some fields changed (None removes one), saved with a valid checksum."""
    document = {**json.loads(DATA), **changes}
    document = {key: value for key, value in document.items() if key != "checksum" and value is not None}
    return encode_plan(document)[0]


def test_a_saved_plan_is_read_as_it_was():
    assert decode_plan(DATA) == PLAN.plan


def test_the_checksum_is_the_digest_of_the_document_without_it():
    document = json.loads(DATA)
    checksum = document.pop("checksum")

    assert checksum == digest_bytes(canonical_document(document)) == PLAN.plan.checksum == plan_checksum(DATA)


def test_the_saved_bytes_are_the_canonical_form_of_the_whole_plan():
    assert canonical_document(json.loads(DATA)) == DATA


def test_an_encoded_document_and_its_checksum_belong_together():
    data, checksum = encode_plan({"b": 1, "a": [None]})

    assert checksum == digest_bytes(b'{"a":[null],"b":1}')
    assert data == b'{"checksum":"' + checksum.encode() + b'","a":[null],"b":1}'


@given(st.dictionaries(st.from_regex(r"[d-z]{1,8}", fullmatch=True), texts, min_size=1))
def test_any_encoded_document_proves_its_checksum(document: dict[str, str]):
    data, checksum = encode_plan(document)

    assert plan_checksum(data) == checksum
    assert json.loads(data) == {**document, "checksum": checksum}


def refuses(data: bytes) -> bool:
    try:
        decode_plan(data)
    except PlanCorruptError:
        return True
    return False


def test_the_whole_plan_is_not_refused():
    assert not refuses(DATA)


def test_every_changed_byte_is_noticed():
    unnoticed = [n for n in range(len(DATA)) if not refuses(DATA[:n] + bytes([DATA[n] ^ 1]) + DATA[n + 1 :])]

    assert unnoticed == []


def test_every_removed_byte_is_noticed():
    assert [n for n in range(len(DATA)) if not refuses(DATA[:n] + DATA[n + 1 :])] == []


@pytest.mark.parametrize("inserted", [b" ", b"0", b"\x00"], ids=["blank", "digit", "nul"])
def test_every_inserted_byte_is_noticed(inserted: bytes):
    assert [n for n in range(len(DATA) + 1) if not refuses(DATA[:n] + inserted + DATA[n:])] == []


def test_every_truncation_is_noticed():
    assert [n for n in range(len(DATA)) if not refuses(DATA[:n])] == []


@given(st.integers(0, len(DATA) - 1), st.integers(1, 255))
def test_any_flipped_bits_are_noticed(place: int, bits: int):
    assert refuses(DATA[:place] + bytes([DATA[place] ^ bits]) + DATA[place + 1 :])


@given(st.binary(max_size=200))
def test_other_bytes_are_corrupt_and_nothing_worse(data: bytes):
    assert refuses(data)


@pytest.mark.parametrize(
    "data",
    [b"", b"null", b"[]", b"{}", b'"prme.plan/2"', b'{"format":1}', b'{"format":"other/1"}', b"[" * 100_000],
    ids=["empty", "null", "list", "object", "text", "number", "another format", "deep"],
)
def test_bytes_that_name_no_format_of_ours_are_corrupt(data: bytes):
    with pytest.raises(PlanCorruptError, match="does not begin with its checksum"):
        decode_plan(data)


def test_a_changed_plan_says_that_it_was_changed():
    with pytest.raises(PlanCorruptError, match="do not match its checksum"):
        decode_plan(DATA.replace(b"Figma", b"Sigma"))


@pytest.mark.parametrize("before", [b" ", b"\xef\xbb\xbf", b"\n"])
def test_bytes_before_the_checksum_are_corrupt(before: bytes):
    with pytest.raises(PlanCorruptError, match="does not begin with its checksum"):
        plan_checksum(before + DATA)


@pytest.mark.parametrize("version", ["prme.plan/2", "prme.plan/10", "prme.plan/1.1"])
def test_a_newer_format_says_which_it_is_and_what_to_do(version: str):
    with pytest.raises(UnsupportedPlanError) as raised:
        decode_plan(saved(format=version))

    assert str(raised.value) == (
        f"the plan has format {version!r}, this release reads 'prme.plan/1': upgrade prme to read it"
    )


def test_a_newer_format_may_have_another_layout():
    with pytest.raises(UnsupportedPlanError, match=r"prme\.plan/2"):
        decode_plan(b'{"digest":"blake3:00","format":"prme.plan/2"}')


def test_a_damaged_plan_of_a_newer_format_is_corrupt():
    damaged = saved(format="prme.plan/2").replace(b"Figma", b"Sigma")

    with pytest.raises(PlanCorruptError, match="do not match its checksum"):
        decode_plan(damaged)


def test_an_unknown_policy_says_what_to_upgrade():
    with pytest.raises(UnsupportedPlanError, match=r"policy 'speech_act_v99' is not known.*upgrade prme"):
        decode_plan(saved(policy="speech_act_v99"))


def test_a_known_policy_is_read():
    assert decode_plan(saved(policy="speech_act_v13")).policy == "speech_act_v13"


@pytest.mark.parametrize(
    ("changes", "fields"),
    [
        ({"event": None}, "event"),
        ({"claims": {}}, "claims"),
        ({"surplus": 1}, "surplus"),
        ({"options": {"enable_speaker_references": []}}, "options.enable_speaker_references"),
        ({"format": "another/1", "event": None}, "event"),
    ],
)
def test_a_valid_checksum_over_wrong_fields_names_the_fields(changes: dict[str, Any], fields: str):
    with pytest.raises(PlanCorruptError) as raised:
        decode_plan(saved(**changes))

    assert str(raised.value) == f"the plan has a valid checksum but not the fields of prme.plan/1: {fields}"


@pytest.mark.parametrize(
    "rest",
    [b"", b"}", b"\xff}", b'"a":"\xff"}', b'"a":' + b"[" * 100_000 + b"}"],
    ids=["nothing", "comma", "byte", "text", "deep"],
)
def test_a_valid_checksum_over_something_that_is_no_json_is_corrupt(rest: bytes):
    checksum = digest_bytes(b"{" + rest).encode()

    with pytest.raises(PlanCorruptError, match="valid checksum but is no JSON object"):
        decode_plan(b'{"checksum":"' + checksum + b'",' + rest)


@pytest.mark.parametrize("policy", [None, 14, ["speech_act_v14"]], ids=["absent", "number", "list"])
def test_a_policy_that_is_no_name_is_corrupt_and_not_unknown(policy: Any):
    with pytest.raises(PlanCorruptError, match=r"not the fields of prme\.plan/1: policy"):
        decode_plan(saved(policy=policy))


def test_at_most_five_wrong_fields_are_named():
    with pytest.raises(PlanCorruptError, match=r"plan/1: claims, entities, event, extraction, extractor$"):
        decode_plan(encode_plan({"format": "prme.plan/1"})[0])


def test_an_error_about_fields_never_quotes_the_message():
    with pytest.raises(PlanCorruptError) as raised:
        decode_plan(saved(rejected="a secret"))

    assert "secret" not in f"{raised.value!r}{raised.value.__cause__!r}"
    assert raised.value.__suppress_context__

"""An answer is used only when it is an extraction, of sane size, in text that can be stored."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError

from prme.extraction.answer import check_answer, storable, validation_report
from prme.extraction.failures import InvalidExtractionError
from prme.model.extraction import ExtractedClaim, ExtractedEntity, Extraction

CLAIM = ExtractedClaim(subject="I", predicate="uses", object="Figma")


def answer(**claim: Any) -> Extraction:
    return Extraction(claims=(CLAIM.model_copy(update=claim),))


def test_a_good_answer_is_returned_as_it_is():
    good = Extraction(entities=(ExtractedEntity(name="Figma", entity_type="tool"),), claims=(CLAIM,))

    assert check_answer(good) == good


def test_an_empty_answer_is_good():
    assert check_answer(Extraction()) == Extraction()


@pytest.mark.parametrize(
    "wrong", [None, {"claims": []}, '{"claims": []}', [CLAIM], CLAIM], ids=lambda v: type(v).__name__
)
def test_only_an_extraction_is_an_answer(wrong: Any):
    with pytest.raises(InvalidExtractionError, match=f"of type {type(wrong).__name__}, it must be an Extraction"):
        check_answer(wrong)


REFUSED_AND_CONTROL = {
    "a lone surrogate": ({"object": "\ud800"}, {"object": "\U0001f600"}),
    "a NUL": ({"predicate": "uses\x00"}, {"predicate": "uses"}),
    "a long field": ({"evidence_quote": "x" * 100_001}, {"evidence_quote": "x" * 100_000}),
    "an exponent of a million": ({"confidence": Decimal("1E-1000000")}, {"confidence": Decimal("1E-100")}),
    "a zero with a long tail": ({"confidence": Decimal("0E+999999")}, {"confidence": Decimal("0E+3")}),
    "a confidence above one": ({"confidence": Decimal("1.01")}, {"confidence": Decimal(1)}),
    "a confidence that is no number": ({"confidence": Decimal("NaN")}, {"confidence": None}),
    "an unknown polarity": ({"polarity": "maybe"}, {"polarity": "negative"}),
    "an object that is no text": ({"object": 7}, {"object": "7"}),
}


@pytest.mark.parametrize(("refused", "allowed"), REFUSED_AND_CONTROL.values(), ids=REFUSED_AND_CONTROL)
def test_a_claim_that_cannot_be_stored_is_refused_and_its_neighbour_is_not(
    refused: dict[str, Any], allowed: dict[str, Any]
):
    (field,) = refused
    with pytest.raises(InvalidExtractionError, match=rf"claims\.0\.{field}: "):
        check_answer(answer(**refused))

    assert check_answer(answer(**allowed)) == answer(**allowed)


@pytest.mark.parametrize(
    ("group", "item"), [("claims", CLAIM), ("entities", ExtractedEntity(name="a", entity_type="b"))]
)
def test_a_thousand_items_are_allowed_and_one_more_is_not(group: str, item: Any):
    assert len(getattr(check_answer(Extraction(**{group: (item,) * 1_000})), group)) == 1_000

    with pytest.raises(InvalidExtractionError, match=f"1001 {group}, the limit is 1000"):
        check_answer(Extraction(**{group: (item,) * 1_001}))


@pytest.mark.parametrize("claims", [None, 5, ("text",), ({"subject": "I"},)], ids=repr)
def test_an_answer_made_by_hand_from_anything_is_refused(claims: Any):
    with pytest.raises(InvalidExtractionError):
        check_answer(Extraction.model_construct(entities=(), claims=claims))


def validation_error(value: Any) -> ValidationError:
    with pytest.raises(ValidationError) as caught:
        Extraction.model_validate(value)
    return caught.value


def test_a_report_names_place_and_fault_but_not_the_value():
    error = validation_error({"claims": [{"subject": "I", "predicate": "uses", "object": ["Zebrafish"]}]})

    assert validation_report(error) == "claims.0.object: Input should be a valid string"


def test_a_report_of_many_faults_is_cut():
    report = validation_report(validation_error({"claims": [{}] * 50}))

    assert report.splitlines()[-1] == "and 140 more"
    assert len(report.splitlines()) == 11


def test_a_report_is_bounded():
    report = validation_report(validation_error({"x" * 5_000: 1}))

    assert len(report) == 2_000


def test_a_report_can_always_be_sent_on():
    assert storable("no JSON\ud800 in\x00 the answer") == "no JSON\ufffd in\ufffd the answer"

"""Whether an extractor's answer can be used at all: its type, its sizes, and text that can be stored."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from prme.extraction.failures import InvalidExtractionError
from prme.model.extraction import Extraction

MAX_ITEMS = 1_000
MAX_FIELD_CHARACTERS = 100_000

_MAX_REPORTED_ERRORS = 10
_MAX_REPORT_CHARACTERS = 2_000
# A message has neither, so no verbatim quote can; UTF-8 has no surrogates and not every store keeps a NUL.
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def check_answer(answer: object) -> Extraction:
    """Return the answer when it is a usable extraction, else raise `InvalidExtractionError` saying what is wrong.

    The fields are validated again, whatever their values were built from.
    """
    if not isinstance(answer, Extraction):
        raise InvalidExtractionError(f"the answer is of type {type(answer).__name__}, it must be an Extraction")
    try:
        fields = answer.model_dump(warnings=False)
        _check_sizes(fields)
        return Extraction.model_validate(fields)
    except ValidationError as error:
        report = validation_report(error)
    except (AttributeError, TypeError):
        # Made by `model_construct` from something that is not even a model.
        report = "the answer has fields of the wrong type"
    raise InvalidExtractionError(report)


def validation_report(error: ValidationError) -> str:
    """Return a validation error as text for the extractor: places and faults, without the values."""
    details = error.errors(include_url=False, include_context=False, include_input=False)
    lines = [f"{'.'.join(str(part) for part in detail['loc'])}: {detail['msg']}" for detail in details]
    if len(lines) > _MAX_REPORTED_ERRORS:
        lines[_MAX_REPORTED_ERRORS:] = [f"and {len(lines) - _MAX_REPORTED_ERRORS} more"]
    return storable("\n".join(lines))


def storable(report: str) -> str:
    """Return a report that every extractor can send on: bounded, and without characters that UTF-8 cannot carry."""
    return _UNSTORABLE.sub("\ufffd", report[:_MAX_REPORT_CHARACTERS])


def _check_sizes(fields: Mapping[str, Any]) -> None:
    for group in ("entities", "claims"):
        items = fields[group]
        if len(items) > MAX_ITEMS:
            raise InvalidExtractionError(f"the answer has {len(items)} {group}, the limit is {MAX_ITEMS}")
        for position, item in enumerate(items):
            for field, fault in _faults(item):
                raise InvalidExtractionError(f"{group}.{position}.{field}: {fault}")


def _faults(item: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for field, value in item.items():
        if isinstance(value, str):
            if len(value) > MAX_FIELD_CHARACTERS:
                yield field, f"longer than {MAX_FIELD_CHARACTERS} characters"
            if _UNSTORABLE.search(value) is not None:
                yield field, "contains a NUL or a lone surrogate"
        # Written out in a plan as a plain number: an exponent of a million is a million digits.
        if isinstance(value, Decimal) and _written_digits(value) > MAX_FIELD_CHARACTERS:
            yield field, f"longer than {MAX_FIELD_CHARACTERS} digits"


def _written_digits(value: Decimal) -> int:
    _, digits, exponent = value.as_tuple()
    return len(digits) + (abs(exponent) if isinstance(exponent, int) else 0)

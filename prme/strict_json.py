"""JSON that no two readers can understand in two ways: no key twice in an object, no NaN and no infinity."""

from __future__ import annotations

import json
from typing import Any


class AmbiguousJsonError(ValueError):
    """A text is read as JSON by some and not by others, or not by all in the same way; the error repeats none of it."""


def _once_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        # The first of the two would be lost without a word.
        raise AmbiguousJsonError("the same key stands twice in one object")
    return found


def _no_constant(_: str) -> Any:
    raise AmbiguousJsonError("NaN and Infinity are no numbers in JSON")


STRICT_DECODER = json.JSONDecoder(object_pairs_hook=_once_each, parse_constant=_no_constant)
"""Decodes like any other; raises `AmbiguousJsonError` besides `JSONDecodeError`, `RecursionError` and `ValueError`."""

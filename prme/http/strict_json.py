"""Reads a request's body as JSON, and takes nothing that two readers could understand in two ways."""

from __future__ import annotations

import json
from typing import Any


class NotJsonError(ValueError):
    """The body is not JSON as RFC 8259 has it; the text says what is wrong, and repeats nothing of it."""


def strict_json(body: bytes) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises `NotJsonError` for anything else: another encoding, NaN and infinity, a name that an object has twice,
    numbers and nesting beyond what can be read.
    """
    problem = "the body is not JSON in UTF-8"
    try:
        return json.loads(body.decode("utf-8"), object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    except NotJsonError as error:
        problem = str(error)
    except RecursionError:
        problem = "the body is nested too deeply"
    except json.JSONDecodeError as error:
        problem = f"the body is not JSON: see line {error.lineno}, column {error.colno}"
    except ValueError:
        pass
    # Raised out here: the parser's own error holds the body.
    raise NotJsonError(problem)


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise NotJsonError("an object of the body has the same name twice")
    return found


def _refuse_constant(_: str) -> Any:
    raise NotJsonError("the body has NaN or an infinity, which JSON cannot carry")

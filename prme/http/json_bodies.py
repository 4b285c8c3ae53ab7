"""Reads a request's body as JSON, and takes nothing that two readers could understand in two ways."""

from __future__ import annotations

import json
from typing import Any

from prme.strict_json import STRICT_DECODER, AmbiguousJsonError


class NotJsonError(ValueError):
    """The body is not JSON as RFC 8259 has it; the text says what is wrong, and repeats nothing of it."""


def read_body(body: bytes) -> Any:
    """Return the value of a JSON text in UTF-8.

    Raises `NotJsonError` for anything else: another encoding, NaN and infinity, a name that an object has twice,
    numbers and nesting beyond what can be read.
    """
    problem = "the body is not JSON in UTF-8"
    try:
        return STRICT_DECODER.decode(body.decode("utf-8"))
    except AmbiguousJsonError as error:
        problem = f"the body is no sound JSON: {error}"
    except RecursionError:
        problem = "the body is nested too deeply"
    except json.JSONDecodeError as error:
        problem = f"the body is not JSON: see line {error.lineno}, column {error.colno}"
    except ValueError:
        pass
    # Raised out here: the parser's own error holds the body.
    raise NotJsonError(problem)

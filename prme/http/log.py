"""The log of the service: one JSON document a line, on standard error, without the text of errors."""

from __future__ import annotations

import logging
from types import TracebackType
from typing import TextIO

from pythonjsonlogger.json import JsonFormatter

from prme.http.watch import described

_FIELDS = ("levelname", "name", "message")
_NAMES = {"levelname": "level", "name": "logger", "message": "event"}


class SafeJsonFormatter(JsonFormatter):
    """Writes records as JSON; of an exception its class and the places that it passed, never its text."""

    def formatException(
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None],
    ) -> str:
        """Return what may be told of an exception."""
        told = {} if ei[1] is None else described(ei[1])
        return " at ".join(map(str, told.values()))


def log_to(stream: TextIO) -> None:
    """Write what prme and its server log to a stream, from now on."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(SafeJsonFormatter(list(_FIELDS), rename_fields=_NAMES, timestamp=True))
    for name, level in (("prme", logging.INFO), ("uvicorn", logging.WARNING), ("asyncio", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.setLevel(level)
        logger.handlers = [handler]
        logger.propagate = False

"""Watches every request: an id, one line in the log, its metrics, and an answer for what nobody expected.

Neither the log nor an answer holds the text of a message, a query or an error that prme did not write itself.
"""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections.abc import Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prme.http.metrics import Metrics
from prme.http.problems import problem

logger = logging.getLogger("prme.http")
NO_ROUTE = "(none)"
REQUEST_ID = "X-Request-ID"
_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")
_METHODS = frozenset({"GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"})
_ALWAYS = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
FAULT = "something went wrong here; the operator's log has the request under its X-Request-ID"
CANCELLED = 499
"""What the log and the metrics say of a request that was given up before it was answered."""


class Watch:
    """The outermost layer. Every exception ends here."""

    def __init__(self, app: ASGIApp, metrics: Metrics, new_id: Callable[[], str]) -> None:
        self._app = app
        self._metrics = metrics
        self._new_id = new_id

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, whatever happens."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get(REQUEST_ID, "")
        watched = _Watched(given if _REQUEST_ID.fullmatch(given) else self._new_id(), send)
        self._metrics.begin()
        began = time.perf_counter()
        try:
            await self._app(scope, receive, watched.send)
        except Exception as error:
            logger.error("fault", extra={"request_id": watched.request_id, **described(error)})
            if not watched.has_begun:
                await problem(500, "fault", FAULT)(scope, receive, watched.send)
        finally:
            self._finish(scope, watched, time.perf_counter() - began)

    def _finish(self, scope: Scope, watched: _Watched, seconds: float) -> None:
        route = getattr(scope.get("route"), "path", NO_ROUTE)
        method = scope["method"] if scope["method"] in _METHODS else "other"
        self._metrics.end(method=method, route=route, status=watched.status, seconds=seconds)
        logger.info(
            "request",
            extra={
                "request_id": watched.request_id,
                "method": method,
                "route": route,
                "status": watched.status,
                "ms": round(seconds * 1000, 1),
            },
        )


class _Watched:
    """One request's way out: sees its status, and adds what every answer carries."""

    def __init__(self, request_id: str, send: Send) -> None:
        self.request_id = request_id
        self.status = CANCELLED
        self.has_begun = False
        self._send = send

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.has_begun = True
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[REQUEST_ID] = self.request_id
            for name, value in _ALWAYS.items():
                headers.setdefault(name, value)
        await self._send(message)


def described(error: BaseException) -> dict[str, object]:
    """Return the class of an error and the places that it passed: its text may hold anything."""
    places = traceback.extract_tb(error.__traceback__)
    return {
        "error": type(error).__name__,
        "places": [f"{place.filename}:{place.lineno} {place.name}" for place in places],
    }

"""How much of a request is taken, for how long, and how many requests at once."""

from __future__ import annotations

import asyncio
from email.message import Message as Head

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from prme.http.door import OPEN_PATHS, local_path
from prme.http.problems import RETRY_AFTER, RefusedError
from prme.http.settings import HttpSettings

# A client that is still sending would not see the answer: so much more is read and dropped before it is given.
MOST_DROPPED = 8
CLOSE = {"Connection": "close"}


class Traffic:
    """Reads the body of a request within its limits, then hands the request on.

    Answers 415 for a body that is not JSON, 413 for one that is too large, 408 for one that is too slow, and 503 when
    too many requests are being worked on.
    """

    def __init__(self, app: ASGIApp, settings: HttpSettings) -> None:
        self._app = app
        self._settings = settings
        self._at_work = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Hand one request on, or answer it."""
        if scope["type"] != "http" or local_path(scope) in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        if self._at_work >= self._settings.most_requests:
            full = RefusedError(503, "busy", "too many requests at once; try again", headers=RETRY_AFTER | CLOSE)
            await full.answer()(scope, receive, send)
            return
        self._at_work += 1
        try:
            await self._hand_on(scope, receive, send)
        finally:
            self._at_work -= 1

    async def _hand_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await self._body(Headers(scope=scope), receive)
        except RefusedError as refused:
            await refused.answer()(scope, receive, send)
            return
        if body is not None:
            await self._app(scope, _replayed(body, receive), send)

    async def _body(self, headers: Headers, receive: Receive) -> bytes | None:
        """Return the whole body, None when the client has gone. Raises `RefusedError`."""
        if _has_body(headers) and not _is_json(headers.get("content-type", "")):
            detail = "the body must be JSON: send Content-Type: application/json"
            raise RefusedError(415, "not_json", detail, headers=CLOSE)
        limit = self._settings.most_body_bytes
        large = RefusedError(413, "too_large", f"the body is larger than {limit} bytes", headers=CLOSE)
        # A client that asks before it sends gets its answer at once.
        if "expect" in headers and _declared_length(headers) > limit:
            raise large
        try:
            async with asyncio.timeout(self._settings.body_seconds):
                return await _read(receive, limit, large)
        except TimeoutError:
            pass
        raise RefusedError(408, "too_slow", "the body did not arrive in time", headers=CLOSE)


async def _read(receive: Receive, limit: int, large: RefusedError) -> bytes | None:
    body = bytearray()
    length = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        chunk = message.get("body", b"")
        length += len(chunk)
        if length <= limit:
            body += chunk
        if length > MOST_DROPPED * limit or not message.get("more_body", False):
            break
    if length > limit:
        raise large
    return bytes(body)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a channel that gives the body that was read, then what comes after it."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return messages.pop() if messages else await receive()

    return replayed


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or _declared_length(headers) > 0


def _declared_length(headers: Headers) -> int:
    length = headers.get("content-length", "")
    return int(length) if length.isdecimal() else 0


def _is_json(content_type: str) -> bool:
    head = Head()
    head["content-type"] = content_type
    charset = head.get_content_charset("utf-8")
    return bool(content_type) and head.get_content_type() == "application/json" and charset in ("utf-8", "utf8")

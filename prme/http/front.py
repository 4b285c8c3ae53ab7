"""What every route has at hand: the engine, the time limit of its calls, the metrics, and the caller."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from typing import Annotated, Any, TypeVar

from fastapi import Depends, Request, Response
from fastapi.routing import APIRoute
from pydantic_core import to_json

from prme.engine import MemoryEngine
from prme.errors import StoreBusyError, StoreError
from prme.http.json_bodies import NotJsonError, read_body
from prme.http.metrics import Metrics
from prme.http.problems import RefusedError
from prme.http.tokens import Caller
from prme.http.watch import described

T = TypeVar("T")
JSON = "application/json"
logger = logging.getLogger("prme.http")


class Front:
    """Makes the calls of the routes on the engine.

    A call goes on when its client has gone or its answer comes too late: what was stored is published all the same.
    """

    def __init__(self, engine: MemoryEngine, metrics: Metrics, answer_seconds: float) -> None:
        self.engine = engine
        self.metrics = metrics
        self.last_write_failed = False
        self._answer_seconds = answer_seconds
        self._running: set[asyncio.Task[Any]] = set()

    async def read(self, call: Coroutine[Any, Any, T]) -> T:
        """Return what a call of the engine returns. Raises what it raises, and `RefusedError` (504)."""
        task = asyncio.ensure_future(call)
        self._running.add(task)
        task.add_done_callback(self._end)
        done, _ = await asyncio.wait({task}, timeout=self._answer_seconds)
        if not done:
            raise RefusedError(
                504,
                "late",
                "the answer takes too long; the work goes on. A message with a message_id can be sent again",
            )
        return task.result()

    async def write(self, call: Coroutine[Any, Any, T]) -> T:
        """Do the same for a call that writes, and remember whether the store could."""
        try:
            written = await self.read(call)
        except StoreError as error:
            self.last_write_failed = not isinstance(error, StoreBusyError)
            raise
        self.last_write_failed = False
        return written

    def _end(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        # Nobody may be left to hear of an error; whoever is gets it from the task itself.
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.debug("call failed", extra=described(error))


class StrictRequest(Request):
    """A request whose body is read as strict JSON."""

    async def json(self) -> Any:
        """Return the body's value. Raises `RefusedError` (400)."""
        try:
            return read_body(await self.body())
        except NotJsonError as error:
            detail = str(error)
        raise RefusedError(400, "malformed", detail)


class StrictRoute(APIRoute):
    """A route that reads its body as strict JSON."""

    def get_route_handler(self) -> Any:
        """Return the handler, which gets a `StrictRequest`."""
        handler = super().get_route_handler()

        async def strict(request: Request) -> Response:
            return await handler(StrictRequest(request.scope, request.receive))

        return strict


async def _front(request: Request) -> Front:
    front: Front = request.app.state.front
    return front


async def _caller(request: Request) -> Caller:
    caller: Caller = request.state.caller
    return caller


TheFront = Annotated[Front, Depends(_front)]
TheCaller = Annotated[Caller, Depends(_caller)]


def answer(value: object, status: int = 200) -> Response:
    """Return a value of prme as JSON: the same that its `model_dump_json` gives."""
    return Response(to_json(value), status, media_type=JSON)

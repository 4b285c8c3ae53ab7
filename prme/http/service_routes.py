"""Routes about the service itself: health, metrics, and the page that tells how it is used."""

from __future__ import annotations

import asyncio

from fastapi import APIRouter, Request, Response

from prme.http.answers import Health, problems
from prme.http.front import TheCaller, TheFront, answer
from prme.http.metrics import CONTENT_TYPE
from prme.http.page import PAGE_HEADERS, reference_page
from prme.http.problems import RETRY_AFTER, RefusedError
from prme.http.rights import refuse_others

routes = APIRouter(tags=["service"])
# An id that no event has: looking it up reads the store all the same.
NOBODY = "00000000-0000-0000-0000-000000000000"


@routes.get("/healthz", responses={200: {"model": Health}}, operation_id="healthz", openapi_extra={"security": []})
async def healthz() -> Response:
    """Say that the process answers."""
    return answer({"status": "ok"})


@routes.get(
    "/readyz",
    responses={200: {"model": Health}, **problems(503)},
    operation_id="readyz",
    openapi_extra={"security": []},
)
async def readyz(front: TheFront) -> Response:
    """Say whether the store can be read, and whether the last write could be carried out."""
    await front.read(front.engine.get_event(NOBODY))
    if front.last_write_failed:
        raise RefusedError(503, "store_unavailable", "the store refused the last write", headers=RETRY_AFTER)
    return answer({"status": "ready"})


@routes.get(
    "/metrics",
    responses={200: {"content": {"text/plain": {"schema": {"type": "string"}}}}, **problems(401, 403, 503)},
    response_class=Response,
    operation_id="metrics",
)
async def metrics(request: Request, front: TheFront, caller: TheCaller) -> Response:
    """Return counters and timings for Prometheus. Where there are tokens it needs an admin token."""
    if request.app.state.settings.tokens:
        refuse_others(caller)
    unfinished = await front.read(front.engine.unfinished())
    return Response(front.metrics.text(unfinished), media_type=CONTENT_TYPE)


@routes.get("/docs", include_in_schema=False)
async def docs(request: Request) -> Response:
    """Return the reference as a page that needs nothing from elsewhere."""
    root = str(request.scope.get("root_path", ""))
    page = await asyncio.to_thread(lambda: reference_page(request.app.openapi(), root=root))
    return Response(page, media_type="text/html; charset=utf-8", headers=PAGE_HEADERS)

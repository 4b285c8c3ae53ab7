"""The application: routes, what stands before them, and its schema."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.openapi.utils import get_openapi
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware

import prme
from prme.engine import MemoryEngine
from prme.errors import PrmeError
from prme.http import decision_routes, message_routes, recall_routes, record_routes, service_routes
from prme.http.door import Door
from prme.http.front import Front
from prme.http.metrics import Metrics
from prme.http.problems import Problem, RefusedError, error_problem, field_problems, problem
from prme.http.settings import HttpSettings
from prme.http.traffic import Traffic
from prme.http.watch import Watch
from prme.message import MAX_SAFE_INTEGER

TITLE = "prme"
DESCRIPTION = (
    "Conversation memory that stays true. Every answer is JSON; every refusal is a problem document (RFC 9457). Times "
    "are RFC 3339, in UTC where they come from here. user_id names the owner of a record: a caller who is bound to an "
    "owner leaves it out; what belongs to others reads as missing."
)
_JSON_VALUE_REF = {"$ref": "#/components/schemas/JsonValue"}
JSON_VALUE = {
    "description": "What metadata may hold, at most 64 levels and 64 KiB of it.",
    "anyOf": [
        {"type": "string"},
        {"type": "number", "minimum": -MAX_SAFE_INTEGER, "maximum": MAX_SAFE_INTEGER},
        {"type": "boolean"},
        {"type": "null"},
        {"type": "array", "items": _JSON_VALUE_REF},
        {"type": "object", "additionalProperties": _JSON_VALUE_REF},
    ],
}
_BEARER = {"bearer": {"type": "http", "scheme": "bearer"}}


def _random_id() -> str:
    return secrets.token_hex(8)


def create_app(
    engine: MemoryEngine, settings: HttpSettings | None = None, *, new_request_id: Callable[[], str] = _random_id
) -> FastAPI:
    """Return the service as an ASGI application, to be served or mounted.

    Args:
        engine: the memory. Whoever made it enters and closes it, in the event loop that serves the application.
        settings: who may call, for whom, and the limits; the default answers this machine only.
        new_request_id: gives a request that has no `X-Request-ID` of its own one for the log.
    """
    chosen = settings or HttpSettings()
    metrics = Metrics()
    app = FastAPI(
        title=TITLE,
        version=prme.__version__,
        description=DESCRIPTION,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        middleware=[
            Middleware(Watch, metrics=metrics, new_id=new_request_id),
            Middleware(Door, settings=chosen),
            Middleware(Traffic, settings=chosen),
        ],
    )
    app.state.front = Front(engine, metrics, chosen.answer_seconds)
    app.state.settings = chosen
    for module in (message_routes, recall_routes, decision_routes, record_routes, service_routes):
        app.include_router(module.routes)
    app.add_exception_handler(HTTPException, _refused)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(PrmeError, _failed)
    app.add_exception_handler(ValueError, _failed)
    app.openapi = _Schema(app)  # type: ignore[method-assign]  # how FastAPI lets a schema be extended
    return app


class _Schema:
    """The OpenAPI document, made once: FastAPI's, with problems for refusals and the tokens where there are any."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        self._made: dict[str, Any] | None = None

    def __call__(self) -> dict[str, Any]:
        if self._made is None:
            self._made = self._make()
        return self._made

    def _make(self) -> dict[str, Any]:
        app = self._app
        schema = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
        models = schema["components"]["schemas"]
        for unused in ("HTTPValidationError", "ValidationError"):
            models.pop(unused, None)
        problem_schema = Problem.model_json_schema(mode="serialization", ref_template="#/components/schemas/{model}")
        models.update(problem_schema.pop("$defs"))
        models["Problem"] = problem_schema
        models["JsonValue"] = JSON_VALUE
        for body in (model["properties"] for model in models.values() if "metadata" in model.get("properties", {})):
            body["metadata"]["anyOf"][0]["additionalProperties"] = _JSON_VALUE_REF
        if app.state.settings.tokens:
            schema["components"]["securitySchemes"] = _BEARER
            schema["security"] = [{"bearer": []}]
        return schema


async def _refused(request: Request, error: Exception) -> Response:
    if isinstance(error, RefusedError):
        return error.answer()
    assert isinstance(error, HTTPException)
    kind, detail = ("not_found", "there is nothing at this address")
    if error.status_code != 404:
        kind, detail = ("refused", "this address does not take that request")
    return problem(error.status_code, kind, detail, headers=error.headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    found = field_problems(error.errors())
    return problem(422, "invalid_request", "a field or parameter is unknown, missing or of another type", errors=found)


async def _failed(request: Request, error: Exception) -> Response:
    known = error_problem(error)
    if known is None:
        raise error
    return known

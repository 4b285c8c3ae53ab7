"""The door: who may come in. It answers before anything of a request but its head is read."""

from __future__ import annotations

import ipaddress
import re

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from prme.http.problems import RefusedError
from prme.http.settings import HttpSettings
from prme.http.tokens import Caller, caller_of

_HOST = re.compile(r"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9.-]+))(?::[0-9]*)?")
OPEN_PATHS = frozenset({"/healthz", "/readyz", "/docs", "/openapi.json"})
"""What anybody may read: whether the service works, and how it is used."""


class Door:
    """Lets a request in with its caller, or answers 401 or 403.

    Without tokens a caller must be on this machine, and must not be a page of another site in a browser: those can
    reach a local address too, under a name of their own (DNS rebinding) or across origins.
    """

    def __init__(self, app: ASGIApp, settings: HttpSettings) -> None:
        self._app = app
        self._settings = settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let one request in, or answer it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            scope.setdefault("state", {})["caller"] = self._caller(scope)
        except RefusedError as refused:
            await refused.answer()(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def _caller(self, scope: Scope) -> Caller:
        if local_path(scope) in OPEN_PATHS:
            return Caller(owner=self._settings.user_id, is_operator=False)
        if not self._settings.tokens:
            _refuse_strangers(scope)
            return Caller(owner=self._settings.user_id, is_operator=self._settings.user_id is None)
        return self._bound(_known_caller(scope, self._settings))

    def _bound(self, caller: Caller) -> Caller:
        """Bind a caller to the owner of the whole service, if it has one."""
        owner = self._settings.user_id
        if owner is None or caller.owner == owner:
            return caller
        if caller.owner is not None:
            raise RefusedError(403, "other_owner", "this service belongs to another owner than the token")
        return Caller(owner=owner, is_operator=caller.is_operator)


def local_path(scope: Scope) -> str:
    """Return the path of a request within the application, wherever that is mounted."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path[len(root) :] if root and path.startswith(root) else path


def is_loopback(host: str) -> bool:
    """Whether a host name or address means this machine and no other."""
    if host.lower() == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _known_caller(scope: Scope, settings: HttpSettings) -> Caller:
    authorization = Headers(scope=scope).get("authorization")
    caller = None if authorization is None else caller_of(authorization, settings.tokens)
    if caller is None:
        challenge = "Bearer" if authorization is None else 'Bearer error="invalid_token"'
        says = "a bearer token is needed" if authorization is None else "the bearer token is not known here"
        raise RefusedError(401, "unauthorized", says, headers={"WWW-Authenticate": challenge})
    return caller


def _refuse_strangers(scope: Scope) -> None:
    headers = Headers(scope=scope)
    client = scope.get("client")
    if client is not None and not is_loopback(str(client[0])):
        raise RefusedError(403, "not_local", "without tokens only this machine is answered: start it with tokens")
    host = headers.get("host", "")
    if not is_loopback(_host_name(host)):
        raise RefusedError(403, "not_local", "without tokens the Host must be localhost or a loopback address")
    origin = headers.get("origin")
    is_foreign = origin is not None and origin not in (f"http://{host}", f"https://{host}")
    if is_foreign or headers.get("sec-fetch-site", "none") not in ("none", "same-origin"):
        raise RefusedError(403, "other_origin", "without tokens pages of other origins are not answered")


def _host_name(host: str) -> str:
    """Return the name or address in a `Host` header, without its port; blank when it has none."""
    found = _HOST.fullmatch(host)
    return "" if found is None else found[1] or found[2]

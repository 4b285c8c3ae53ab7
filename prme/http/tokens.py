"""Bearer tokens: which caller a token stands for. Only digests are kept, and they are compared in constant time."""

from __future__ import annotations

import hmac
import json
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from pydantic import StringConstraints, ValidationError, model_validator

from prme.canonical import digest_text
from prme.message import checked_owner
from prme.model.value import Value

# What RFC 6750 lets a bearer token consist of; shorter ones could be guessed.
_TOKEN = re.compile(r"[A-Za-z0-9._~+/-]{16,512}=*")
TOKEN_BYTES = 32


class Caller(Value):
    """Who makes a request: the owner that it is bound to, None for any; an operator may see and name everything."""

    owner: str | None
    is_operator: bool


class Token(Value):
    """A token's digest, and the owner that it is bound to or that it is an operator's."""

    digest: Annotated[str, StringConstraints(pattern=r"^sha256:[0-9a-f]{64}$")]
    user_id: str | None = None
    admin: bool = False

    @model_validator(mode="after")
    def _stands_for_somebody(self) -> Token:
        if self.admin == (self.user_id is not None):
            raise ValueError("a token has either a user_id or admin = true")
        if self.user_id is not None:
            checked_owner(self.user_id)
        return self


class TokensRefusedError(ValueError):
    """Tokens cannot be used as given; the text says where and why, and holds none of them."""


def token_digest(token: str) -> str:
    """Return the digest under which a token is kept."""
    return digest_text(token)


def admin_token(token: str) -> Token:
    """Return the operator's token of the environment. Raises `TokensRefusedError` for one that could be guessed."""
    if _TOKEN.fullmatch(token) is None:
        raise TokensRefusedError(
            "it must have 16 to 512 of the characters A-Z a-z 0-9 . _ ~ + / -; make one with prme serve token --admin"
        )
    return Token(digest=token_digest(token), admin=True)


def read_tokens(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a TOML file: tables `[[token]]` with `digest` and either `user_id` or `admin = true`.

    Raises `TokensRefusedError`, or `OSError` when the file cannot be read.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError):
        document = None
    if document is None:
        raise TokensRefusedError("it is no TOML file in UTF-8")
    entries = document.get("token")
    if set(document) != {"token"} or not isinstance(entries, list):
        raise TokensRefusedError("it must hold tables [[token]] and nothing else; prme serve token prints one")
    tokens = tuple(_read_token(position, entry) for position, entry in enumerate(entries, start=1))
    if len({token.digest for token in tokens}) < len(tokens):
        raise TokensRefusedError("two tables [[token]] have the same digest: which caller is meant cannot be told")
    return tokens


def _read_token(position: int, entry: object) -> Token:
    try:
        return Token.model_validate(entry, strict=True)
    except ValidationError:
        pass
    raise TokensRefusedError(
        f'table [[token]] number {position} must have digest = "sha256:<64 hexadecimal digits>" '
        'and either user_id = "..." or admin = true, and nothing else'
    )


def token_entry(token: Token) -> str:
    """Return a token's table as it stands in the file."""
    # A JSON text is a TOML text too, but for the one control character that JSON leaves alone.
    name = json.dumps(token.user_id, ensure_ascii=False).replace("\x7f", "\\u007f")
    who = "admin = true" if token.admin else f"user_id = {name}"
    return f'[[token]]\ndigest = "{token.digest}"\n{who}\n'


def caller_of(authorization: str, tokens: Iterable[Token]) -> Caller | None:
    """Return who an `Authorization` header stands for, or None.

    Every token is compared, whatever the outcome: the time that it takes says nothing about them.
    """
    scheme, _, presented = authorization.partition(" ")
    if scheme.lower() != "bearer":
        return None
    digest = token_digest(presented.strip())
    found: Token | None = None
    for token in tokens:
        if hmac.compare_digest(token.digest, digest):
            found = token
    return None if found is None else Caller(owner=found.user_id, is_operator=found.admin)

"""What an operator may choose of the service: whose it is, who may call it, and its limits."""

from __future__ import annotations

from pydantic import Field

from prme.http.tokens import Token
from prme.model.value import Value

MOST_MESSAGES = 1_000
"""How many messages or decisions one batch may have."""


class HttpSettings(Value):
    """Settings of one application; times in seconds.

    `user_id` binds the whole service to one owner. Without `tokens` only callers on this machine are answered, and they
    are trusted operators unless `user_id` binds them. `most_body_bytes` has room for 100,000 characters that are all
    escaped, and for metadata. `most_requests` bounds the requests that are worked on at once. A body must have arrived
    within `body_seconds`, an answer is waited for `answer_seconds`: longer than an extractor may take.
    """

    user_id: str | None = None
    tokens: tuple[Token, ...] = ()
    most_body_bytes: int = Field(default=2 * 1024 * 1024, ge=1)
    most_requests: int = Field(default=256, ge=1)
    body_seconds: float = Field(default=20.0, gt=0, allow_inf_nan=False)
    answer_seconds: float = Field(default=180.0, gt=0, allow_inf_nan=False)

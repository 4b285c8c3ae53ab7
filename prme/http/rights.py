"""For whom a caller may act: one bound to an owner for that owner alone, an operator for any."""

from __future__ import annotations

from prme.http.problems import RefusedError
from prme.http.tokens import Caller
from prme.message import checked_actor, checked_owner


def owner_or_any(caller: Caller, user_id: str | None) -> str | None:
    """Return the owner that a call is bound to, None for a trusted operator.

    Raises `RefusedError` (403), or `InvalidMessageError` for what can be no owner.
    """
    if caller.owner is None:
        return None if user_id is None else checked_owner(user_id)
    if user_id is not None and user_id != caller.owner:
        raise RefusedError(403, "other_owner", "this caller is bound to another owner than the user_id: leave it out")
    return caller.owner


def one_owner(caller: Caller, user_id: str | None) -> str:
    """Return the owner of a call that needs one. Raises `RefusedError`: 403 as above, 422 when none is named."""
    owner = owner_or_any(caller, user_id)
    if owner is None:
        raise RefusedError(422, "invalid_argument", "user_id is missing: this caller is bound to no owner, so name one")
    return owner


def actor_or_default(caller: Caller, actor_id: str | None) -> str | None:
    """Return who decides; None lets the engine take the owner.

    Raises `RefusedError` (403), or `ValueError` for what can be no name.
    """
    if actor_id is None:
        return None
    if caller.is_operator or actor_id == caller.owner:
        return checked_actor(actor_id)
    raise RefusedError(403, "other_actor", "only an operator names who decided: leave actor_id out")


def refuse_others(caller: Caller) -> None:
    """Raise `RefusedError` (403) unless the caller is an operator."""
    if not caller.is_operator:
        raise RefusedError(403, "operators_only", "this address is for operators: use an admin token")

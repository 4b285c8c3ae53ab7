"""The arguments of reads, checked before anything is read: what cannot be meant is an error, never an empty answer."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeVar

from prme import message

E = TypeVar("E", bound=StrEnum)


def owner_or_none(user_id: object) -> str | None:
    """Return the owner that a call is bound to, None for a trusted operator. Raises `InvalidMessageError`."""
    return None if user_id is None else message.checked_owner(user_id)


def scope_or_none(scope: object) -> str | None:
    """Return a scope, None for all. Raises `InvalidMessageError`."""
    return None if scope is None else message.checked_scope(scope)


def whole_number(value: object, name: str, *, most: int) -> int:
    """Return a number from 1 to `most`. Raises `ValueError`, which names the argument."""
    if type(value) is not int or not 1 <= value <= most:
        raise ValueError(f"{name} must be a whole number from 1 to {most:,}")
    return value


def flag(value: object, name: str) -> bool:
    """Return True or False, nothing else. Raises `ValueError`, which names the argument."""
    if type(value) is not bool:
        raise ValueError(f"{name} must be True or False, got {type(value).__name__}")
    return value


def members(values: object, kind: type[E], name: str) -> frozenset[E]:
    """Return members of an enumeration, given as such or by name. Raises `ValueError`, which names the argument."""
    known = ", ".join(kind)
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise ValueError(f"{name} must be a list of names, such as [{next(iter(kind)).value!r}]; known are {known}")
    found: set[E] = set()
    for value in values:
        if not isinstance(value, str) or value.upper() not in kind.__members__:
            raise ValueError(f"{name} holds something unknown; known are {known}")
        found.add(kind[value.upper()])
    return frozenset(found)


def words(value: object, name: str) -> str:
    """Return a text that can be stored. Raises `ValueError`, which names the argument and never repeats it."""
    if not isinstance(value, str):
        raise ValueError(f"{name} must be a text (str), got {type(value).__name__}")
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"{name} has a lone surrogate, which no message can have") from None
    return value

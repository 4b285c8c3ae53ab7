"""Intervals: when a node holds in the world."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from prme.model.node import Status


class Interval(NamedTuple):
    """The state of one node: `[valid_from, valid_to)` in UTC, half-open; `valid_to` None means open.

    A confirming claim has no interval of its own: it keeps its effective time as `valid_from`, `valid_to` and
    `superseded_by` stay None, and `confirms` names the claim to read them from.
    """

    node_id: str
    valid_from: datetime
    valid_to: datetime | None
    status: Status
    superseded_by: str | None
    confirms: str | None

"""History: a claim with every version of its interval, and the claims before and after it."""

from __future__ import annotations

from datetime import datetime

from prme.model.node import Node, Status
from prme.model.relation import Relation
from prme.model.value import Value


class IntervalVersion(Value):
    """What the store said of a node from `recorded_from` until `recorded_to`, both UTC; None means that it still does.

    The other fields are those of the node then; a confirming claim has no end of its own. `entry` is the number of the
    owner's journal entry that recorded the version.
    """

    valid_from: datetime
    valid_to: datetime | None
    status: Status
    superseded_by: str | None
    confirms: str | None
    recorded_from: datetime
    recorded_to: datetime | None
    entry: int


class History(Value):
    """A note or claim with its evidence, every version of its interval, and what it replaced and was replaced by.

    `versions` are in the order recorded. `predecessors` are the nodes that it retired, and `successors` the one that
    retired it, the one that retired that one, and so on to the end. `relations` are the edges from and to it, in the
    order decided. With `known_at` everything is as the store knew it.
    """

    node: Node
    versions: tuple[IntervalVersion, ...]
    predecessors: tuple[Node, ...] = ()
    successors: tuple[Node, ...] = ()
    relations: tuple[Relation, ...] = ()

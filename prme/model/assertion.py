"""Assertion state: what the memory says of one subject and predicate."""

from __future__ import annotations

from typing import Literal

from prme.model.node import Node
from prme.model.relation import How
from prme.model.value import Value

AssertionStatus = Literal["unknown", "single", "consistent", "multiple", "contested"]


class ClosedClaim(Value):
    """A claim that no longer holds, the id of what closed it, and how: by a rule, or by a decision made by hand.

    `closed_by` is the successor, or the winner of the contradiction that a deprecated claim lost.
    """

    claim: Node
    closed_by: str | None
    how: How


class AssertionState(Value):
    """What is known of one subject and predicate family (003-52).

    `claims` are the open, positive, observed or asserted and unconditional ones, one per value, in the order in which
    they took effect; `denied` the open negative ones of that kind; `uncertain` all other open ones; `closed` the newest
    20 closed ones. Claims that only confirm another one stand in none of them.

    `status` is `contested` when one of `claims` is, or is denied as well; else `unknown` (none), `single` (one, said
    once), `consistent` (one value, said more than once) or `multiple`.
    """

    status: AssertionStatus
    claims: tuple[Node, ...] = ()
    denied: tuple[Node, ...] = ()
    uncertain: tuple[Node, ...] = ()
    closed: tuple[ClosedClaim, ...] = ()

"""The checks of explicit decisions, as plain functions of the two nodes. What they refuse changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime

from prme.correction.rulings import unresolved_pairs
from prme.errors import ConflictError
from prme.model.decision import DecisionKind, ExplicitDecision, MadeDecision
from prme.model.node import Node

NO_EVIDENCE = "Evidence event is not available in the node owner and scope"
OPEN = frozenset({"current", "contested"})

FindNode = Callable[[str], Node | None]


def refuse_other_request(made: MadeDecision, *, actor: str, evidence_id: str | None) -> None:
    """Refuse a retry that is not exact: the same nodes, but another actor or other evidence (003-20)."""
    if made.actor != actor:
        raise ConflictError(
            "this was decided before by another actor: an exact retry has the same actor, and a decision once made "
            "is not made again"
        )
    if made.evidence_id != evidence_id:
        raise ConflictError(
            "this was decided before on other evidence: an exact retry has the same evidence, and a decision once made "
            "is not made again"
        )


def refuse_pair(kind: DecisionKind, old: Node, new: Node) -> None:
    """Refuse a node beside itself, and two nodes of different scopes (003-07)."""
    if old.id == new.id:
        says = {
            "supersede": "a node cannot supersede itself: pass the id of the note or claim that replaces it",
            "contradict": "a node cannot contradict itself: pass two different notes or claims",
            "resolve": "winner and loser are the same node: pass the two sides of a contradiction",
        }
        raise ConflictError(says[kind])
    if old.scope != new.scope:
        raise ConflictError(
            f"the two nodes are in different scopes ({old.scope!r} and {new.scope!r}): a decision never crosses scopes"
        )


def refuse_states(
    kind: DecisionKind, old: Node, new: Node, decisions: Sequence[ExplicitDecision], find: FindNode
) -> None:
    """Refuse what the states of the two nodes do not allow; `decisions` are the owner's so far, in order."""
    if kind == "resolve":
        if frozenset({old.id, new.id}) not in unresolved_pairs(decisions):
            raise ConflictError(
                "these two nodes are not in an unresolved contradiction with each other: note it with contradict(), or "
                "supersede the one that no longer holds"
            )
        if new.status not in OPEN:
            raise ConflictError(
                f"the winner is {new.status}, and what is closed wins nothing: resolve it the other way round, so that "
                "the open side stands"
            )
        return
    if kind == "contradict":
        for node in (old, new):
            _refuse_closed(node, find, "only what is open can be contested")
        return
    _refuse_closed(old, find, "supersede that one instead")
    if old.status == "contested":
        raise ConflictError(
            f"node {old.id} is contested: resolve the contradiction first, with resolve_contradiction()"
        )
    if new.status == "confirming":
        raise ConflictError(
            f"the replacement only confirms {new.confirms}: pass that one, or a claim that stands for itself"
        )
    if new.status not in OPEN:
        raise ConflictError(f"the replacement is {new.status}, and what is closed replaces nothing: pass an open node")


def refuse_contested_equals(equals: Iterable[Node]) -> None:
    """Refuse to close, along with a claim, an equal one that a contradiction holds open; `equals` are those."""
    for node in equals:
        if node.status == "contested":
            raise ConflictError(
                f"an equal claim, {node.id}, is contested and would close along with it: resolve the contradiction "
                "first, with resolve_contradiction()"
            )


def _refuse_closed(node: Node, find: FindNode, advice: str) -> None:
    if node.status == "confirming":
        live = live_successor(node, find)
        says = f"node {node.id} only confirms {node.confirms}"
        raise ConflictError(
            f"{says}: {advice}" if live.id == node.confirms else f"{says}: {_instead(node, find, advice)}"
        )
    if node.status == "superseded":
        raise ConflictError(f"node {node.id} was superseded already: {_instead(node, find, advice)}")
    if node.status not in OPEN:
        raise ConflictError(f"node {node.id} is {node.status}, closed without a successor: there is nothing to decide")


def _instead(node: Node, find: FindNode, advice: str) -> str:
    live = live_successor(node, find)
    if live.status in OPEN:
        return f"its live successor is {live.id}; {advice}"
    return f"the last of its line, {live.id}, is {live.status}"


def live_successor(node: Node, find: FindNode) -> Node:
    """Return what stands for a node now: what replaced it, or what it confirms, and so on to the end."""
    while True:
        following = node.superseded_by if node.status == "superseded" else None
        following = node.confirms if node.status == "confirming" else following
        found = None if following is None else find(following)
        if found is None:
            return node
        node = found


def closing_time(kind: DecisionKind, old: Node, new: Node, decisions: Sequence[ExplicitDecision]) -> datetime | None:
    """Return T, when the old node closes: once both were in effect, and not before what the old one had replaced.

    None for a contradiction, which closes nothing.
    """
    if kind == "contradict":
        return None
    times = [old.valid_from, new.valid_from]
    if kind == "supersede":
        times += [d.at for d in decisions if d.new == old.id and d.kind != "contradict" and d.at is not None]
    return max(times)

"""Which closed nodes a caller closed by hand, and by which decision; everything else was closed by a rule."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from prme.model.node import Node
from prme.store.database import Reader
from prme.store.decisions import StoredDecision, explicit_decisions
from prme.store.nodes import find_nodes
from prme.text_folding import fold_text


def closings_by_hand(
    reader: Reader, owner_key: int, nodes: Sequence[Node], *, known_at: datetime | None = None
) -> dict[str, StoredDecision]:
    """Return, by id, the explicit decision that closed each of an owner's closed nodes, where one did.

    A decision closes the node that it names, and the equal claims that it covers (SPEC 8.2 a).
    """
    closed = [node for node in nodes if node.status in ("superseded", "deprecated")]
    if not closed:
        return {}
    successors = {node.superseded_by for node in closed}
    decisions = [
        stored
        for stored in explicit_decisions(reader, owner_key, known_at=known_at)
        if _successor(stored) in successors and stored.made.decision.kind != "contradict"
    ]
    named = sorted({stored.made.decision.old for stored in decisions})
    olds = find_nodes(reader, owner_key, closed[0].user_id, named) if named else {}
    found: dict[str, StoredDecision] = {}
    for node in closed:
        for stored in decisions:
            if _closes(stored, node, olds.get(stored.made.decision.old)):
                found.setdefault(node.id, stored)
    return found


def _successor(stored: StoredDecision) -> str | None:
    decision = stored.made.decision
    return decision.new if decision.kind == "supersede" else None


def _closes(stored: StoredDecision, node: Node, old: Node | None) -> bool:
    decision = stored.made.decision
    if _successor(stored) != node.superseded_by or decision.new == node.id or decision.at is None or old is None:
        return False
    if old.id != node.id and _value(old) != _value(node):
        return False
    return node.valid_to == max(decision.at, node.valid_from)


def _value(node: Node) -> tuple[object, ...]:
    """Return what makes two claims equal, as the fold compares them (SPEC 8.2); a note equals only itself."""
    if node.subject_id is None:
        return (node.id,)
    said = (node.scope, node.source_type, node.node_type, node.subject_id, node.predicate, fold_text(node.object or ""))
    return (*said, node.polarity, node.epistemic_type, node.condition)

"""Reading relations: they follow from intervals and explicit decisions, and are stored nowhere else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime

from prme import ids
from prme.correction.rulings import unresolved_pairs
from prme.model.node import Node
from prme.model.relation import Relation
from prme.reading.closings import closings_by_hand
from prme.store.database import Reader
from prme.store.decisions import StoredDecision, explicit_decisions
from prme.store.nodes import confirming_claims, interval_versions
from prme.store.records import find_rule_claim


def node_relations(
    reader: Reader, owner_key: int, node: Node, replaced: Sequence[Node], *, known_at: datetime | None = None
) -> tuple[Relation, ...]:
    """Return the relations of a node, in the order in which they were decided; with `known_at` those known then.

    `replaced` are the nodes that name it as their successor.
    """
    closed = [node, *replaced] if node.status == "superseded" else replaced
    found = [
        *_supersedences(reader, owner_key, closed, known_at),
        *_conflicts(node, explicit_decisions(reader, owner_key, node_ids=[node.id], known_at=known_at)),
        *_confirmations(reader, owner_key, node, known_at),
    ]
    return tuple(sorted(found, key=lambda relation: (relation.decided_at, relation.id)))


def _supersedences(
    reader: Reader, owner_key: int, closed: Sequence[Node], known_at: datetime | None
) -> Iterator[Relation]:
    by_hand = closings_by_hand(reader, owner_key, closed, known_at=known_at)
    for node in closed:
        closer = node.superseded_by
        if closer is None:
            continue
        made = by_hand[node.id].made if node.id in by_hand else None
        correction = find_rule_claim(reader, owner_key, closer) if made is None else None
        is_named = made is not None and made.decision.old == node.id
        yield Relation(
            id=ids.edge_id(made.operation_id)
            if made is not None and is_named
            else ids.pair_edge_id("supersedes", closer, node.id),
            kind="supersedes",
            source=closer,
            target=node.id,
            status="active",
            how="rule" if made is None else "explicit",
            decided_at=_since(reader, owner_key, node, known_at),
            evidence=() if correction is None else (correction.trigger,),
            evidence_id=None if made is None else made.evidence_id,
            actor=None if made is None else made.actor,
        )


def _since(reader: Reader, owner_key: int, node: Node, known_at: datetime | None) -> datetime:
    """Return when the store began to say without a break what it says of a node's successor and confirmation."""
    versions = interval_versions(reader, owner_key, node.id, known_at=known_at)
    since = versions[-1].recorded_from
    for version in reversed(versions):
        if (version.superseded_by, version.confirms) != (versions[-1].superseded_by, versions[-1].confirms):
            break
        since = version.recorded_from
    return since


def _conflicts(node: Node, decisions: Sequence[StoredDecision]) -> Iterator[Relation]:
    unresolved = unresolved_pairs(stored.made.decision for stored in decisions)
    for stored in decisions:
        made, decision = stored.made, stored.made.decision
        if decision.kind != "contradict" or node.id not in (decision.old, decision.new):
            continue
        yield Relation(
            id=ids.edge_id(made.operation_id),
            kind="conflicts_with",
            source=decision.old,
            target=decision.new,
            status="active" if frozenset({decision.old, decision.new}) in unresolved else "resolved",
            how="explicit",
            decided_at=stored.recorded_at,
            evidence_id=made.evidence_id,
            actor=made.actor,
        )


def _confirmations(reader: Reader, owner_key: int, node: Node, known_at: datetime | None) -> Iterator[Relation]:
    confirming = confirming_claims(reader, owner_key, node, known_at=known_at)
    if node.status == "confirming":
        confirming = (node, *confirming)
    for claim in confirming:
        if claim.confirms is None:
            continue
        yield Relation(
            id=ids.pair_edge_id("confirms", claim.id, claim.confirms),
            kind="confirms",
            source=claim.id,
            target=claim.confirms,
            status="active",
            how="rule",
            decided_at=_since(reader, owner_key, claim, known_at),
            evidence=claim.evidence,
        )

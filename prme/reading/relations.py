"""Reading relations: they follow from intervals and explicit decisions, and are stored nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from prme import ids
from prme.correction.rulings import unresolved_pairs
from prme.model.claim import Evidence
from prme.model.decision import RuleDecision
from prme.model.node import Node
from prme.model.relation import Relation
from prme.store.database import Reader
from prme.store.decisions import StoredDecision, explicit_decisions
from prme.store.nodes import confirming_claims, interval_versions
from prme.store.records import claim_decisions
from prme.text_folding import fold_text


def node_relations(
    reader: Reader, owner_key: int, node: Node, replaced: Sequence[Node], *, known_at: datetime | None = None
) -> tuple[Relation, ...]:
    """Return the relations of a node, in the order in which they were decided; with `known_at` those known then.

    `replaced` are the nodes that name it as their successor.
    """
    closings = [(node, node.superseded_by)] if node.status == "superseded" else []
    closings += [(earlier, node.id) for earlier in replaced]
    named = sorted({name for closed, closer in closings for name in (closed.id, closer or "")} | {node.id})
    decisions = explicit_decisions(reader, owner_key, node_ids=named, known_at=known_at)
    found = [
        *_supersedences(reader, owner_key, closings, decisions, known_at),
        *_conflicts(node, decisions),
        *_confirmations(reader, owner_key, node, known_at),
    ]
    return tuple(sorted(found, key=lambda relation: (relation.decided_at, relation.id)))


def closed_by_hand(node: Node, decisions: Iterable[StoredDecision]) -> StoredDecision | None:
    """Return the decision that closed a node itself, or None when a rule did, or a decision of an equal claim."""
    for stored in decisions:
        decision = stored.made.decision
        if decision.kind != "contradict" and decision.old == node.id:
            return stored
    return None


def claim_value(node: Node) -> tuple[object, ...]:
    """Return what makes two claims of one family equal, as the fold compares them (SPEC 8.2)."""
    obj = fold_text(node.object or "")
    return (node.subject_id, node.predicate, obj, node.polarity, node.epistemic_type, node.condition)


def _supersedences(
    reader: Reader,
    owner_key: int,
    closings: Sequence[tuple[Node, str | None]],
    decisions: Sequence[StoredDecision],
    known_at: datetime | None,
) -> Iterator[Relation]:
    by_rule = _retired_by_rule(reader, owner_key, [closer for _, closer in closings if closer is not None])
    for closed, closer in closings:
        if closer is None:
            continue
        trigger = by_rule.get((closed.id, closer))
        stored = closed_by_hand(closed, decisions)
        operation = None if stored is None else stored.made
        yield Relation(
            id=ids.rule_edge_id("supersedes", closer, closed.id)
            if operation is None
            else ids.edge_id(operation.operation_id),
            kind="supersedes",
            source=closer,
            target=closed.id,
            status="active",
            how="rule" if trigger is not None else "explicit",
            decided_at=_since(reader, owner_key, closed, known_at),
            evidence=() if trigger is None else (trigger,),
            evidence_id=None if operation is None else operation.evidence_id,
            actor=None if operation is None else operation.actor,
        )


def _retired_by_rule(reader: Reader, owner_key: int, closers: Sequence[str]) -> dict[tuple[str, str], Evidence]:
    """Return the words that a rule went by, for each (closed claim, correction)."""
    texts = claim_decisions(reader, owner_key, sorted(set(closers)))
    found: dict[tuple[str, str], Evidence] = {}
    for closer, text in texts.items():
        decision = RuleDecision.model_validate_json(text)
        found |= {(target.claim_id, closer): decision.trigger for target in decision.targets}
    return found


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
            id=ids.rule_edge_id("confirms", claim.id, claim.confirms),
            kind="confirms",
            source=claim.id,
            target=claim.confirms,
            status="active",
            how="rule",
            decided_at=_since(reader, owner_key, claim, known_at),
            evidence=claim.evidence,
        )

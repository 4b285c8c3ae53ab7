"""Explaining: why a claim is what it is, and why a message retired what it did or nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from prme.errors import NodeNotFoundError, PlanNotFoundError
from prme.model.decision import RuleDecision
from prme.model.explanation import (
    ExplainedClaim,
    ExplainedNearMiss,
    ExplainedRejection,
    Explanation,
    JournalLine,
)
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan
from prme.reading import read_plan, visible_event, visible_node
from prme.store.database import Reader
from prme.store.nodes import event_nodes, find_claims, interval_entries
from prme.store.records import StoredEvent, claim_decisions, journal_entries, work_state


def explain(reader: Reader, wanted: str, user_id: str | None) -> Explanation:
    """Explain an event, a note or a claim by its id.

    Raises `NodeNotFoundError` when the id is unknown, malformed or foreign.
    """
    stored = visible_event(reader, wanted, user_id)
    node = None
    if stored is None:
        node = visible_node(reader, wanted, user_id)
        stored = None if node is None else visible_event(reader, node.event_id, user_id)
    if stored is None:
        raise NodeNotFoundError(
            "no event, note or claim with this id for this caller: receipts and `claims` show ids, and an id is found "
            "only under its own owner"
        )
    chosen = node.id if node is not None and node.node_type is not NodeType.NOTE else None
    plan = _plan_or_none(reader, stored)
    if plan is None:
        work = work_state(reader, stored.owner_key, stored.event.id)
        return Explanation(
            event=stored.event,
            work=None if work is None else work.state,
            reason_code=None if work is None else work.reason_code,
            journal=_journal(reader, stored, chosen),
        )
    return Explanation(
        event=stored.event,
        policy=plan.policy,
        plan_id=plan.plan_id,
        plan_checksum=plan.checksum,
        extractor=plan.extractor,
        claims=_claims(reader, stored, plan, chosen),
        rejected=_rejected(plan) if chosen is None else (),
        journal=_journal(reader, stored, chosen),
    )


def _plan_or_none(reader: Reader, stored: StoredEvent) -> ExtractionPlan | None:
    try:
        return read_plan(reader, stored.event.id, stored.event.user_id)
    except PlanNotFoundError:
        return None


def _claims(
    reader: Reader, stored: StoredEvent, plan: ExtractionPlan, chosen: str | None
) -> tuple[ExplainedClaim, ...]:
    nodes = [
        node
        for node in event_nodes(reader, stored)
        if node.node_type is not NodeType.NOTE and (chosen is None or node.id == chosen)
    ]
    changes = {claim.id: claim.changes for claim in plan.claims}
    texts = claim_decisions(reader, stored.owner_key, [node.id for node in nodes])
    decisions = {claim_id: RuleDecision.model_validate_json(text) for claim_id, text in texts.items()}
    named = _named_nodes(reader, stored, nodes, decisions)
    return tuple(_claim(node, changes.get(node.id, ()), decisions.get(node.id), named) for node in nodes)


def _named_nodes(
    reader: Reader, stored: StoredEvent, nodes: Sequence[Node], decisions: Mapping[str, RuleDecision]
) -> Mapping[str, Node]:
    """Return every claim that the nodes and their decisions speak of, read together."""
    wanted = {claim_id for node in nodes for claim_id in (node.superseded_by, node.confirms) if claim_id is not None}
    for decision in decisions.values():
        wanted.update(target.claim_id for target in decision.targets)
        wanted.update(decision.candidates)
        wanted.update(miss.claim_id for miss in decision.near_misses)
    return find_claims(reader, stored.owner_key, stored.event.user_id, sorted(wanted))


def _claim(
    node: Node, changes: tuple[str, ...], decision: RuleDecision | None, named: Mapping[str, Node]
) -> ExplainedClaim:
    def all_named(claim_ids: Iterable[str]) -> tuple[Node, ...]:
        return tuple(named[claim_id] for claim_id in claim_ids if claim_id in named)

    return ExplainedClaim(
        node=node,
        changes=changes,
        decision=decision,
        closed_by=None if node.superseded_by is None else named.get(node.superseded_by),
        confirmed=None if node.confirms is None else named.get(node.confirms),
        retired=() if decision is None else all_named(target.claim_id for target in decision.targets),
        candidates=() if decision is None else all_named(decision.candidates),
        near_misses=tuple(
            ExplainedNearMiss(near_miss=miss, node=named[miss.claim_id])
            for miss in (() if decision is None else decision.near_misses)
            if miss.claim_id in named
        ),
    )


def _rejected(plan: ExtractionPlan) -> tuple[ExplainedRejection, ...]:
    return tuple(
        ExplainedRejection(
            proposed=plan.extraction.claims[rejected.position], position=rejected.position, reason=rejected.reason
        )
        for rejected in plan.rejected
    )


def _journal(reader: Reader, stored: StoredEvent, chosen: str | None) -> tuple[JournalLine, ...]:
    """Return the entries of the event; for one claim also those of other events that changed its interval."""
    seqs = () if chosen is None else interval_entries(reader, stored.owner_key, chosen)
    entries = journal_entries(reader, owner_key=stored.owner_key, event_id=stored.event.id, seqs=tuple(seqs))
    return tuple(
        JournalLine(
            seq=entry.seq,
            kind=entry.kind,
            commit_no=entry.commit_no,
            recorded_at=entry.recorded_at,
            digest=entry.digest,
        )
        for entry in entries
    )

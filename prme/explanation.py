"""Explaining: why a claim is what it is, and why a message retired what it did or nothing at all."""

from __future__ import annotations

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
from prme.store.nodes import event_nodes, find_node, interval_versions
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
        raise NodeNotFoundError("no event, note or claim with this id for this caller")
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
    nodes = [node for node in event_nodes(reader, stored) if node.node_type is not NodeType.NOTE]
    changes = {claim.id: claim.changes for claim in plan.claims}
    decisions = claim_decisions(reader, stored.owner_key, [node.id for node in nodes])
    return tuple(
        _claim(reader, stored.owner_key, node, changes.get(node.id, ()), decisions.get(node.id))
        for node in nodes
        if chosen is None or node.id == chosen
    )


def _claim(
    reader: Reader, owner_key: int, node: Node, changes: tuple[str, ...], decision_text: str | None
) -> ExplainedClaim:
    decision = None if decision_text is None else RuleDecision.model_validate_json(decision_text)

    def named(claim_id: str | None) -> Node | None:
        return None if claim_id is None else find_node(reader, claim_id, owner_key=owner_key)

    def all_named(claim_ids: tuple[str, ...]) -> tuple[Node, ...]:
        return tuple(found for found in map(named, claim_ids) if found is not None)

    near = () if decision is None else decision.near_misses
    return ExplainedClaim(
        node=node,
        changes=changes,
        decision=decision,
        closed_by=named(node.superseded_by),
        confirmed=named(node.confirms),
        retired=() if decision is None else all_named(tuple(target.claim_id for target in decision.targets)),
        candidates=() if decision is None else all_named(decision.candidates),
        near_misses=tuple(
            ExplainedNearMiss(near_miss=miss, node=found)
            for miss in near
            if (found := named(miss.claim_id)) is not None
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
    seqs = () if chosen is None else [version.seq for version in interval_versions(reader, stored.owner_key, chosen)]
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

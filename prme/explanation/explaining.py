"""Explaining: why a claim is what it is, and why a message retired what it did or nothing at all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from prme.errors import NodeNotFoundError, PlanNotFoundError
from prme.explanation.by_hand import decided_by_hand, explained_note
from prme.explanation.decision_words import Told, decision_says
from prme.explanation.near_miss_words import explained_near_miss
from prme.explanation.nearness import World
from prme.explanation.remedies import NO_REMEDY, Remedy, find_remedy, needs_world
from prme.explanation.wording import CHANGES, REJECTIONS, retirement_says
from prme.ids import note_id
from prme.model.claim import Claim
from prme.model.decision import RuleDecision
from prme.model.explanation import (
    ExplainedChange,
    ExplainedClaim,
    ExplainedNearMiss,
    ExplainedRejection,
    ExplainedRule,
    Explanation,
    JournalLine,
    Retirement,
)
from prme.model.history import IntervalVersion
from prme.model.message import Event
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan, PlannedClaim
from prme.plan.rule_claims import rule_claims
from prme.policy.registry import get_policy
from prme.reading import closings_by_hand, journal_line, read_plan, visible_event, visible_node
from prme.resolution import is_local
from prme.store.database import Reader
from prme.store.decisions import StoredDecision, explicit_decisions
from prme.store.nodes import event_nodes, find_nodes, interval_entries, interval_versions
from prme.store.records import (
    StoredEvent,
    claim_decisions,
    claim_policies,
    find_event,
    journal_entries,
    subject_claims,
    work_state,
)
from prme.text_folding import fold_text


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
    note = explained_note(reader, stored) if chosen is None else None
    plan = _plan_or_none(reader, stored)
    if plan is None:
        work = work_state(reader, stored.owner_key, stored.event.id)
        return Explanation(
            event=stored.event,
            work=None if work is None else work.state,
            reason_code=None if work is None else work.reason_code,
            note=note,
            journal=_journal(reader, stored, chosen),
        )
    return Explanation(
        event=stored.event,
        note=note,
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
    decisions = _decisions(reader, stored.owner_key, [node.id for node in nodes])
    ruled = {claim.id: claim for claim in rule_claims(plan)}
    remedies = _remedies(reader, stored, ruled, decisions)
    known = _known(reader, stored, nodes, decisions, remedies)
    planned = {claim.id: claim for claim in plan.claims}
    return tuple(
        _claim(node, planned[node.id], ruled[node.id], local=is_local(stored.event, planned[node.id]), known=known)
        for node in nodes
        if node.id in planned
    )


def _remedies(
    reader: Reader, stored: StoredEvent, ruled: Mapping[str, Claim], decisions: Mapping[str, RuleDecision]
) -> dict[str, Remedy]:
    """Return what would have made each claim retire something; a subject is read only where that must be judged."""
    decided = cache(lambda: tuple(one.made.decision for one in explicit_decisions(reader, stored.owner_key)))
    worlds: dict[str, World] = {}
    found: dict[str, Remedy] = {}
    for claim_id, decision in decisions.items():
        claim = ruled.get(claim_id)
        if claim is None or claim.subject_id is None or not needs_world(claim, decision):
            continue
        if claim.subject_id not in worlds:
            claims = subject_claims(reader, stored.owner_key, claim.subject_id)
            worlds[claim.subject_id] = World({one.id: one for one in claims}, decided())
        found[claim_id] = find_remedy(worlds[claim.subject_id], claim, decision)
    return found


@dataclass(frozen=True, slots=True)
class _Known:
    """Everything that the explained claims speak of, read together: claims, decisions, messages and policies by id."""

    nodes: Mapping[str, Node]
    decisions: Mapping[str, RuleDecision]
    remedies: Mapping[str, Remedy]
    events: Mapping[str, Event]
    by_hand: Mapping[str, StoredDecision]
    policies: Mapping[str, str]
    versions: Mapping[str, tuple[IntervalVersion, ...]]


def _known(
    reader: Reader,
    stored: StoredEvent,
    explained: Sequence[Node],
    own: Mapping[str, RuleDecision],
    remedies: Mapping[str, Remedy],
) -> _Known:
    owner_key, user_id = stored.owner_key, stored.event.user_id
    nodes = {node.id: node for node in explained}

    def read(wanted: set[str]) -> None:
        nodes.update(find_nodes(reader, owner_key, user_id, sorted(wanted - nodes.keys())))

    read(_named(explained, own, remedies))
    missed = [nodes[name] for name in _closed_misses(own) if name in nodes]
    ended = [node for node in (*explained, *missed) if node.valid_to is not None]
    standing_for = [nodes[name] for name in map(_closed_as, ended) if name in nodes]
    by_hand = closings_by_hand(reader, owner_key, [*ended, *standing_for])
    winners = {name: stored.made.decision.new for name, stored in by_hand.items()}
    read({closer for node in ended if (closer := _closer(node, winners)) is not None})
    closers = {closer for node in ended if (closer := _closer(node, winners)) in nodes}
    retired = {target.claim_id for decision in own.values() for target in decision.targets}
    events = {stored.event.id: stored.event}
    for event_id in sorted({nodes[closer].event_id for closer in closers} - events.keys()):
        found = find_event(reader, event_id, owner_key=owner_key)
        if found is not None:
            events[event_id] = found.event
    return _Known(
        nodes=nodes,
        decisions={**own, **_decisions(reader, owner_key, sorted(closers - own.keys()))},
        remedies=remedies,
        events=events,
        by_hand=by_hand,
        policies=claim_policies(reader, owner_key, sorted(closers.union(own))),
        versions={
            name: interval_versions(reader, owner_key, name) for name in sorted(retired.union(map(_closed_as, ended)))
        },
    )


def _closed_misses(decisions: Mapping[str, RuleDecision]) -> list[str]:
    return [miss.claim_id for decision in decisions.values() for miss in decision.near_misses if miss.test == "state"]


def _decisions(reader: Reader, owner_key: int, claim_ids: Sequence[str]) -> dict[str, RuleDecision]:
    texts = claim_decisions(reader, owner_key, claim_ids)
    return {claim_id: RuleDecision.model_validate_json(text) for claim_id, text in texts.items()}


def _named(nodes: Sequence[Node], decisions: Mapping[str, RuleDecision], remedies: Mapping[str, Remedy]) -> set[str]:
    """Return the ids of every claim that the nodes, their decisions and the remedies speak of."""
    named = {claim_id for node in nodes for claim_id in (node.superseded_by, node.confirms) if claim_id is not None}
    for decision in decisions.values():
        named.update(target.claim_id for target in decision.targets)
        named.update(decision.candidates)
        named.update(miss.claim_id for miss in decision.near_misses)
    for remedy in remedies.values():
        named.update(remedy.would_retire)
    return named


def _claim(node: Node, planned: PlannedClaim, claim: Claim, *, local: bool, known: _Known) -> ExplainedClaim:
    decision = known.decisions.get(node.id)
    targets = () if decision is None else decision.targets
    named = () if decision is None else decision.candidates
    return ExplainedClaim(
        node=node,
        changes=tuple(ExplainedChange(code=code, says=CHANGES.get(code, code)) for code in planned.changes),
        decision=decision,
        says=decision_says(decision, claim, _told(node, named, known, local=local)),
        rule=_rule(claim.policy, decision),
        closed_by=_closing(node, known),
        confirmed=None if node.confirms is None else known.nodes.get(node.confirms),
        retired=tuple(
            found for target in targets if (found := _retirement(target.claim_id, node.id, known)) is not None
        ),
        candidates=tuple(known.nodes[claim_id] for claim_id in named if claim_id in known.nodes),
        near_misses=() if decision is None else tuple(_near_misses(node, claim, decision, known)),
    )


def _told(node: Node, candidates: Sequence[str], known: _Known, *, local: bool) -> Told:
    remedy = known.remedies.get(node.id, NO_REMEDY)
    return Told(
        subject=node.subject or "",
        local=local,
        would_retire=_objects(remedy.would_retire, known),
        candidates=_objects(candidates, known),
        tells_apart=_objects(remedy.tells_apart, known),
        fitting=remedy.fitting,
    )


def _objects(claim_ids: Iterable[str], known: _Known) -> tuple[str, ...]:
    """Return the distinct objects of claims, each as it was first said."""
    objects: dict[str, str] = {}
    for claim_id in claim_ids:
        said = known.nodes[claim_id].object if claim_id in known.nodes else None
        if said is not None:
            objects.setdefault(fold_text(said), said)
    return tuple(objects.values())


def _rule(policy: str, decision: RuleDecision | None) -> ExplainedRule | None:
    """Return the rule that gave a claim its target, in the words of its policy."""
    if decision is None or decision.rule is None:
        return None
    says = next((rule.says for rule in get_policy(policy).rules if rule.name == decision.rule), decision.rule)
    return ExplainedRule(policy=policy, name=decision.rule, says=says)


def _closing(node: Node, known: _Known) -> Retirement | None:
    """Return how a claim was closed, if it is."""
    winners = {name: stored.made.decision.new for name, stored in known.by_hand.items()}
    closer = _closer(node, winners)
    return None if closer is None else _retirement(_closed_as(node), closer, known)


def _closer(node: Node, winners: Mapping[str, str]) -> str | None:
    """Return what closed a node: its successor, or the winner of the contradiction that it lost."""
    return node.superseded_by or winners.get(_closed_as(node))


def _closed_as(node: Node) -> str:
    """Return the claim whose interval ends when this one does: itself, or the one that it confirms."""
    return node.confirms if node.status == "confirming" and node.confirms is not None else node.id


def _retirement(closed: str, closer: str, known: _Known) -> Retirement | None:
    claim, correction = known.nodes.get(closed), known.nodes.get(closer)
    versions = known.versions.get(closed, ())
    if claim is None or correction is None or not versions or correction.event_id not in known.events:
        return None
    decision = known.decisions.get(closer)
    target = next((found for found in decision.targets if found.claim_id == closed), None) if decision else None
    rule = None if target is None else _rule(known.policies[closer], decision)
    ends = {claim.superseded_by}
    open_before = [version for version in versions if version.valid_to is None or version.superseded_by not in ends]
    return Retirement(
        claim=claim,
        before=open_before[-1] if open_before else None,
        after=versions[-1],
        correction=correction,
        event=known.events[correction.event_id],
        rule=rule,
        match=None if target is None else target.match,
        via=None if target is None else target.via,
        trigger=None if target is None or decision is None else decision.trigger,
        says=retirement_says(rule, target),
        by_hand=decided_by_hand(known.by_hand.get(closed)),
    )


def _near_misses(node: Node, claim: Claim, decision: RuleDecision, known: _Known) -> Iterator[ExplainedNearMiss]:
    for nearness in known.remedies.get(node.id, NO_REMEDY).near_misses:
        earlier = known.nodes.get(nearness.earlier.id)
        if earlier is not None:
            closed_by = _closing(earlier, known)
            yield explained_near_miss(nearness, claim, decision, earlier=earlier, node=node, closed_by=closed_by)


def _rejected(plan: ExtractionPlan) -> tuple[ExplainedRejection, ...]:
    return tuple(
        ExplainedRejection(
            proposed=plan.extraction.claims[rejected.position],
            position=rejected.position,
            reason=rejected.reason,
            says=REJECTIONS.get(rejected.reason, rejected.reason),
        )
        for rejected in plan.rejected
    )


def _journal(reader: Reader, stored: StoredEvent, chosen: str | None) -> tuple[JournalLine, ...]:
    """Return the entries of the event, and all others that changed the interval of its note, or of one claim."""
    seqs = interval_entries(reader, stored.owner_key, chosen or note_id(stored.event.id))
    entries = journal_entries(reader, owner_key=stored.owner_key, event_id=stored.event.id, seqs=tuple(seqs))
    return tuple(map(journal_line, entries))

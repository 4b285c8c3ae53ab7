"""Explicit decisions as jobs of the writer: each checked in order, then published whole or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prme import ids
from prme.correction.correct import Correction, IntervalChange, decide
from prme.correction.note import note_interval
from prme.decisions.checks import (
    NO_EVIDENCE,
    closing_time,
    refuse_contested_equals,
    refuse_other_request,
    refuse_pair,
    refuse_states,
)
from prme.decisions.view import Operation, OwnerView
from prme.errors import ConflictError, MessageConflictError, NodeNotFoundError
from prme.model.decision import DecisionKind, ExplicitDecision, MadeDecision
from prme.model.interval import Interval
from prme.model.message import Message
from prme.model.node import Node, NodeType
from prme.model.receipt import DecisionReceipt
from prme.pipeline import store_message
from prme.publication.publish import publish_decision
from prme.store.nodes import new_note
from prme.writer import WriteSession


@dataclass(frozen=True, slots=True)
class DecisionRequest:
    """What a caller asks for: the ids of two nodes of one owner, in the order in which `ExplicitDecision` has them."""

    kind: DecisionKind
    old_id: str
    new_id: str
    actor: str
    evidence_id: str | None = None


def decide_all(session: WriteSession, requests: Sequence[DecisionRequest], *, named: bool) -> list[DecisionReceipt]:
    """Carry out decisions of one owner in order, all or none (003-18); with `named` errors tell the position.

    The job must run alone. Raises `NodeNotFoundError`, `ConflictError`, and `ValueError` for evidence.
    """
    view = OwnerView(session)
    receipts: list[DecisionReceipt] = []
    for position, request in enumerate(requests):
        try:
            receipts.append(_decide(view, request))
        except (ConflictError, NodeNotFoundError) as error:
            if not named:
                raise
            raise type(error)(f"entries[{position}]: {error}") from None
    return receipts


def store_superseding(session: WriteSession, message: Message, old_id: str) -> str:
    """Store a message as a NOTE that supersedes a note or claim, both or neither (000-01), and return its event id.

    The note's own event is the evidence. The job must run alone. Raises what `store_message` and `decide_all` raise.
    """
    event_id = store_message(session, message)
    view = OwnerView(session)
    note_id = ids.note_id(event_id)
    if event_id in session.events:
        view.add(new_note(session.events[event_id].event))
    elif view.operation(ids.operation_id("supersede", old_id, note_id)) is None:
        raise MessageConflictError(
            "this message_id belongs to a message that was stored without replacing that node: a new message needs a "
            "message_id of its own, or call supersede() with the stored note"
        )
    _decide(view, DecisionRequest("supersede", old_id, note_id, actor=message.user_id, evidence_id=event_id))
    return event_id


def _decide(view: OwnerView, request: DecisionRequest) -> DecisionReceipt:
    old, new = view.node(request.old_id), view.node(request.new_id)
    evidence_id = None if request.evidence_id is None else ids.normalise_id(request.evidence_id) or request.evidence_id
    operation_id = ids.operation_id(request.kind, old.id, new.id)
    known = view.operation(operation_id)
    if known is not None:
        refuse_other_request(known.made, actor=request.actor, evidence_id=evidence_id)
        return known.receipt.model_copy(update={"status": "duplicate"})
    refuse_pair(request.kind, old, new)
    if evidence_id is not None and not view.has_evidence(evidence_id, old.scope):
        raise ValueError(NO_EVIDENCE)
    decisions = view.session.decisions()
    refuse_states(request.kind, old, new, decisions, view.find)
    if request.kind == "supersede":
        refuse_contested_equals(view.contested_equals(old))
    newest = view.session.owner.newest_received_at
    assert newest is not None, "an owner with nodes has received events"
    decision = ExplicitDecision(
        number=decisions[-1].number + 1 if decisions else 1,
        kind=request.kind,
        old=old.id,
        new=new.id,
        at=closing_time(request.kind, old, new, decisions),
        mark=newest,
    )
    made = MadeDecision(decision, operation_id, actor=request.actor, evidence_id=evidence_id)
    return carry_out(view, made, old, new)


def carry_out(view: OwnerView, made: MadeDecision, old: Node, new: Node) -> DecisionReceipt:
    """Publish a decision that was checked, now or when it was recorded, and return its receipt."""
    session, decision = view.session, made.decision
    correction = _fold_again(view, decision, (old, new))
    changed = {change.after.node_id: change.after for change in correction.changes}
    snapshots = [(node, view.after(node, changed)) for node in (old, new)]
    now = max(session.now(), decision.mark)
    publication, receipt = publish_decision(session.owner, made, correction, snapshots, key=session.new_key(), now=now)
    session.record(publication)
    view.remember(Operation(made, receipt), correction.changes)
    if old.node_type is NodeType.NOTE and decision.kind != "contradict":
        receipt = receipt.model_copy(update={"open_claims": view.open_claims(old)})
    return receipt


def _fold_again(view: OwnerView, decision: ExplicitDecision, nodes: Sequence[Node]) -> Correction:
    """Return what a decision changes: the claims of its families that it concerns, judged again, and its notes."""
    claims = [claim for claim in map(view.claim, nodes) if claim is not None]
    decisions = (*view.session.decisions(), decision)
    notes = {}
    for node in nodes:
        if node.node_type is NodeType.NOTE:
            before = Interval(node.id, node.valid_from, node.valid_to, node.status, node.superseded_by, None)
            notes[node.id] = IntervalChange(before, note_interval(node.id, node.valid_from, decisions))
    return decide(dict(map(view.subject, claims)), decision, notes)

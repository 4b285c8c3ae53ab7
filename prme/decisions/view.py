"""The owner's nodes as one deciding job sees them: what is committed, and what the job has decided so far."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from prme import ids
from prme.correction.correct import IntervalChange, subject_key
from prme.correction.rulings import claim_identity
from prme.correction.subject import SubjectState, family_key, fold_subject
from prme.decisions.checks import OPEN
from prme.errors import NodeNotFoundError
from prme.model.claim import Claim
from prme.model.decision import MadeDecision
from prme.model.interval import Interval
from prme.model.node import Node, NodeType
from prme.model.node_state import in_state
from prme.model.receipt import DecisionReceipt
from prme.publication.publish import decision_receipt
from prme.store.decisions import StoredDecision, find_decision
from prme.store.nodes import event_nodes, find_node
from prme.store.records import find_event, find_rule_claim, journal_entries
from prme.writer import WriteSession

NOT_FOUND = "no note or claim with this id for this caller: receipts, `claims` and get_event_nodes() show ids"


@dataclass(frozen=True, slots=True)
class Operation:
    """An explicit decision that was carried out, with the receipt that its caller got."""

    made: MadeDecision
    receipt: DecisionReceipt


class OwnerView:
    """Reads for one job, which must run alone: everything else is committed."""

    def __init__(self, session: WriteSession) -> None:
        self.session = session
        self._added: dict[str, Node] = {}
        self._changed: dict[str, Interval] = {}
        self._operations: dict[str, Operation] = {}

    def add(self, note: Node) -> None:
        """Let decisions name a note that this job stores."""
        self._added[note.id] = note

    def remember(self, operation: Operation, changes: Iterable[IntervalChange]) -> None:
        """Let later decisions of the job see what this one did."""
        self._operations[operation.made.operation_id] = operation
        self._changed.update((change.after.node_id, change.after) for change in changes)

    def node(self, node_id: str) -> Node:
        """Return a note or claim of the owner as it stands. Raises `NodeNotFoundError`."""
        found = self.find(node_id)
        if found is None:
            raise NodeNotFoundError(NOT_FOUND)
        return found

    def find(self, node_id: str) -> Node | None:
        """Return a note or claim of the owner as it stands, or None."""
        session = self.session
        node = self._added.get(node_id) or find_node(session.reader, node_id, owner_key=session.owner.owner_key)
        return None if node is None else self.after(node, self._changed)

    def after(self, node: Node, changed: dict[str, Interval]) -> Node:
        """Return a node under changed intervals; what confirms another ends when that one does."""
        own = changed.get(node.id)
        if own is not None:
            node = in_state(node, own, own)
        if node.status != "confirming" or node.confirms is None:
            return node
        confirmed = self.find(node.confirms)
        if confirmed is None:
            return node
        confirmed = self.after(confirmed, changed)
        return node.model_copy(update={"valid_to": confirmed.valid_to, "superseded_by": confirmed.superseded_by})

    def claim(self, node: Node) -> Claim | None:
        """Return a claim as the rules see it, None for a note."""
        if node.node_type is NodeType.NOTE:
            return None
        return find_rule_claim(self.session.reader, self.session.owner.owner_key, node.id)

    def subject(self, claim: Claim) -> tuple[str, SubjectState]:
        """Return the folded subject that a claim belongs to, under all decisions so far, with its key."""
        key = subject_key(claim)
        if claim.subject_id is not None:
            return key, self.session.subject(claim.subject_id)
        known = self.session.owner.subjects.get(key)
        return key, fold_subject([claim], self.session.decisions()) if known is None else known

    def contested_equals(self, node: Node) -> list[Node]:
        """Return the contested claims of its family that are equal to a claim, without itself; a note has none."""
        claim = self.claim(node)
        if claim is None:
            return []
        _, subject = self.subject(claim)
        family = subject.families[family_key(claim)]
        identity = claim_identity(claim)
        return [
            self.node(other)
            for other in sorted(family.rulings.contested)
            if other != claim.id and other in family.entries and claim_identity(family.entries[other].claim) == identity
        ]

    def has_evidence(self, evidence_id: str, scope: str) -> bool:
        """Whether an id names an event of the owner and scope (003-12)."""
        wanted = ids.normalise_id(evidence_id)
        stored = None if wanted is None else self.session.find_event(wanted)
        return stored is not None and stored.event.scope == scope

    def operation(self, operation_id: str) -> Operation | None:
        """Return an operation that was carried out before."""
        if operation_id in self._operations:
            return self._operations[operation_id]
        stored = find_decision(self.session.reader, self.session.owner.owner_key, operation_id)
        return None if stored is None else Operation(stored.made, self._receipt(stored))

    def open_claims(self, note: Node) -> list[str]:
        """Return the ids of the claims of a note's message that are open: a note takes none of them along."""
        session = self.session
        stored = find_event(session.reader, note.event_id, owner_key=session.owner.owner_key)
        nodes = [] if stored is None else event_nodes(session.reader, stored)
        now = (self.after(node, self._changed) for node in nodes if node.node_type is not NodeType.NOTE)
        return [node.id for node in now if node.status in OPEN]

    def _receipt(self, stored: StoredDecision) -> DecisionReceipt:
        """Return the receipt of an earlier operation; without its journal body it no longer tells what it changed."""
        made, decision = stored.made, stored.made.decision
        owner_key = self.session.owner.owner_key
        entries = journal_entries(self.session.reader, owner_key=owner_key, seqs=(stored.seq,))
        body = json.loads(entries[0].body or "{}") if entries else {}
        old = self.find(decision.old)
        is_closed_note = old is not None and old.node_type is NodeType.NOTE and decision.kind != "contradict"
        return decision_receipt(made, body).model_copy(
            update={"open_claims": self.open_claims(old) if old is not None and is_closed_note else []}
        )

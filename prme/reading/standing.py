"""What stands of a subject and predicate family at a journal entry, and the same after later entries.

An answer needs the open claims and the newest closed ones. Both follow from what they were before and from what the
entries since then changed, so no closed claim is read again; where they do not, this says so.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from prme import ids
from prme.clock import to_microseconds
from prme.model.assertion import AssertionState, ClosedClaim
from prme.model.interval import Interval
from prme.model.node import Node, NodeType
from prme.model.node_state import in_state, last_confirmed
from prme.model.plan import ExtractionPlan, PlannedClaim
from prme.plan.codec import decode_plan
from prme.plan.nodes import planned_node
from prme.reading.assertions import (
    MOST_CLOSED,
    AssertionQuery,
    assertion_state,
    closed_claims,
    find_claim_family,
    newest_closed,
)
from prme.store.changed_nodes import OwnerChanges, has_decided_since, newest_position
from prme.store.database import LONGEST_LIST, Reader
from prme.store.standing_claims import ClaimFamily, FoldPlace, has_any_of, standing_claims

# Beyond this many journal entries reading all again is faster than following them.
MOST_FOLLOWED = 200

Placed = tuple[FoldPlace, Node]


@dataclass(frozen=True, slots=True)
class Standing:
    """The open claims of a family in the order of the fold, and its newest closed ones, up to a journal entry.

    Fewer closed ones than a state lists are all there are. `is_decided` says whether anything was ever decided by hand
    for the owner.
    """

    family: ClaimFamily
    seq: int
    is_decided: bool
    open: tuple[Placed, ...]
    closed: tuple[ClosedClaim, ...]
    state: AssertionState


def read_standing(reader: Reader, query: AssertionQuery) -> Standing | None:
    """Return what stands in a snapshot; None for an unknown owner."""
    family = find_claim_family(reader, query)
    if family is None:
        return None
    position = newest_position(reader, family.owner_key)
    kinds = None if query.node_types is None else sorted(node_type.value.lower() for node_type in query.node_types)
    placed = standing_claims(reader, family, kinds=kinds, most_closed=MOST_CLOSED)
    ended = newest_closed(node for _, node in placed if node.valid_to is not None)
    return _standing(
        family,
        0 if position is None else position.seq,
        has_decided_since(reader, family.owner_key, 0),
        [(place, node) for place, node in placed if node.valid_to is None],
        closed_claims(reader, family.owner_key, ended),
    )


def follow(
    query: AssertionQuery, standing: Standing, changes: OwnerChanges, *, reader: Reader | None
) -> Standing | None:
    """Return what stands after changes that were published since.

    None when they do not say it all, as when a claim is reopened: then everything has to be read again. Without a
    `reader` also when the database would have to say the rest.
    """
    family, newest_seq = standing.family, changes.newest_seq
    if newest_seq - standing.seq > MOST_FOLLOWED or changes.is_decided:
        return None
    plans = [decode_plan(data) for data in changes.plans]
    if _names_a_new_type(query, family, plans):
        return None
    changed = changes.intervals
    said = {claim.id: claim for plan in plans for claim in plan.claims}
    before = dict((node.id, (place, node)) for place, node in standing.open)
    not_kept = changed.keys() - before.keys() - said.keys()
    successors = {node_id: said.get(changed[node_id].superseded_by or "") for node_id in not_kept}
    concerning = {node_id for node_id, successor in successors.items() if not _is_elsewhere(family, successor)}
    if _changes_what_is_not_kept(reader, standing, concerning):
        return None
    placed = before | _new_claims(query, family, plans, changed)
    if changed.keys().isdisjoint(placed):
        return replace(standing, seq=newest_seq)
    after = [
        (place, in_state(node, changed[node.id], changed[node.id]) if node.id in changed else node)
        for place, node in placed.values()
        if node.id not in changed or changed[node.id].status != "confirming"
    ]
    ended = newest_closed(node for _, node in after if node.valid_to is not None)
    closed = _closed_claims(reader, standing, ended)
    return None if closed is None else _after(standing, newest_seq, after, closed, last_confirmed(changed.values(), {}))


def _closed_claims(reader: Reader | None, standing: Standing, ended: Sequence[Node]) -> Sequence[ClosedClaim] | None:
    """Return closed claims with what closed them; None without a reader for an owner who decided by hand."""
    if not standing.is_decided:
        return [ClosedClaim(claim=node, closed_by=node.superseded_by, how="rule") for node in ended]
    return None if reader is None else closed_claims(reader, standing.family.owner_key, ended)


def _after(
    standing: Standing,
    seq: int,
    placed: Sequence[Placed],
    new_closed: Sequence[ClosedClaim],
    confirmed: Mapping[str, datetime],
) -> Standing:
    """Return what stands when claims that were open or are new are as given, and some claims were confirmed."""
    placed = [(place, _confirmed_at(node, confirmed)) for place, node in placed]
    by_id = {
        closed.claim.id: closed.model_copy(update={"claim": _confirmed_at(closed.claim, confirmed)})
        for closed in (*standing.closed, *new_closed)
    }
    newest = newest_closed(closed.claim for closed in by_id.values())
    still_open = sorted(((place, node) for place, node in placed if node.valid_to is None), key=lambda pair: pair[0])
    closed = [by_id[node.id] for node in newest]
    return _standing(standing.family, seq, standing.is_decided, still_open, closed)


def _standing(
    family: ClaimFamily, seq: int, is_decided: bool, placed: Sequence[Placed], closed: Sequence[ClosedClaim]
) -> Standing:
    state = assertion_state([node for _, node in placed], closed)
    return Standing(family, seq, is_decided, tuple(placed), tuple(closed), state)


def _names_a_new_type(query: AssertionQuery, family: ClaimFamily, plans: Iterable[ExtractionPlan]) -> bool:
    """Whether plans list entities of a type that a name was not looked up with."""
    if query.is_about_owner:
        return False
    types = {entity.entity_type for plan in plans if plan.event.scope == family.scope for entity in plan.entities}
    named = {ids.entity_id(family.user_id, family.scope, each, query.subject) for each in types}
    return not named.issubset(family.subject_ids)


def _is_elsewhere(family: ClaimFamily, successor: PlannedClaim | None) -> bool:
    """Whether a claim is of no concern to a family because the new one that retired it is not: a rule stays in one."""
    return successor is not None and not (
        successor.subject_id in family.subject_ids and successor.predicate in family.predicates
    )


def _changes_what_is_not_kept(reader: Reader | None, standing: Standing, changed: Collection[str]) -> bool:
    """Whether one of some nodes that were neither open nor are new belongs to the family, or may.

    It was closed, or confirmed another one; where it goes, and what takes its place, only the database knows.
    """
    if not changed or reader is None or len(changed) > LONGEST_LIST:
        return bool(changed)
    return has_any_of(reader, standing.family, changed)


def _new_claims(
    query: AssertionQuery, family: ClaimFamily, plans: Iterable[ExtractionPlan], changed: Mapping[str, Interval]
) -> dict[str, Placed]:
    """Return the claims of plans that the query is about, by id, with the intervals that they have now."""
    return {
        claim.id: (_place(plan, claim), planned_node(plan.event, claim, changed[claim.id], changed[claim.id]))
        for plan in plans
        if plan.event.scope == family.scope
        for claim in plan.claims
        if claim.subject_id in family.subject_ids
        and claim.predicate in family.predicates
        and query.asks_for(NodeType.of_kind(claim.kind))
    }


def _place(plan: ExtractionPlan, claim: PlannedClaim) -> FoldPlace:
    return to_microseconds(claim.effective_at), to_microseconds(plan.event.received_at), claim.position


def _confirmed_at(node: Node, confirmed: Mapping[str, datetime]) -> Node:
    moment = confirmed.get(node.id)
    if moment is None or (node.last_confirmed_at is not None and moment <= node.last_confirmed_at):
        return node
    return node.model_copy(update={"last_confirmed_at": moment})

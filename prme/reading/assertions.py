"""Reading assertion states: what is known of one subject and predicate, and what is not known any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from prme import ids
from prme.clock import aware_or_none
from prme.grounding.mentions import FIRST_PERSON
from prme.model.assertion import AssertionState, AssertionStatus, ClosedClaim
from prme.model.node import Node, NodeType
from prme.policy.registry import predicate_family
from prme.reading.closings import closings_by_hand
from prme.reading.visible import is_in_effect
from prme.resolution import PERSON
from prme.store.database import Reader
from prme.store.nodes import subject_nodes
from prme.store.owners import find_owner
from prme.store.records import entity_types
from prme.store.standing_claims import ClaimFamily
from prme.text_folding import fold_predicate, fold_text

MOST_CLOSED = 20
_OWNER = "i"
NOTHING = AssertionState(status="unknown")


@dataclass(frozen=True, slots=True)
class AssertionQuery:
    """What is asked: a subject and a predicate family of an owner in one scope, over claims of all or some types.

    `subject` is folded, and one and the same for all first-person forms.
    """

    user_id: str
    scope: str
    subject: str
    predicates: tuple[str, ...]
    node_types: frozenset[NodeType] | None

    @property
    def is_about_owner(self) -> bool:
        """Whether the subject is the declared owner, not a name."""
        return self.subject in FIRST_PERSON

    def asks_for(self, node_type: NodeType) -> bool:
        """Whether claims of a type count."""
        return self.node_types is None or node_type in self.node_types


def assertion_query(
    *, user_id: str, subject: str, predicate: str, scope: str, node_types: Collection[NodeType] | None
) -> AssertionQuery:
    """Return what is asked. Raises `ValueError` for a blank subject or predicate."""
    named, wanted = fold_text(subject), fold_predicate(predicate)
    if not named or not wanted:
        raise ValueError("subject and predicate must not be blank: pass words such as 'I' and 'uses'")
    return AssertionQuery(
        user_id=user_id,
        scope=scope,
        subject=_OWNER if named in FIRST_PERSON else named,
        predicates=tuple(sorted(predicate_family(wanted))),
        node_types=None if node_types is None else frozenset(node_types),
    )


def find_claim_family(reader: Reader, query: AssertionQuery) -> ClaimFamily | None:
    """Return which claims a query is about, over all entity types of a name; None for an unknown owner."""
    owner_key = find_owner(reader, query.user_id)
    if owner_key is None:
        return None
    if query.is_about_owner:
        subjects = [ids.owner_identity(query.user_id, query.scope)]
    else:
        # A speaker is a person, whether or not an extraction ever listed that name.
        types = {PERSON, *entity_types(reader, owner_key, query.scope)}
        subjects = sorted(ids.entity_id(query.user_id, query.scope, each, query.subject) for each in types)
    return ClaimFamily(owner_key, query.user_id, query.scope, tuple(subjects), query.predicates)


def read_assertion_state(
    reader: Reader, query: AssertionQuery, *, valid_at: datetime | None = None, known_at: datetime | None = None
) -> AssertionState:
    """Return what is known, from all claims that the query is about; an unknown owner or subject is `unknown`.

    Raises `ValueError` for a time without a zone.
    """
    valid_at, known_at = aware_or_none(valid_at, "valid_at"), aware_or_none(known_at, "known_at")
    family = find_claim_family(reader, query)
    if family is None:
        return NOTHING
    nodes = [
        node
        for node in subject_nodes(
            reader,
            family.owner_key,
            family.user_id,
            family.scope,
            family.subject_ids,
            family.predicates,
            known_at=known_at,
        )
        if node.status != "confirming" and query.asks_for(node.node_type)
    ]
    ended = newest_closed(node for node in nodes if _has_ended(node, valid_at))
    standing = [node for node in nodes if _stands(node, valid_at)]
    return assertion_state(standing, closed_claims(reader, family.owner_key, ended, known_at=known_at))


def assertion_state(standing: Sequence[Node], closed: Sequence[ClosedClaim]) -> AssertionState:
    """Return the state of claims that stand, in the order of the fold, and the newest closed ones."""
    claims = [node for node in standing if _is_known(node) and node.polarity == "positive"]
    denied = [node for node in standing if _is_known(node) and node.polarity == "negative"]
    known = {node.id for node in (*claims, *denied)}
    return AssertionState(
        status=_status(claims, denied),
        claims=tuple(_one_per_value(claims)),
        denied=tuple(denied),
        uncertain=tuple(node for node in standing if node.id not in known),
        closed=tuple(closed),
    )


def newest_closed(ended: Iterable[Node]) -> list[Node]:
    """Return the newest of some closed claims, the last closed first."""
    ranked = sorted(ended, key=lambda node: (node.valid_to or node.valid_from, node.valid_from, node.id), reverse=True)
    return ranked[:MOST_CLOSED]


def closed_claims(
    reader: Reader, owner_key: int, closed: Sequence[Node], *, known_at: datetime | None = None
) -> list[ClosedClaim]:
    """Return closed claims, in the same order, each with what closed it."""
    by_hand = closings_by_hand(reader, owner_key, closed, known_at=known_at)
    found = []
    for node in closed:
        stored = by_hand.get(node.id)
        if stored is None:
            found.append(ClosedClaim(claim=node, closed_by=node.superseded_by, how="rule"))
        else:
            found.append(ClosedClaim(claim=node, closed_by=stored.made.decision.new, how="explicit"))
    return found


def _has_ended(node: Node, valid_at: datetime | None) -> bool:
    return node.valid_to is not None and (valid_at is None or node.valid_to <= valid_at)


def _stands(node: Node, valid_at: datetime | None) -> bool:
    return node.valid_to is None if valid_at is None else is_in_effect(node, valid_at)


def _is_known(node: Node) -> bool:
    return node.epistemic_type in ("observed", "asserted") and node.condition is None


def _value(node: Node) -> str:
    return fold_text(node.object or "")


def _one_per_value(claims: Iterable[Node]) -> list[Node]:
    """Return the first claim of each value; of equal ones a contested one stands for all, so that it is seen."""
    chosen: dict[str, Node] = {}
    for node in claims:
        held = chosen.setdefault(_value(node), node)
        if node.status == "contested" and held.status != "contested":
            chosen[_value(node)] = node
    return list(chosen.values())


def _family(node: Node) -> tuple[object, ...]:
    """Return what a claim shares with those of its family that say the same of its object."""
    return (node.subject_id, node.source_type, node.node_type, _value(node))


def _status(claims: Sequence[Node], denied: Sequence[Node]) -> AssertionStatus:
    if any(node.status == "contested" for node in claims) or not {*map(_family, claims)}.isdisjoint(
        map(_family, denied)
    ):
        return "contested"
    values = _one_per_value(claims)
    if len(values) != 1:
        return "multiple" if values else "unknown"
    said_again = len(claims) > 1 or claims[0].last_confirmed_at is not None
    return "consistent" if said_again else "single"

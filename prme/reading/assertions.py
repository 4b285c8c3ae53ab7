"""Reading assertion states: what is known of one subject and predicate, and what is not known any more."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
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
from prme.store.records import entity_types, find_owner
from prme.text_folding import fold_predicate, fold_text

MOST_CLOSED = 20
NOTHING = AssertionState(status="unknown")


def read_assertion_state(
    reader: Reader,
    *,
    user_id: str,
    subject: str,
    predicate: str,
    scope: str,
    valid_at: datetime | None = None,
    known_at: datetime | None = None,
    node_types: Collection[NodeType] | None = None,
) -> AssertionState:
    """Return what is known of a subject and predicate family; an unknown owner or subject is `unknown`.

    `subject` is one of the five first-person forms, for the declared owner, or a name, over all its entity types.
    Raises `ValueError` for a blank subject or predicate and for a time without a zone.
    """
    valid_at, known_at = aware_or_none(valid_at, "valid_at"), aware_or_none(known_at, "known_at")
    wanted = fold_predicate(predicate)
    if not fold_text(subject) or not wanted:
        raise ValueError("subject and predicate must not be blank: pass words such as 'I' and 'uses'")
    owner_key = find_owner(reader, user_id)
    if owner_key is None:
        return NOTHING
    subjects = _subject_ids(reader, owner_key, user_id, scope, subject)
    nodes = [
        node
        for node in subject_nodes(
            reader, owner_key, user_id, scope, subjects, sorted(predicate_family(wanted)), known_at=known_at
        )
        if node.status != "confirming" and (node_types is None or node.node_type in node_types)
    ]
    ended = [node for node in nodes if _has_ended(node, valid_at)]
    standing = [node for node in nodes if _stands(node, valid_at)]
    claims = [node for node in standing if _is_known(node) and node.polarity == "positive"]
    denied = [node for node in standing if _is_known(node) and node.polarity == "negative"]
    known = {node.id for node in (*claims, *denied)}
    return AssertionState(
        status=_status(claims, denied),
        claims=tuple(_one_per_value(claims)),
        denied=tuple(denied),
        uncertain=tuple(node for node in standing if node.id not in known),
        closed=_closed(reader, owner_key, ended, known_at),
    )


def _subject_ids(reader: Reader, owner_key: int, user_id: str, scope: str, subject: str) -> list[str]:
    if fold_text(subject) in FIRST_PERSON:
        return [ids.owner_identity(user_id, scope)]
    # A speaker is a person, whether or not an extraction ever listed that name.
    types = {PERSON, *entity_types(reader, owner_key, scope)}
    return sorted(ids.entity_id(user_id, scope, entity_type, subject) for entity_type in types)


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


def _closed(
    reader: Reader, owner_key: int, ended: Sequence[Node], known_at: datetime | None
) -> tuple[ClosedClaim, ...]:
    """Return the newest closed claims, the last closed first, each with what closed it."""
    newest = sorted(ended, key=lambda node: (node.valid_to or node.valid_from, node.valid_from, node.id))
    newest = newest[: -MOST_CLOSED - 1 : -1]
    by_hand = closings_by_hand(reader, owner_key, newest, known_at=known_at)
    closed = []
    for node in newest:
        stored = by_hand.get(node.id)
        if stored is None:
            closed.append(ClosedClaim(claim=node, closed_by=node.superseded_by, how="rule"))
        else:
            closed.append(ClosedClaim(claim=node, closed_by=stored.made.decision.new, how="explicit"))
    return tuple(closed)

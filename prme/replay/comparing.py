"""Comparing states: the first owner, the first note or claim, and the fields in which two stores differ. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from prme.model.export import FieldDifference, StateDifference
from prme.model.node import Node
from prme.publication.snapshots import node_document
from prme.verification import UNDIGESTED


def digest_difference(here: Mapping[str, str], there: Mapping[str, str]) -> StateDifference | None:
    """Return the first owner, by id, whose state digest is another one there, or None."""
    for user_id in sorted(here.keys() | there.keys()):
        if here.get(user_id) != there.get(user_id):
            return StateDifference(user_id=user_id, here=here.get(user_id), there=there.get(user_id))
    return None


def state_difference(
    here: Mapping[str, str],
    there: Mapping[str, str],
    nodes: Callable[[str], Iterable[Node]],
    other_nodes: Callable[[str], Iterable[Node]],
) -> StateDifference | None:
    """Return the first difference of two states, down to the fields of the first note or claim that differs, or None.

    `nodes` and `other_nodes` give all notes and claims of an owner on either side.
    """
    found = digest_difference(here, there)
    if found is None:
        return None
    mine, others = (
        {node.id: node_document(node, without=UNDIGESTED) for node in side(found.user_id)}
        for side in (nodes, other_nodes)
    )
    for node_id in sorted(mine.keys() | others.keys()):
        one, other = mine.get(node_id, {}), others.get(node_id, {})
        if one != other:
            fields = tuple(
                FieldDifference(field=name, here=one.get(name), there=other.get(name))
                for name in {**one, **other}
                if one.get(name) != other.get(name)
            )
            return found.model_copy(update={"node_id": node_id, "fields": fields})
    return found

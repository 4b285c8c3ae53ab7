"""Which rows a search may return: one expression gives the reason why a row is left out, and NULL when it is not.

It stands in the where clause of the ranking, so rows that are left out never take a place (001-34 to 001-36).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from prme.clock import to_microseconds
from prme.model.retrieval import RetrieveRequest

OPEN = "('current', 'contested')"


@dataclass(frozen=True, slots=True)
class Eligibility:
    """An SQL expression over the rows `n` of nodes, with its named parameters.

    `state` names what holds interval and status: the nodes themselves, or the table `known`, which `joined` brings in.
    """

    reason: str
    state: str
    joined: str
    parameters: dict[str, Any]


def eligibility(request: RetrieveRequest, *, as_known: bool = False) -> Eligibility:
    """Return why a row is left out, as SQL.

    What the caller filters by comes first: only a row that was asked for can be found but stale. With `as_known` the
    table `known` holds the states, and nodes that it lacks do not exist yet.
    """
    state = "known" if as_known else "n"
    parameters: dict[str, Any] = {}
    cases: list[str] = []
    if request.scope is not None:
        parameters["scope"] = request.scope
        cases.append("when n.scope <> :scope then 'scope'")
    if request.exclude_node_types:
        names = _named("type", request.exclude_node_types, parameters)
        cases.append(f"when n.node_type in ({names}) then 'node_type'")
    if request.source_types is not None:
        names = _named("source", request.source_types, parameters)
        cases.append(f"when n.source_type not in ({names}) then 'source_type'")
    cases.append(f"when {state}.status = 'confirming' then 'confirming'")
    if request.valid_at is not None:
        parameters["valid_at"] = to_microseconds(request.valid_at)
        cases.append(
            f"when {state}.valid_from > :valid_at or ({state}.valid_to is not null and {state}.valid_to <= :valid_at) "
            "then 'not_in_effect'"
        )
    elif not request.include_superseded:
        cases.append(f"when {state}.status = 'deprecated' then 'deprecated'")
        cases.append(f"when {state}.valid_to is not null or {state}.status not in {OPEN} then 'superseded'")
    if not request.include_contested:
        cases.append(f"when {state}.status = 'contested' then 'contested'")
    joined = "cross join known on known.rowid = n.rowid" if as_known else ""
    return Eligibility(f"case {' '.join(cases)} end", state, joined, parameters)


def _named(name: str, values: frozenset[Any], parameters: dict[str, Any]) -> str:
    """Bind values under numbered names and return their list."""
    bound = {f"{name}{number}": str(value) for number, value in enumerate(sorted(values))}
    parameters.update(bound)
    return ", ".join(f":{key}" for key in bound)

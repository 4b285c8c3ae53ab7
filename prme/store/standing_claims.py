"""Reading what stands of a subject and predicate family, however many of its claims are closed."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from prme.model.node import Node
from prme.store.database import Reader
from prme.store.nodes import CLAIM_COLUMNS, claim_nodes

# Where a claim stands in the order of the fold: when it took effect and was received (microseconds), its position.
FoldPlace = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class ClaimFamily:
    """Which claims of an owner are meant: those of some subjects with some predicates, in one scope."""

    owner_key: int
    user_id: str
    scope: str
    subject_ids: tuple[str, ...]
    predicates: tuple[str, ...]

    def condition(self) -> tuple[str, list[int | str]]:
        """Return the condition that their rows in `claims` meet, and its parameters."""
        subjects, named = (", ".join("?" for _ in chosen) for chosen in (self.subject_ids, self.predicates))
        return (
            f"owner_key = ? and scope = ? and subject_id in ({subjects}) and predicate in ({named})",
            [self.owner_key, self.scope, *self.subject_ids, *self.predicates],
        )


def standing_claims(
    reader: Reader, family: ClaimFamily, *, kinds: Collection[str] | None, most_closed: int
) -> list[tuple[FoldPlace, Node]]:
    """Return the open claims of a family and its newest closed ones, in the order of the fold.

    Claims that only confirm another one are left out; `kinds` keeps those of some kinds. Nothing of any other claim
    leaves the database.
    """
    condition, parameters = family.condition()
    of_kinds = "" if kinds is None else f" and kind in ({', '.join('?' for _ in kinds) or 'null'})"
    # The outer join keeps a claim that has lost its interval: reading its node says so.
    rows = reader.query(
        f"""
        with versions as (
            select c.claim_id, i.valid_from, i.valid_to, i.status,
                row_number() over (partition by c.claim_id order by i.seq desc) as age
            from (select owner_key, claim_id from claims where {condition}{of_kinds}) c
            left join intervals i on i.owner_key = c.owner_key and i.node_id = c.claim_id
        ), ranked as (
            select claim_id, valid_to, row_number() over (
                partition by case when valid_to is null then 0 else 1 end
                order by valid_to desc, valid_from desc, claim_id desc
            ) as place
            from versions where age = 1 and status is distinct from 'confirming'
        )
        select {CLAIM_COLUMNS}, effective_at, received_at from claims
        where owner_key = ? and claim_id in (select claim_id from ranked where valid_to is null or place <= ?)
        order by effective_at, received_at, position
        """,
        [*parameters, *(kinds or ()), family.owner_key, most_closed],
    )
    nodes = claim_nodes(reader, family.owner_key, family.user_id, [row[:-2] for row in rows])
    return [((row[-2], row[-1], row[3]), node) for row, node in zip(rows, nodes, strict=True)]


def has_any_of(reader: Reader, family: ClaimFamily, node_ids: Collection[str]) -> bool:
    """Whether some of the given nodes are claims of a family."""
    condition, parameters = family.condition()
    chosen = ", ".join("?" for _ in node_ids)
    sql = f"select 1 from claims where {condition} and claim_id in ({chosen}) limit 1"
    return bool(reader.query(sql, [*parameters, *node_ids]))

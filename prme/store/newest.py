"""The newest claims of an owner, without reading all of them."""

from __future__ import annotations

from prme.store.database import Reader


def newest_current(reader: Reader, owner_key: int, scope: str | None, *, limit: int) -> tuple[list[str], int]:
    """Return the ids of an owner's newest open, uncontested claims, at most `limit`, and how many there are in all.

    Newest first by effective time, then by id; of one scope, or of all.
    """
    chosen, scopes = ("", []) if scope is None else (" and c.scope = ?", [scope])
    rows = reader.query(
        f"""
        select n.node_id, count(*) over () from (
            select distinct on (node_id) node_id, valid_from, valid_to, status
            from intervals where owner_key = ? order by node_id, seq desc
        ) n join claims c on c.owner_key = ? and c.claim_id = n.node_id
        where n.valid_to is null and n.status = 'current'{chosen}
        order by n.valid_from desc, n.node_id limit ?
        """,
        [owner_key, owner_key, *scopes, limit],
    )
    return [row[0] for row in rows], int(rows[0][1]) if rows else 0

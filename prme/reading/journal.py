"""Reading the journal: its heads, and its entries as callers see them."""

from __future__ import annotations

from prme.model.explanation import JournalLine
from prme.store.database import Reader
from prme.store.owners import find_owner, owner_record, owners
from prme.store.records import StoredEntry, journal_entries


def journal_heads(reader: Reader, user_id: str | None) -> dict[str, JournalLine]:
    """Return the newest journal entry of an owner, or of all owners, by user id; an unknown owner has none."""
    heads: dict[str, JournalLine] = {}
    wanted = owners(reader) if user_id is None else [(find_owner(reader, user_id), user_id)]
    for owner_key, owner in wanted:
        if owner_key is None:
            continue
        last = owner_record(reader, owner_key).seq
        for entry in journal_entries(reader, owner_key=owner_key, seqs=(last,)):
            heads[owner] = journal_line(entry)
    return heads


def journal_line(entry: StoredEntry) -> JournalLine:
    """Return what callers see of a journal entry: everything but its body."""
    return JournalLine(
        seq=entry.seq,
        kind=entry.kind,
        recorded_at=entry.recorded_at,
        digest=entry.digest,
    )

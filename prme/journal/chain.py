"""The hash chains: one per owner over its entries, one per store over its commits.

A body enters its owner's chain only through a keyed commitment. Once body and key are erased the chain still holds, and
nothing confirms a guess of what the body said.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

from prme.canonical import canonical_document

JournalKind = Literal[
    "NOTE_STORED",
    "EXTRACTION_PENDING",
    "EXTRACTION_FAILED",
    "PLAN_PUBLISHED",
    "SUPERSEDENCE_APPLIED",
    "CONTRADICTION_NOTED",
    "CONTRADICTION_RESOLVED",
]

GENESIS = "0" * 64
KEY_BYTES = 32


class JournalHead(NamedTuple):
    """The last entry of an owner's chain: its sequence number (0 for none) and digest."""

    seq: int
    digest: str


EMPTY_HEAD = JournalHead(seq=0, digest=GENESIS)


class JournalEntry(NamedTuple):
    """One entry as it is stored; `body` is canonical JSON text and `commitment_key` is hex."""

    seq: int
    kind: str
    event_id: str | None
    commitment: str
    previous: str
    digest: str
    commitment_key: str
    body: str

    @property
    def head(self) -> JournalHead:
        """The chain's head once this entry is its last."""
        return JournalHead(self.seq, self.digest)


def append_entry(
    head: JournalHead, *, user_id: str, kind: JournalKind, event_id: str | None, body: dict[str, Any], key: bytes
) -> JournalEntry:
    """Return the entry that follows `head`. `key` is 32 random bytes that belong to this entry alone.

    `event_id` is None for an entry that no message caused.
    """
    text = canonical_document(body)
    commitment = commit_to(text, key)
    seq = head.seq + 1
    return JournalEntry(
        seq=seq,
        kind=kind,
        event_id=event_id,
        commitment=commitment,
        previous=head.digest,
        digest=entry_digest(user_id, seq, kind, commitment, head.digest),
        commitment_key=key.hex(),
        body=text.decode("utf-8"),
    )


def commit_to(body: bytes, key: bytes) -> str:
    """Return the commitment to a canonical body: HMAC-SHA256 as hex."""
    return hmac.digest(key, body, "sha256").hex()


def entry_digest(user_id: str, seq: int, kind: str, commitment: str, previous: str) -> str:
    """Return the digest of an entry: SHA-256 over the RFC 8785 array of what the chain covers."""
    return hashlib.sha256(canonical_document([user_id, seq, kind, commitment, previous])).hexdigest()


def commit_digest(commit_no: int, previous: str, entries: Iterable[tuple[int, int, str]]) -> str:
    """Return the digest of a commit over its number, the commit before, and (owner key, seq, digest) of its entries."""
    listed = [list(entry) for entry in entries]
    return hashlib.sha256(canonical_document([commit_no, previous, listed])).hexdigest()

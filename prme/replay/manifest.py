"""The manifest: what an export holds of each owner, so that what is missing is noticed, and states can be compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import Any

from prme.canonical import DIGEST_PREFIX
from prme.model.export import ExportManifest, OwnerManifest
from prme.records.writing import MANIFEST_FORMAT, encode_record


def records_digest(checksums: Iterable[str]) -> str:
    """Return the digest over the checksums of an owner's records: events in the order received, then decisions."""
    digest = hashlib.sha256()
    for checksum in checksums:
        digest.update(f"{checksum}\n".encode())
    return DIGEST_PREFIX + digest.hexdigest()


def make_manifest(owners: Iterable[OwnerManifest]) -> tuple[bytes, ExportManifest]:
    """Return the canonical bytes of the manifest of some owners, in the order given, and the manifest."""
    listed = tuple(owners)
    counts = {name: sum(getattr(owner, name) for owner in listed) for name in ("events", "plans", "decisions")}
    document: dict[str, Any] = {
        **counts,
        "format": MANIFEST_FORMAT,
        "owners": [owner.model_dump() for owner in listed],
    }
    data, checksum = encode_record(document)
    return data, ExportManifest(format=MANIFEST_FORMAT, owners=listed, checksum=checksum, **counts)

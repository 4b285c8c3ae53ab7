"""Exporting: every event, plan and decision by hand of a store, owner by owner, as records."""

from __future__ import annotations

from prme.errors import StoreCorruptError
from prme.model.export import ExportManifest, OwnerManifest
from prme.records.writing import decision_record, event_record
from prme.replay.manifest import make_manifest, records_digest
from prme.replay.targets import Target
from prme.store.database import Reader
from prme.store.decisions import explicit_decisions
from prme.store.exported import EventWithPlan, events_with_plans
from prme.store.nodes import owner_nodes
from prme.store.owners import owners
from prme.verification import state_digest


def export_records(reader: Reader, target: Target, *, user_id: str | None = None) -> ExportManifest:
    """Write the records of one owner or of all, and the manifest, and return the manifest.

    `reader` must be a snapshot. The same content gives the same bytes: owners come in order of their ids, the events of
    one in the order received, then its decisions by number. Raises `StoreCorruptError` when a plan has been lost.
    """
    listed = [
        _export_owner(reader, target, owner_key, owner)
        for owner_key, owner in owners(reader)
        if user_id is None or owner == user_id
    ]
    data, manifest = make_manifest(listed)
    target.write_manifest(data)
    return manifest


def _export_owner(reader: Reader, target: Target, owner_key: int, user_id: str) -> OwnerManifest:
    checksums: list[str] = []
    events = plans = 0
    for found in events_with_plans(reader, owner_key):
        events += 1
        plans += found.plan is not None
        checksum, data = _record(found)
        checksums.append(checksum)
        target.write_event(user_id, events, found.stored.event.id, data)
    decisions = explicit_decisions(reader, owner_key)
    for stored in decisions:
        data, checksum = decision_record(user_id, stored.made)
        checksums.append(checksum)
        target.write_decision(user_id, stored.made.decision.number, data)
    return OwnerManifest(
        user_id=user_id,
        events=events,
        plans=plans,
        decisions=len(decisions),
        state_digest=state_digest(owner_nodes(reader, owner_key, user_id)),
        records_digest=records_digest(checksums),
    )


def _record(found: EventWithPlan) -> tuple[str, bytes]:
    if found.plan is not None:
        return found.plan
    if found.stored.kind == "ingest" and found.work is None:
        raise StoreCorruptError(
            "an ingested event has neither a plan nor a word on its extraction: run `prme verify`, and export from a "
            "backup"
        )
    data, checksum = event_record(found.stored, None if found.stored.kind == "store" else found.work)
    return checksum, data

"""What a caller closed by hand, as explanations tell it."""

from __future__ import annotations

from prme.explanation.wording import BY_HAND
from prme.model.explanation import DecidedByHand, ExplainedNote, Retirement
from prme.reading import closings_by_hand
from prme.store.database import Reader
from prme.store.decisions import StoredDecision
from prme.store.nodes import find_nodes, find_notes, interval_versions
from prme.store.records import StoredEvent, find_event


def decided_by_hand(stored: StoredDecision | None) -> DecidedByHand | None:
    """Return an explicit decision as an explanation shows it."""
    if stored is None:
        return None
    made = stored.made
    return DecidedByHand(
        operation_id=made.operation_id,
        kind=made.decision.kind,
        actor=made.actor,
        evidence_id=made.evidence_id,
        decided_at=stored.recorded_at,
    )


def explained_note(reader: Reader, stored: StoredEvent) -> ExplainedNote | None:
    """Return the NOTE of an event, with the decision that closed it, if one did."""
    owner_key, event = stored.owner_key, stored.event
    found = find_notes(reader, owner_key, event.user_id, [event.id])
    if not found:
        return None
    [note] = found.values()
    decision = closings_by_hand(reader, owner_key, [note]).get(note.id)
    if decision is None:
        return ExplainedNote(node=note)
    stands_id = decision.made.decision.new
    stands = find_nodes(reader, owner_key, event.user_id, [stands_id])[stands_id]
    source = find_event(reader, stands.event_id, owner_key=owner_key)
    assert source is not None, "a node is stored with its event"
    *before, after = interval_versions(reader, owner_key, note.id)
    closing = Retirement(
        claim=note,
        before=before[-1],
        after=after,
        correction=stands,
        event=source.event,
        rule=None,
        match=None,
        via=None,
        trigger=None,
        says=BY_HAND,
        by_hand=decided_by_hand(decision),
    )
    return ExplainedNote(node=note, closed_by=closing)

"""Reading an owner's events for an export: page by page in the order received, each with its plan or its work."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from prme.clock import to_microseconds
from prme.store.database import Reader
from prme.store.records import StoredEvent, WorkState, find_events

EVENTS_PER_PAGE = 500


@dataclass(frozen=True, slots=True)
class EventWithPlan:
    """A stored event with the bytes of its plan, or without a plan and with the newest word on its extraction."""

    stored: StoredEvent
    plan: tuple[str, bytes] | None
    work: WorkState | None


def events_with_plans(reader: Reader, owner_key: int) -> Iterator[EventWithPlan]:
    """Yield an owner's events in the order received; one page of them is held at a time. Plans come with checksums."""
    after: int | None = None
    while True:
        rows = reader.query(
            f"""
            select e.event_id, p.checksum, p.document from events e
            left join plans p on p.owner_key = e.owner_key and p.event_id = e.event_id
            where e.owner_key = ?{"" if after is None else " and e.received_at > ?"}
            order by e.received_at limit ?
            """,
            [owner_key, *(() if after is None else (after,)), EVENTS_PER_PAGE],
        )
        if not rows:
            return
        events = find_events(reader, owner_key, [row[0] for row in rows])
        works = _works(reader, owner_key, [event_id for event_id, checksum, _ in rows if checksum is None])
        for event_id, checksum, document in rows:
            plan = None if checksum is None else (checksum, document.encode("utf-8"))
            yield EventWithPlan(events[event_id], plan, works.get(event_id))
        after = to_microseconds(events[rows[-1][0]].event.received_at)


def _works(reader: Reader, owner_key: int, event_ids: list[str]) -> dict[str, WorkState]:
    if not event_ids:
        return {}
    marks = ", ".join("?" for _ in event_ids)
    rows = reader.query(
        f"""
        select distinct on (event_id) event_id, state, reason_code, policy, speaker_references from work
        where owner_key = ? and event_id in ({marks}) order by event_id, seq desc
        """,
        [owner_key, *event_ids],
    )
    return {row[0]: WorkState(*row[1:]) for row in rows}

"""Reading single records: owners, events, plans, work, journal entries, and the claims of a subject."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from prme.clock import from_microseconds, to_microseconds
from prme.model.claim import Claim, Evidence, folded_texts
from prme.model.message import Event, EventKind, SourceType
from prme.model.receipt import UnfinishedMessages
from prme.store.database import LONGEST_LIST, Reader
from prme.store.rows import Row

_EVENT_COLUMNS = """
    o.owner_key, o.user_id, e.kind, e.event_id, e.scope, e.role, e.content, e.content_digest, e.session_id,
    e.message_id, e.speaker, e.first_person_owner, e.occurred_at, e.received_at, e.metadata
"""
_EVENTS = f"select {_EVENT_COLUMNS} from events e join owners o on o.owner_key = e.owner_key"
_UNFINISHED = """
    select owner_key, event_id, state from (
        select owner_key, event_id, state, row_number() over (partition by owner_key, event_id order by seq desc) as n
        from work
    ) newest
    where n = 1 and not exists (
        select 1 from plans p where p.owner_key = newest.owner_key and p.event_id = newest.event_id
    )
"""
_RULE_CLAIMS = """
    select claim_id, event_id, position, policy, scope, source_type, kind, subject_id, predicate, object, polarity,
        epistemic_type, condition, temporal_intent, replaces_object, effective_at, received_at,
        trigger_start, trigger_end, trigger_quote
    from claims
"""
_ENTRY_COLUMNS = """
    owner_key, seq, commit_no, kind, event_id, recorded_at, commitment, previous, digest, commit_digest,
    commitment_key, body
"""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    """An event with its owner's key and the call that stored it."""

    owner_key: int
    kind: EventKind
    event: Event


@dataclass(frozen=True, slots=True)
class StoredExtraction:
    """A saved extraction with everything that a plan needs to be prepared again."""

    policy: str
    extractor_name: str
    extractor_model: str
    prompt_digest: str | None
    speaker_references: bool
    body: str


@dataclass(frozen=True, slots=True)
class WorkState:
    """The newest word on an event's extraction: `pending` or `failed`, why, and under which policy and options."""

    state: str
    reason_code: str | None
    policy: str
    speaker_references: bool


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """A journal entry as it is stored."""

    owner_key: int
    seq: int
    commit_no: int
    kind: str
    event_id: str | None
    recorded_at: datetime
    commitment: str
    previous: str
    digest: str
    commit_digest: str
    commitment_key: str | None
    body: str | None


def find_event(reader: Reader, event_id: str, *, owner_key: int | None = None) -> StoredEvent | None:
    """Return an event by id, of one owner when `owner_key` is given."""
    if owner_key is None:
        rows = reader.query(f"{_EVENTS} where e.event_id = ?", [event_id])
    else:
        rows = reader.query(f"{_EVENTS} where e.owner_key = ? and e.event_id = ?", [owner_key, event_id])
    return _stored_event(rows[0]) if rows else None


def find_events(reader: Reader, owner_key: int, event_ids: Sequence[str]) -> dict[str, StoredEvent]:
    """Return those of the given events that an owner has, by id."""
    found: dict[str, StoredEvent] = {}
    for start in range(0, len(event_ids), LONGEST_LIST):
        chunk = event_ids[start : start + LONGEST_LIST]
        marks = ", ".join("?" for _ in chunk)
        for row in reader.query(f"{_EVENTS} where e.owner_key = ? and e.event_id in ({marks})", [owner_key, *chunk]):
            stored = _stored_event(row)
            found[stored.event.id] = stored
    return found


def event_ids(reader: Reader, owner_key: int) -> set[str]:
    """Return the ids of all events of an owner."""
    return {row[0] for row in reader.query("select event_id from events where owner_key = ?", [owner_key])}


def owner_events(reader: Reader, owner_key: int) -> list[StoredEvent]:
    """Return all events of an owner, in the order in which they were received."""
    rows = reader.query(f"{_EVENTS} where e.owner_key = ? order by e.received_at", [owner_key])
    return [_stored_event(row) for row in rows]


def events_after(reader: Reader, owner_key: int, seq: int) -> list[Event]:
    """Return the owner's events that were stored after a journal entry."""
    rows = reader.query(f"{_EVENTS} where e.owner_key = ? and e.seq > ?", [owner_key, seq])
    return [_stored_event(row).event for row in rows]


def inserted_event(user_id: str, row: Row) -> Event:
    """Return the event of a row of `events` as a transaction inserts it."""
    owner_key, event_id, _, kind, *rest = row
    return _stored_event((owner_key, user_id, kind, event_id, *rest)).event


def session_events(reader: Reader, stored: StoredEvent, *, limit: int) -> list[Event]:
    """Return the events of the same session that were received before a stored one: the newest, oldest first."""
    event = stored.event
    rows = reader.query(
        f"""
        {_EVENTS} where e.owner_key = ? and e.scope = ? and e.session_id = ? and e.received_at < ?
        order by e.received_at desc limit ?
        """,
        [stored.owner_key, event.scope, event.session_id, to_microseconds(event.received_at), limit],
    )
    return [_stored_event(row).event for row in reversed(rows)]


def subject_claims(reader: Reader, owner_key: int, subject_id: str) -> list[Claim]:
    """Return all claims of a subject as the correction rules see them."""
    rows = reader.query(f"{_RULE_CLAIMS} where owner_key = ? and subject_id = ?", [owner_key, subject_id])
    return [_rule_claim(row) for row in rows]


def find_rule_claim(reader: Reader, owner_key: int, claim_id: str) -> Claim | None:
    """Return one claim as the correction rules see it, or None."""
    rows = reader.query(f"{_RULE_CLAIMS} where owner_key = ? and claim_id = ?", [owner_key, claim_id])
    return _rule_claim(rows[0]) if rows else None


def owner_claims(reader: Reader, owner_key: int) -> list[Claim]:
    """Return all claims of an owner as the correction rules see them."""
    return [_rule_claim(row) for row in reader.query(f"{_RULE_CLAIMS} where owner_key = ?", [owner_key])]


def plan_data(reader: Reader, owner_key: int, event_id: str) -> bytes | None:
    """Return the saved bytes of an event's plan, or None."""
    rows = reader.query("select document from plans where owner_key = ? and event_id = ?", [owner_key, event_id])
    return rows[0][0].encode("utf-8") if rows else None


def has_plan(reader: Reader, owner_key: int, event_id: str) -> bool:
    """Whether an event of an owner has a plan."""
    rows = reader.query("select 1 from plans where owner_key = ? and event_id = ?", [owner_key, event_id])
    return bool(rows)


def owner_plans(reader: Reader, owner_key: int) -> list[tuple[str, str, bytes]]:
    """Return (event id, recorded checksum, saved bytes) of all plans of an owner."""
    rows = reader.query("select event_id, checksum, document from plans where owner_key = ?", [owner_key])
    return [(event_id, checksum, document.encode("utf-8")) for event_id, checksum, document in rows]


def published_events(reader: Reader, owner_key: int) -> set[str]:
    """Return the events of an owner that have a published plan according to the journal."""
    rows = reader.query("select event_id from journal where owner_key = ? and kind = 'PLAN_PUBLISHED'", [owner_key])
    return {row[0] for row in rows}


def find_extraction(reader: Reader, owner_key: int, event_id: str) -> StoredExtraction | None:
    """Return the saved extraction of an event, or None."""
    rows = reader.query(
        """
        select policy, extractor_name, extractor_model, prompt_digest, speaker_references, body
        from extractions where owner_key = ? and event_id = ?
        """,
        [owner_key, event_id],
    )
    return StoredExtraction(*rows[0]) if rows else None


def work_state(reader: Reader, owner_key: int, event_id: str) -> WorkState | None:
    """Return the newest word on an event's extraction, or None when none was ever waited for."""
    rows = reader.query(
        """
        select state, reason_code, policy, speaker_references from work
        where owner_key = ? and event_id = ? order by seq desc limit 1
        """,
        [owner_key, event_id],
    )
    return WorkState(*rows[0]) if rows else None


def unfinished_events(reader: Reader, *, state: str) -> list[StoredEvent]:
    """Return the events whose extraction is in a state and that have no plan, in the order they were received."""
    rows = reader.query(
        f"""
        {_EVENTS} join ({_UNFINISHED}) w on w.owner_key = e.owner_key and w.event_id = e.event_id
        where w.state = ? order by e.received_at, e.event_id
        """,
        [state],
    )
    return [_stored_event(row) for row in rows]


def unfinished_counts(reader: Reader) -> UnfinishedMessages:
    """Return how many events have no plan, by the state of their extraction."""
    counts: dict[str, int] = dict(reader.query(f"select state, count(*) from ({_UNFINISHED}) w group by state"))
    return UnfinishedMessages(pending=counts.get("pending", 0), failed=counts.get("failed", 0))


def journal_entries(
    reader: Reader, *, owner_key: int | None = None, event_id: str | None = None, seqs: Sequence[int] = ()
) -> list[StoredEntry]:
    """Return journal entries in order of owner and sequence: all, an owner's, an event's, or those of given numbers."""
    where: list[str] = ["true"]
    parameters: list[int | str | None] = []
    if owner_key is not None:
        where.append("owner_key = ?")
        parameters.append(owner_key)
    if event_id is not None or seqs:
        numbers = ", ".join("?" for _ in seqs)
        where.append("(event_id = ?" + (f" or seq in ({numbers}))" if seqs else ")"))
        parameters += [event_id, *seqs]
    rows = reader.query(
        f"""
        select {_ENTRY_COLUMNS} from journal where {" and ".join(where)} order by owner_key, seq
        """,
        parameters,
    )
    return [_stored_entry(row) for row in rows]


def owner_entries_after(reader: Reader, owner_key: int, seq: int, limit: int) -> list[StoredEntry]:
    """Return an owner's journal entries after a sequence number, at most `limit`."""
    rows = reader.query(
        f"select {_ENTRY_COLUMNS} from journal where owner_key = ? and seq > ? order by seq limit ?",
        [owner_key, seq, limit],
    )
    return [_stored_entry(row) for row in rows]


def entries_after(reader: Reader, position: Sequence[int], limit: int) -> list[StoredEntry]:
    """Return the journal entries of all owners after a (commit number, owner key, sequence number), in that order."""
    rows = reader.query(
        f"""
        select {_ENTRY_COLUMNS} from journal where (commit_no, owner_key, seq) > (?, ?, ?)
        order by commit_no, owner_key, seq limit ?
        """,
        [*position, limit],
    )
    return [_stored_entry(row) for row in rows]


def entity_types(reader: Reader, owner_key: int, scope: str) -> list[str]:
    """Return the types of all entities that an owner's messages named in a scope."""
    rows = reader.query(
        "select distinct entity_type from entities where owner_key = ? and scope = ? order by entity_type",
        [owner_key, scope],
    )
    return [row[0] for row in rows]


def event_claim_ids(reader: Reader, owner_key: int, event_id: str) -> list[str]:
    """Return the ids of an event's claims, by position."""
    rows = reader.query(
        "select claim_id from claims where owner_key = ? and event_id = ? order by position", [owner_key, event_id]
    )
    return [row[0] for row in rows]


def claim_decisions(reader: Reader, owner_key: int, claim_ids: Sequence[str] | None = None) -> dict[str, str]:
    """Return the newest decision of each claim as JSON text: of the given claims, or of all of an owner."""
    if claim_ids is not None and not claim_ids:
        return {}
    chosen = "" if claim_ids is None else f" and claim_id in ({', '.join('?' for _ in claim_ids)})"
    rows = reader.query(
        f"""
        select distinct on (claim_id) claim_id, body from decisions
        where owner_key = ?{chosen} order by claim_id, seq desc
        """,
        [owner_key, *(claim_ids or ())],
    )
    return dict(rows)


def claim_policies(reader: Reader, owner_key: int, claim_ids: Sequence[str]) -> dict[str, str]:
    """Return the policy under which each of the given claims was admitted."""
    if not claim_ids:
        return {}
    chosen = ", ".join("?" for _ in claim_ids)
    rows = reader.query(
        f"select claim_id, policy from claims where owner_key = ? and claim_id in ({chosen})", [owner_key, *claim_ids]
    )
    return dict(rows)


def _stored_entry(row: Row) -> StoredEntry:
    owner_key, seq, commit_no, kind, event_id, recorded_at, commitment, previous, digest, commit_digest, key, body = row
    return StoredEntry(
        owner_key=owner_key,
        seq=seq,
        commit_no=commit_no,
        kind=kind,
        event_id=event_id,
        recorded_at=from_microseconds(recorded_at),
        commitment=commitment,
        previous=previous,
        digest=digest,
        commit_digest=commit_digest,
        commitment_key=key,
        body=body,
    )


def _stored_event(row: Row) -> StoredEvent:
    owner_key, user_id, kind, event_id, scope, role, content, digest, session_id, message_id, speaker = row[:11]
    first_person_owner, occurred_at, received_at, metadata = row[11:]
    event = Event.model_construct(
        id=event_id,
        user_id=user_id,
        scope=scope,
        role=role,
        content=content,
        content_digest=digest,
        session_id=session_id,
        message_id=message_id,
        speaker=speaker,
        first_person_owner=first_person_owner,
        occurred_at=from_microseconds(occurred_at),
        received_at=from_microseconds(received_at),
        metadata_json=metadata,
    )
    return StoredEvent(int(owner_key), kind, event)


def _rule_claim(row: Row) -> Claim:
    claim_id, event_id, position, policy, scope, source_type, kind, subject_id, predicate, obj, polarity = row[:11]
    epistemic_type, condition, temporal_intent, replaces_object, effective_at, received_at = row[11:17]
    start, end, quote = row[17:]
    object_key, replaces_key = folded_texts(obj, replaces_object)
    return Claim(
        id=claim_id,
        event_id=event_id,
        position=position,
        policy=policy,
        scope=scope,
        source_type=SourceType(source_type),
        kind=kind,
        subject_id=subject_id,
        predicate=predicate,
        object_key=object_key,
        polarity=polarity,
        epistemic_type=epistemic_type,
        condition=condition,
        temporal_intent=temporal_intent,
        replaces_key=replaces_key,
        effective_at=from_microseconds(effective_at),
        received_at=from_microseconds(received_at),
        trigger=Evidence(event_id=event_id, start=start, end=end, quote=quote),
    )

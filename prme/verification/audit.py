"""The audit: what the journal's entries say must stand in the tables, held against what does."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from prme.canonical import canonical_document
from prme.clock import parse_utc_text, to_microseconds
from prme.journal.chain import commit_to
from prme.model.claim import Claim
from prme.model.plan import ExtractionPlan, PlanOptions
from prme.model.receipt import Difference
from prme.plan.prepare import PreparedPlan
from prme.publication.publish import DECISION_KINDS, WORK_STATES
from prme.publication.rows import claim_rows, entity_rows, evidence_rows, extraction_row, plan_row, work_row
from prme.store.database import Reader
from prme.store.records import StoredEntry
from prme.store.rows import TABLES, Row

_EVENT_COLUMN = {"plans": 1, "extractions": 1, "claims": 2, "evidence": 3, "entities": 2}
Rows = Mapping[tuple[Any, ...], Row]


def journal_differences(reader: Reader, owner_key: int, entries: Sequence[StoredEntry]) -> Iterable[Difference]:
    """Compare an owner's events, intervals, decisions of both kinds and work with the bodies of its journal.

    Entries whose body was erased are held to what stands beside it; their rows cannot be checked any further.
    """
    bodies = {entry.seq: body for entry in entries if (body := _body(entry)) is not None}
    erased = {entry.seq for entry in entries} - bodies.keys()
    yield from _named_events(entries, bodies)
    yield from _notes(reader, owner_key, entries, bodies)
    recorded = {entry.seq: to_microseconds(entry.recorded_at) for entry in entries}
    for what, sql, expected in (
        (
            "interval_version",
            "select node_id, seq, recorded_from, valid_from, valid_to, status, superseded_by, confirms "
            "from intervals where owner_key = ?",
            [row for seq, body in bodies.items() for row in _interval_rows(seq, recorded[seq], body)],
        ),
        (
            "decision",
            "select claim_id, seq, body from decisions where owner_key = ?",
            [row for seq, body in bodies.items() for row in _decision_rows(seq, body)],
        ),
        (
            "work",
            "select event_id, seq, state, reason_code, policy, speaker_references from work where owner_key = ?",
            [_work_row(entry, bodies[entry.seq]) for entry in entries if _is_work(entry) and entry.seq in bodies],
        ),
        (
            "explicit_decision",
            "select operation_id, seq, number, kind, old_id, new_id, effective_at, mark, actor, evidence_id "
            "from explicit_decisions where owner_key = ?",
            [_made_row(entry.seq, bodies[entry.seq]) for entry in entries if _is_made(entry) and entry.seq in bodies],
        ),
    ):
        stored = [
            row for row in reader.query(sql, [owner_key]) if row[1] not in erased and not _is_note(what, row, bodies)
        ]
        yield from _row_differences(what, _by_key(stored), _by_key(expected))


def plan_row_differences(
    reader: Reader,
    owner_key: int,
    plans: Sequence[tuple[ExtractionPlan, bytes]],
    claims: Mapping[str, Sequence[Claim]],
    entries: Sequence[StoredEntry],
    *,
    unread: set[str],
) -> Iterable[Difference]:
    """Compare the rows that a plan adds with what the plans say; events in `unread` are left out.

    `claims` are those of each plan as the rules see them, by event.
    """
    seqs = {entry.event_id: entry.seq for entry in entries if entry.kind == "PLAN_PUBLISHED"}
    expected: dict[str, list[Row]] = {table: [] for table in _EVENT_COLUMN}
    for plan, data in plans:
        seq = seqs.get(plan.event.id, 0)
        expected["plans"].append(plan_row(owner_key, seq, PreparedPlan(plan, data)))
        expected["extractions"].append(extraction_row(owner_key, seq, plan))
        expected["claims"] += claim_rows(owner_key, plan, claims[plan.event.id])
        expected["evidence"] += evidence_rows(owner_key, plan)
        expected["entities"] += entity_rows(owner_key, plan)
    for table, column in _EVENT_COLUMN.items():
        rows = reader.query(f"select * from {table} where owner_key = ?", [owner_key])
        stored = [row[1:] for row in rows if row[column] not in unread]
        yield from _row_differences(table, _by_key(stored), _by_key([row[1:] for row in expected[table]]))


def owner_differences(reader: Reader) -> Iterable[Difference]:
    """Find rows of owners that are not listed, owners without a journal, and owners that are listed twice."""
    listed = {int(key): user_id for key, user_id in reader.query("select owner_key, user_id from owners")}
    for table in TABLES:
        if table in ("meta", "owners"):
            continue
        for (key,) in reader.query(f"select distinct owner_key from {table} order by owner_key"):
            if key not in listed:
                yield Difference(what="owner", id=str(key), stored=f"rows in {table}", expected=None)
    journaled = {key for (key,) in reader.query("select distinct owner_key from journal")}
    first: dict[str, int] = {}
    for key, user_id in sorted(listed.items()):
        if key not in journaled or first.setdefault(user_id, key) != key:
            yield Difference(what="owner", id=str(key), stored="listed", expected=None)


def policy_differences(reader: Reader) -> Iterable[Difference]:
    """Compare the policies that the store remembers with those of its plans: older releases go by them."""
    held = {name for (name,) in reader.query("select value from meta where key like 'policy.%'")}
    used = {name for (name,) in reader.query("select distinct policy from plans")}
    for name in sorted(used - held):
        yield Difference(what="policy", id=name, stored=None, expected="remembered")


def _named_events(entries: Sequence[StoredEntry], bodies: Mapping[int, dict[str, Any]]) -> Iterable[Difference]:
    for entry in entries:
        body = bodies.get(entry.seq)
        if body is not None and body.get("event_id") != entry.event_id:
            yield Difference(
                what="journal_event", id=str(entry.seq), stored=entry.event_id, expected=body.get("event_id")
            )


def _notes(
    reader: Reader, owner_key: int, entries: Sequence[StoredEntry], bodies: Mapping[int, dict[str, Any]]
) -> Iterable[Difference]:
    """Hold the events against the entries that stored them: each has one, under the sequence number it names."""
    rows = reader.query(
        "select event_id, seq, kind, content_digest, received_at from events where owner_key = ?", [owner_key]
    )
    stored = {row[0]: row for row in rows}
    expected: dict[str, Row] = {}
    for entry in entries:
        if entry.kind != "NOTE_STORED" or entry.event_id is None:
            continue
        event_id, body = entry.event_id, bodies.get(entry.seq)
        if body is None:
            known = stored.get(event_id, (event_id, entry.seq, None, None, None))
            expected[event_id] = (event_id, entry.seq, *known[2:])
        else:
            received_at = to_microseconds(parse_utc_text(body["received_at"]))
            expected[event_id] = (event_id, entry.seq, body["kind"], body["content_digest"], received_at)
    for event_id in sorted(stored.keys() | expected.keys()):
        if stored.get(event_id) != expected.get(event_id):
            yield Difference(
                what="note", id=event_id, stored=_listed(stored.get(event_id)), expected=_listed(expected.get(event_id))
            )


def body_commitment(entry: StoredEntry) -> str | None:
    """Return the commitment to the stored body, or None when body and key are erased together."""
    if entry.body is None and entry.commitment_key is None:
        return None
    if entry.body is None or entry.commitment_key is None:
        return "body and key must be there together"
    try:
        return commit_to(entry.body.encode("utf-8"), bytes.fromhex(entry.commitment_key))
    except ValueError:
        return "the key is not hex"


def _body(entry: StoredEntry) -> dict[str, Any] | None:
    """Return the body of an entry, or None when it is erased or not the one committed to, which the chain reports."""
    if entry.body is None or body_commitment(entry) != entry.commitment:
        return None
    body: dict[str, Any] = json.loads(entry.body)
    return body


def _is_note(what: str, row: Row, bodies: Mapping[int, dict[str, Any]]) -> bool:
    """Whether a row is the first interval of a NOTE: its entry names it without a snapshot of it."""
    return what == "interval_version" and bodies.get(row[1], {}).get("note_id") == row[0]


def _interval_rows(seq: int, recorded_at: int, body: Mapping[str, Any]) -> Iterable[Row]:
    for document in body.get("outputs", ()):
        valid_to = document["valid_to"]
        yield (
            document["node_id"],
            seq,
            recorded_at,
            to_microseconds(parse_utc_text(document["valid_from"])),
            None if valid_to is None else to_microseconds(parse_utc_text(valid_to)),
            document["status"],
            document["superseded_by"],
            document["confirms"],
        )


def _decision_rows(seq: int, body: Mapping[str, Any]) -> Iterable[Row]:
    for decision in (*body.get("decisions", ()), *body.get("revised_decisions", ())):
        yield (decision["claim_id"], seq, canonical_document(decision).decode("utf-8"))


def _is_made(entry: StoredEntry) -> bool:
    return entry.kind in DECISION_KINDS.values()


def _made_row(seq: int, body: Mapping[str, Any]) -> Row:
    at = body["at"]
    return (
        body["operation_id"],
        seq,
        body["number"],
        body["kind"],
        body["old"],
        body["new"],
        None if at is None else to_microseconds(parse_utc_text(at)),
        to_microseconds(parse_utc_text(body["mark"])),
        body["actor"],
        body["evidence_id"],
    )


def _is_work(entry: StoredEntry) -> bool:
    return entry.kind in WORK_STATES


def _work_row(entry: StoredEntry, body: Mapping[str, Any]) -> Row:
    options = PlanOptions.model_validate(body["options"])
    state = WORK_STATES[entry.kind]
    return work_row(entry.owner_key, entry.seq, body["event_id"], state, body["reason_code"], body["policy"], options)[
        1:
    ]


def _by_key(rows: Iterable[Row]) -> Rows:
    return {(row[0], row[1]): row for row in rows}


def _row_differences(what: str, stored: Rows, expected: Rows) -> Iterable[Difference]:
    for key in sorted(stored.keys() | expected.keys(), key=str):
        if stored.get(key) != expected.get(key):
            yield Difference(
                what=what, id=str(key[0]), stored=_listed(stored.get(key)), expected=_listed(expected.get(key))
            )


def _listed(row: Row | None) -> list[Any] | None:
    return None if row is None else list(row)

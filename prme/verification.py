"""Verification: everything the store says, computed again from its events, plans and journal (SPEC 9)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from prme import ids
from prme.canonical import digest_document, digest_text
from prme.clock import utc_text_or_none
from prme.correction.correct import subject_key
from prme.correction.fold import family_interval
from prme.correction.subject import SubjectState, fold_subject
from prme.errors import PlanError
from prme.journal.chain import GENESIS, commit_digest, commit_to, entry_digest
from prme.model.claim import Claim
from prme.model.decision import RuleDecision
from prme.model.interval import Interval
from prme.model.node import Node
from prme.model.plan import ExtractionPlan
from prme.model.receipt import Difference, VerifyReport
from prme.plan.codec import decode_plan
from prme.publication.publish import interval_document
from prme.publication.rows import claim_rows, entity_rows, evidence_rows
from prme.store.database import Reader
from prme.store.nodes import newest_intervals, owner_nodes
from prme.store.records import (
    StoredEntry,
    StoredEvent,
    claim_decisions,
    journal_entries,
    owner_events,
    owner_plans,
    owners,
    owner_claims,
    published_events,
)

UNDIGESTED = {"evidence", "last_confirmed_at"}
PLAN_TABLES: tuple[tuple[str, Callable[[int, ExtractionPlan], list[tuple[Any, ...]]]], ...] = (
    ("claims", claim_rows),
    ("evidence", evidence_rows),
    ("entities", entity_rows),
)


def state_digest(nodes: Iterable[Node]) -> str:
    """Return the digest of a state: all notes and claims by id, without evidence and recorded times."""
    return digest_document([_node_document(node) for node in sorted(nodes, key=lambda node: node.id)])


def _node_document(node: Node) -> dict[str, Any]:
    return {
        **node.model_dump(exclude=UNDIGESTED),
        "valid_from": utc_text_or_none(node.valid_from),
        "valid_to": utc_text_or_none(node.valid_to),
    }


def verify_store(reader: Reader, *, user_id: str | None = None, notes: Sequence[str] = ()) -> VerifyReport:
    """Check one owner, or all owners and the chain of commits, and return every difference found.

    `reader` must be a snapshot. Raises `StoreCorruptError` when the file itself cannot be read.
    """
    digests: dict[str, str] = {}
    differences: list[Difference] = []
    for owner_key, owner in owners(reader):
        if user_id is not None and owner != user_id:
            continue
        differences += _owner_differences(reader, owner_key, owner)
        digests[owner] = state_digest(owner_nodes(reader, owner_key, owner))
    if user_id is None:
        differences += _commit_differences(journal_entries(reader))
        total = digest_document(sorted(digests.items()))
    else:
        total = digests.get(user_id, state_digest(()))
    return VerifyReport(
        ok=not differences,
        state_digest=total,
        owners=digests,
        differences=differences,
        notes=list(notes),
    )


def _owner_differences(reader: Reader, owner_key: int, user_id: str) -> list[Difference]:
    events = owner_events(reader, owner_key)
    entries = journal_entries(reader, owner_key=owner_key)
    plans, differences = _read_plans(reader, owner_key, events)
    differences += [difference for stored in events for difference in _event_differences(stored)]
    differences += _chain_differences(user_id, entries)
    differences += _plan_row_differences(reader, owner_key, plans)
    known = {plan.event.id for plan in plans}
    claims = [claim for plan in plans for claim in plan.rule_claims()]
    # Claims whose plan cannot be read are folded as stored: one damaged plan is one difference, not many.
    claims += [claim for claim in owner_claims(reader, owner_key) if claim.event_id not in known]
    differences += _state_differences(reader, owner_key, events, claims)
    return differences


def _event_differences(stored: StoredEvent) -> Iterable[Difference]:
    event = stored.event
    digest = digest_text(event.content)
    if digest != event.content_digest:
        yield Difference(what="content_digest", id=event.id, stored=event.content_digest, expected=digest)
    expected = ids.event_id(event.user_id, event.scope, event.message_id, event.received_at)
    if expected != event.id:
        yield Difference(what="event_id", id=event.id, stored=event.id, expected=expected)


def _read_plans(
    reader: Reader, owner_key: int, events: Sequence[StoredEvent]
) -> tuple[list[ExtractionPlan], list[Difference]]:
    """Read all plans of an owner, and compare each with its recorded checksum and its event."""
    plans: list[ExtractionPlan] = []
    differences: list[Difference] = []
    by_id = {stored.event.id: stored.event for stored in events}
    missing = published_events(reader, owner_key)
    for event_id, checksum, data in owner_plans(reader, owner_key):
        missing.discard(event_id)
        try:
            plan = decode_plan(data)
        except PlanError as error:
            differences.append(Difference(what="plan", id=event_id, stored=str(error), expected=checksum))
            continue
        if plan.checksum != checksum:
            differences.append(Difference(what="plan_checksum", id=event_id, stored=plan.checksum, expected=checksum))
        if plan.event != by_id.get(event_id):
            differences.append(Difference(what="event", id=event_id, stored="differs from its plan", expected="equal"))
        plans.append(plan)
    differences += [
        Difference(what="plan", id=event_id, stored=None, expected="published") for event_id in sorted(missing)
    ]
    return plans, differences


def _plan_row_differences(reader: Reader, owner_key: int, plans: Sequence[ExtractionPlan]) -> Iterable[Difference]:
    """Compare the rows of claims, evidence and entities with what the plans say."""
    for table, rows_of in PLAN_TABLES:
        read = {plan.event.id for plan in plans}
        expected = {(row[1], row[2]): row for plan in plans for row in rows_of(owner_key, plan)}
        event_column = {"claims": 2, "evidence": 3, "entities": 2}[table]
        stored = {
            (row[1], row[2]): row
            for row in reader.query(f"select * from {table} where owner_key = ?", [owner_key])
            if row[event_column] in read
        }
        for key in sorted(expected.keys() | stored.keys(), key=str):
            if expected.get(key) != stored.get(key):
                yield Difference(what=table, id=str(key[0]), stored=stored.get(key), expected=expected.get(key))


def _chain_differences(user_id: str, entries: Sequence[StoredEntry]) -> Iterable[Difference]:
    previous, seq = GENESIS, 0
    for entry in entries:
        seq += 1
        name = f"{entry.seq}"
        if entry.seq != seq:
            yield Difference(what="journal_seq", id=name, stored=entry.seq, expected=seq)
            seq = entry.seq
        if entry.previous != previous:
            yield Difference(what="journal_previous", id=name, stored=entry.previous, expected=previous)
        digest = entry_digest(user_id, entry.seq, entry.kind, entry.commitment, entry.previous)
        if entry.digest != digest:
            yield Difference(what="journal_digest", id=name, stored=entry.digest, expected=digest)
        commitment = _commitment(entry)
        if commitment is not None and commitment != entry.commitment:
            yield Difference(what="journal_body", id=name, stored=entry.commitment, expected=commitment)
        previous = entry.digest


def _commitment(entry: StoredEntry) -> str | None:
    """Return the commitment to the stored body, or None when body and key are erased together."""
    if entry.body is None and entry.commitment_key is None:
        return None
    if entry.body is None or entry.commitment_key is None:
        return "body and key must be there together"
    try:
        return commit_to(entry.body.encode("utf-8"), bytes.fromhex(entry.commitment_key))
    except ValueError:
        return "the key is not hex"


def _commit_differences(entries: Sequence[StoredEntry]) -> Iterable[Difference]:
    commits: dict[int, list[StoredEntry]] = {}
    for entry in entries:
        commits.setdefault(entry.commit_no, []).append(entry)
    previous = GENESIS
    for expected_no, commit_no in enumerate(sorted(commits), start=1):
        if commit_no != expected_no:
            yield Difference(what="commit_no", id=str(commit_no), stored=commit_no, expected=expected_no)
        members = sorted((entry.owner_key, entry.seq, entry.digest) for entry in commits[commit_no])
        expected = commit_digest(commit_no, previous, members)
        stored = {entry.commit_digest for entry in commits[commit_no]}
        if stored != {expected}:
            yield Difference(what="commit_digest", id=str(commit_no), stored=sorted(stored), expected=expected)
        previous = expected


def _state_differences(
    reader: Reader, owner_key: int, events: Sequence[StoredEvent], claims: Sequence[Claim]
) -> Iterable[Difference]:
    """Compare the newest intervals and decisions with the fold over all claims."""
    intervals, decisions = _folded(claims)
    for stored in events:
        note = ids.note_id(stored.event.id)
        intervals[note] = Interval(note, stored.event.occurred_at, None, "current", None, None)
    kept = newest_intervals(reader, owner_key)
    for node_id in sorted(intervals.keys() | kept.keys()):
        found, expected = kept.get(node_id), intervals.get(node_id)
        if found != expected:
            yield Difference(
                what="interval", id=node_id, stored=_interval_text(found), expected=_interval_text(expected)
            )
    recorded = claim_decisions(reader, owner_key)
    for claim_id in sorted(decisions.keys() | recorded.keys()):
        stored_decision = _without_near_misses(recorded.get(claim_id))
        if stored_decision != decisions.get(claim_id):
            yield Difference(
                what="decision",
                id=claim_id,
                stored=None if stored_decision is None else stored_decision.model_dump(),
                expected=decisions[claim_id].model_dump() if claim_id in decisions else None,
            )


def _folded(claims: Sequence[Claim]) -> tuple[dict[str, Interval], dict[str, RuleDecision]]:
    subjects: dict[str, list[Claim]] = {}
    for claim in claims:
        subjects.setdefault(subject_key(claim), []).append(claim)
    intervals: dict[str, Interval] = {}
    decisions: dict[str, RuleDecision] = {}
    for members in subjects.values():
        state: SubjectState = fold_subject(members)
        for family in state.families.values():
            intervals |= {claim_id: family_interval(family, claim_id) for claim_id in family.entries}
            decisions |= {claim_id: entry.decision for claim_id, entry in family.entries.items()}
    return intervals, decisions


def _without_near_misses(text: str | None) -> RuleDecision | None:
    if text is None:
        return None
    return RuleDecision.model_validate_json(text).model_copy(update={"near_misses": ()})


def _interval_text(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else interval_document(interval)

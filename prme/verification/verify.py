"""Verification: everything the store says, computed again from its events, plans and journal (SPEC 9)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from prme import ids
from prme.canonical import digest_document, digest_text
from prme.correction.correct import subject_key
from prme.correction.fold import family_interval
from prme.correction.note import note_interval
from prme.correction.subject import SubjectState, fold_subject
from prme.errors import PlanError, StoreCorruptError
from prme.journal.chain import GENESIS, commit_digest, entry_digest
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, RuleDecision
from prme.model.interval import Interval
from prme.model.node import Node
from prme.model.plan import ExtractionPlan
from prme.model.receipt import Difference, VerifyReport
from prme.plan.codec import decode_plan
from prme.plan.rule_claims import rule_claims
from prme.publication.snapshots import interval_document, node_document
from prme.store.database import Reader
from prme.store.decisions import explicit_decisions
from prme.store.nodes import newest_intervals, owner_nodes
from prme.store.owners import owners
from prme.store.records import (
    StoredEntry,
    StoredEvent,
    claim_decisions,
    journal_entries,
    owner_claims,
    owner_events,
    owner_plans,
    published_events,
)
from prme.verification.audit import (
    body_commitment,
    journal_differences,
    owner_differences,
    plan_row_differences,
    policy_differences,
)

UNDIGESTED = {"evidence", "last_confirmed_at"}
UNREADABLE_STATE = "unreadable"
# What damaged rows make of reading them: an unknown word, a time beyond the calendar, an unknown policy.
UNREADABLE = (KeyError, ValueError, OverflowError, PlanError)


def state_digest(nodes: Iterable[Node]) -> str:
    """Return the digest of a state: all notes and claims by id, without evidence and recorded times."""
    listed = sorted(nodes, key=lambda node: node.id)
    return digest_document([node_document(node, without=UNDIGESTED) for node in listed])


def verify_store(reader: Reader, *, user_id: str | None = None, notes: Sequence[str] = ()) -> VerifyReport:
    """Check one owner, or all owners and the chain of commits, and return every difference found.

    `reader` must be a snapshot. Raises `StoreCorruptError` when the file itself cannot be read.
    """
    digests: dict[str, str] = {}
    differences: list[Difference] = []
    for owner_key, owner in owners(reader):
        if user_id is not None and owner != user_id:
            continue
        found = _owner_differences(reader, owner_key, owner)
        digests[owner] = UNREADABLE_STATE
        try:
            digests[owner] = state_digest(owner_nodes(reader, owner_key, owner))
        except UNREADABLE as error:
            found.append(_unreadable(owner, error))
        except StoreCorruptError:
            if not found:  # then it is not a lost row but the file itself
                raise
        differences += found
    if user_id is None:
        differences += owner_differences(reader)
        differences += policy_differences(reader)
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
    plans, unread, differences = _read_plans(reader, owner_key, events)
    differences += [difference for stored in events for difference in _event_differences(stored)]
    differences += _chain_differences(user_id, entries)
    differences += journal_differences(reader, owner_key, entries)
    planned = {plan.event.id: rule_claims(plan) for plan, _ in plans}
    differences += plan_row_differences(reader, owner_key, plans, planned, entries, unread=unread)
    try:
        claims = [claim for of_plan in planned.values() for claim in of_plan]
        if unread:
            # Folded as stored: one damaged plan is one difference, not many.
            claims += [claim for claim in owner_claims(reader, owner_key) if claim.event_id in unread]
        made = [found.made.decision for found in explicit_decisions(reader, owner_key)]
        differences += _state_differences(reader, owner_key, events, claims, made)
    except UNREADABLE as error:
        differences.append(_unreadable(user_id, error))
    return differences


def _unreadable(user_id: str, error: Exception) -> Difference:
    return Difference(what="state", id=user_id, stored=type(error).__name__, expected="readable")


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
) -> tuple[list[tuple[ExtractionPlan, bytes]], set[str], list[Difference]]:
    """Read all plans of an owner, and compare each with its recorded checksum and its event.

    The second part names the events whose plan is missing or cannot be read.
    """
    plans: list[tuple[ExtractionPlan, bytes]] = []
    unread: set[str] = set()
    differences: list[Difference] = []
    by_id = {stored.event.id: stored.event for stored in events}
    missing = published_events(reader, owner_key)
    for event_id, checksum, data in owner_plans(reader, owner_key):
        missing.discard(event_id)
        try:
            plan = decode_plan(data)
        except PlanError as error:
            differences.append(Difference(what="plan", id=event_id, stored=str(error), expected=checksum))
            unread.add(event_id)
            continue
        if plan.checksum != checksum:
            differences.append(Difference(what="plan_checksum", id=event_id, stored=plan.checksum, expected=checksum))
        if plan.event != by_id.get(event_id):
            differences.append(Difference(what="event", id=event_id, stored="differs from its plan", expected="equal"))
        if plan.event.id == event_id:
            plans.append((plan, data))
        else:
            unread.add(event_id)
    differences += [
        Difference(what="plan", id=event_id, stored=None, expected="published") for event_id in sorted(missing)
    ]
    return plans, unread | missing, differences


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
        commitment = body_commitment(entry)
        if commitment is not None and commitment != entry.commitment:
            yield Difference(what="journal_body", id=name, stored=entry.commitment, expected=commitment)
        previous = entry.digest


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
    reader: Reader,
    owner_key: int,
    events: Sequence[StoredEvent],
    claims: Sequence[Claim],
    made: Sequence[ExplicitDecision],
) -> Iterable[Difference]:
    """Compare the newest intervals and decisions with the fold over all claims and explicit decisions."""
    intervals, decisions = _folded(claims, made)
    named = {node_id for decision in made for node_id in (decision.old, decision.new)}
    for stored in events:
        note = ids.note_id(stored.event.id)
        intervals[note] = note_interval(note, stored.event.occurred_at, made if note in named else ())
    kept = newest_intervals(reader, owner_key)
    for node_id in sorted(intervals.keys() | kept.keys()):
        found, expected = kept.get(node_id), intervals.get(node_id)
        if found != expected:
            yield Difference(
                what="interval", id=node_id, stored=_interval_text(found), expected=_interval_text(expected)
            )
    recorded = claim_decisions(reader, owner_key)
    for claim_id in sorted(decisions.keys() | recorded.keys()):
        if _without_near_misses(recorded.get(claim_id)) != decisions.get(claim_id):
            yield Difference(
                what="decision",
                id=claim_id,
                stored=recorded.get(claim_id),
                expected=decisions[claim_id].model_dump() if claim_id in decisions else None,
            )


def _folded(
    claims: Sequence[Claim], made: Sequence[ExplicitDecision]
) -> tuple[dict[str, Interval], dict[str, RuleDecision]]:
    subjects: dict[str, list[Claim]] = {}
    for claim in claims:
        subjects.setdefault(subject_key(claim), []).append(claim)
    intervals: dict[str, Interval] = {}
    decisions: dict[str, RuleDecision] = {}
    for members in subjects.values():
        mine = {claim.id for claim in members}
        state: SubjectState = fold_subject(members, [d for d in made if d.old in mine or d.new in mine])
        for family in state.families.values():
            intervals |= {claim_id: family_interval(family, claim_id) for claim_id in family.entries}
            decisions |= {claim_id: entry.decision for claim_id, entry in family.entries.items()}
    return intervals, decisions


def _without_near_misses(text: str | None) -> RuleDecision | str | None:
    """Return a stored decision as the fold gives it, or its text when it is none."""
    if text is None:
        return None
    try:
        decision = json.loads(text)
        decision.pop("near_misses", None)
        return RuleDecision.model_validate(decision)
    except (AttributeError, ValueError):
        return text


def _interval_text(interval: Interval | None) -> dict[str, Any] | None:
    return None if interval is None else interval_document(interval)

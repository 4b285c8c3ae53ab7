"""Reading: events, nodes, plans and receipts for a caller, who sees one owner or, as trusted operator, all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime

from prme import ids
from prme.clock import aware_or_none
from prme.errors import NodeNotFoundError, PlanCorruptError, PlanNotFoundError, StoreCorruptError
from prme.model.decision import RuleDecision
from prme.model.explanation import JournalLine
from prme.model.extraction import Extraction
from prme.model.history import History
from prme.model.message import Event
from prme.model.node import Node, NodeType
from prme.model.plan import ExtractionPlan, ExtractorIdentity, PlanOptions
from prme.model.receipt import IngestReceipt
from prme.plan.codec import decode_plan
from prme.plan.prepare import prepare_plan
from prme.policy.registry import get_policy
from prme.store.database import Reader
from prme.store.nodes import event_nodes, find_claims, find_node, interval_versions, owner_nodes, retired_claims
from prme.store.records import (
    StoredEntry,
    StoredEvent,
    claim_decisions,
    event_claim_ids,
    find_event,
    find_extraction,
    find_owner,
    journal_entries,
    owner_record,
    owners,
    plan_data,
    work_state,
)

HIDDEN = frozenset({"superseded", "deprecated"})


def visible_event(reader: Reader, event_id: str, user_id: str | None) -> StoredEvent | None:
    """Return an event that the caller may see; unknown, malformed and foreign ids are all None."""
    wanted = ids.normalise_id(event_id)
    if wanted is None:
        return None
    if user_id is None:
        return find_event(reader, wanted)
    owner_key = find_owner(reader, user_id)
    return None if owner_key is None else find_event(reader, wanted, owner_key=owner_key)


def read_event(reader: Reader, event_id: str, user_id: str | None) -> Event | None:
    """Return an event, or None when it is unknown or foreign."""
    stored = visible_event(reader, event_id, user_id)
    return None if stored is None else stored.event


def read_event_nodes(reader: Reader, event_id: str, user_id: str | None) -> list[Node]:
    """Return the NOTE and the claims of an event, closed ones included; `[]` when it is unknown or foreign."""
    stored = visible_event(reader, event_id, user_id)
    return [] if stored is None else event_nodes(reader, stored)


def visible_node(reader: Reader, node_id: str, user_id: str | None, *, known_at: datetime | None = None) -> Node | None:
    """Return a note or claim in any state that the caller may see, or None; with `known_at` as the store knew it."""
    wanted = ids.normalise_id(node_id)
    if wanted is None:
        return None
    if user_id is None:
        return find_node(reader, wanted, known_at=known_at)
    owner_key = find_owner(reader, user_id)
    return None if owner_key is None else find_node(reader, wanted, owner_key=owner_key, known_at=known_at)


def is_hidden(node: Node) -> bool:
    """Whether default reads leave a node out: closed, or confirming a claim that is closed."""
    return node.status in HIDDEN or (node.status == "confirming" and node.valid_to is not None)


def read_node(reader: Reader, node_id: str, user_id: str | None, *, include_superseded: bool) -> Node | None:
    """Return a node, closed ones only when asked for (003-03)."""
    node = visible_node(reader, node_id, user_id)
    if node is None or (is_hidden(node) and not include_superseded):
        return None
    return node


def read_claims(
    reader: Reader,
    user_id: str,
    scope: str | None,
    *,
    include_superseded: bool,
    valid_at: datetime | None = None,
    known_at: datetime | None = None,
) -> list[Node]:
    """Return an owner's claims in the order of the fold: the listed ones, or with `include_superseded` all.

    `valid_at` keeps those in effect at that time, closed ones that were open then included; `known_at` answers what the
    store would have said then. Raises `ValueError` for a time without a zone.
    """
    valid_at, known_at = aware_or_none(valid_at, "valid_at"), aware_or_none(known_at, "known_at")
    owner_key = find_owner(reader, user_id)
    if owner_key is None:
        return []
    nodes = owner_nodes(reader, owner_key, user_id, notes=False, known_at=known_at)
    return [
        node
        for node in nodes
        if (scope is None or node.scope == scope)
        and (valid_at is None or _in_effect(node, valid_at))
        and (include_superseded or _is_listed(node, valid_at))
    ]


def _is_listed(node: Node, valid_at: datetime | None) -> bool:
    """Whether lists show a claim: no confirming one, for which another stands, and a closed one only in a look back."""
    return node.status != "confirming" and (valid_at is not None or not is_hidden(node))


def _in_effect(node: Node, moment: datetime) -> bool:
    return node.valid_from <= moment and (node.valid_to is None or moment < node.valid_to)


def read_history(reader: Reader, node_id: str, user_id: str | None, *, known_at: datetime | None = None) -> History:
    """Return everything the store ever said of a note or claim, or had said up to `known_at`.

    Raises `NodeNotFoundError` when the id is unknown, malformed, foreign or was not known yet, and `ValueError` for a
    time without a zone.
    """
    known_at = aware_or_none(known_at, "known_at")
    node = visible_node(reader, node_id, user_id, known_at=known_at)
    owner_key = None if node is None else find_owner(reader, node.user_id)
    if node is None or owner_key is None:
        then = "" if known_at is None else ", or it was not stored yet at that time"
        raise NodeNotFoundError(f"no note or claim with this id for this caller{then}")
    versions = interval_versions(reader, owner_key, node.id, known_at=known_at)
    if node.node_type is NodeType.NOTE:
        return History(node=node, versions=versions)
    return History(
        node=node,
        versions=versions,
        predecessors=retired_claims(reader, owner_key, node, known_at=known_at),
        successors=tuple(_successors(reader, owner_key, node, known_at)),
    )


def _successors(reader: Reader, owner_key: int, node: Node, known_at: datetime | None) -> Iterator[Node]:
    """Yield what replaced a claim, what replaced that, and so on: a chain, for no sequence of calls makes a cycle."""
    while node.superseded_by is not None:
        found = find_claims(reader, owner_key, node.user_id, [node.superseded_by], known_at=known_at)
        if not found:
            return
        [node] = found.values()
        yield node


def read_plan_data(reader: Reader, event_id: str, user_id: str | None) -> bytes:
    """Return the canonical bytes of an event's plan.

    A plan that is missing is prepared again from its saved extraction under its recorded policy (003-54). Raises
    `PlanNotFoundError` when there is neither, or the event is unknown or foreign.
    """
    stored = visible_event(reader, event_id, user_id)
    if stored is not None:
        data = plan_data(reader, stored.owner_key, stored.event.id)
        if data is None:
            data = _prepared_again(reader, stored)
        if data is not None:
            return data
    raise PlanNotFoundError("no published plan for this event: its extraction is pending or failed, or it is not yours")


def read_plan(reader: Reader, event_id: str, user_id: str | None) -> ExtractionPlan:
    """Return an event's plan. Raises `PlanNotFoundError`, `PlanCorruptError` or `UnsupportedPlanError`."""
    return decode_plan(read_plan_data(reader, event_id, user_id))


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
        commit_no=entry.commit_no,
        recorded_at=entry.recorded_at,
        digest=entry.digest,
    )


def read_receipt(reader: Reader, stored: StoredEvent) -> IngestReceipt:
    """Return the receipt of a stored message as it stands now, with status `duplicate`."""
    entries = journal_entries(reader, owner_key=stored.owner_key, event_id=stored.event.id)
    published = next((entry for entry in entries if entry.kind == "PLAN_PUBLISHED" and entry.body), None)
    if published is None:
        work = work_state(reader, stored.owner_key, stored.event.id)
        reason = None if work is None else work.reason_code
        return IngestReceipt(event_id=stored.event.id, status="duplicate", reason_code=reason)
    body = json.loads(published.body or "{}")
    claims = event_claim_ids(reader, stored.owner_key, stored.event.id)
    decisions = claim_decisions(reader, stored.owner_key, claims)
    if len(decisions) != len(claims):
        raise StoreCorruptError("a claim has lost its decision: run `prme verify` to see which")
    return IngestReceipt(
        event_id=stored.event.id,
        status="duplicate",
        plan_id=body["plan_id"],
        plan_checksum=body["plan_checksum"],
        claims=claims,
        retired=body["retired"],
        reopened=body["reopened"],
        revised=body["revised"],
        decisions=[RuleDecision.model_validate_json(decisions[claim_id]) for claim_id in claims],
    )


def _prepared_again(reader: Reader, stored: StoredEvent) -> bytes | None:
    saved = find_extraction(reader, stored.owner_key, stored.event.id)
    if saved is None:
        return None
    prepared = prepare_plan(
        stored.event,
        Extraction.model_validate_json(saved.body),
        extractor=ExtractorIdentity(
            name=saved.extractor_name, model=saved.extractor_model, prompt_digest=saved.prompt_digest
        ),
        policy=get_policy(saved.policy),
        options=PlanOptions(enable_speaker_references=saved.speaker_references),
    )
    entries = journal_entries(reader, owner_key=stored.owner_key, event_id=stored.event.id)
    published = next((entry for entry in entries if entry.kind == "PLAN_PUBLISHED" and entry.body), None)
    if published is not None and json.loads(published.body or "{}").get("plan_checksum") != prepared.plan.checksum:
        raise PlanCorruptError(
            "the plan is missing, and what is left of its event and extraction gives another one: restore the store "
            "from a backup"
        )
    return prepared.data

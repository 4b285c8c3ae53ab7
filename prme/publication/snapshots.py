"""Snapshots: intervals, decisions and nodes as the JSON values that journal bodies and digests carry."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from prme.clock import utc_text, utc_text_or_none
from prme.model.decision import RuleDecision
from prme.model.interval import Interval
from prme.model.node import Node


def interval_document(interval: Interval) -> dict[str, Any]:
    """Return an interval as JSON values."""
    return {
        "confirms": interval.confirms,
        "node_id": interval.node_id,
        "status": interval.status,
        "superseded_by": interval.superseded_by,
        "valid_from": utc_text(interval.valid_from),
        "valid_to": utc_text_or_none(interval.valid_to),
    }


def decision_document(decision: RuleDecision) -> dict[str, Any]:
    """Return what the rules concluded as JSON values: what `model_dump` gives, at half the cost."""
    trigger = decision.trigger
    return {
        "candidates": decision.candidates,
        "claim_id": decision.claim_id,
        "near_misses": tuple([{"claim_id": one.claim_id, "test": one.test} for one in decision.near_misses]),
        "outcome": decision.outcome,
        "reason": decision.reason,
        "rule": decision.rule,
        "targets": tuple([{"claim_id": one.claim_id, "match": one.match, "via": one.via} for one in decision.targets]),
        "trigger": {
            "end": trigger.end,
            "event_id": trigger.event_id,
            "quote": trigger.quote,
            "start": trigger.start,
        },
    }


def node_document(node: Node, *, without: Collection[str] = ()) -> dict[str, Any]:
    """Return the fields of a note or claim as JSON values, but for those left out."""
    times = {name: utc_text_or_none(getattr(node, name)) for name in ("valid_from", "valid_to", "last_confirmed_at")}
    document = {**node.model_dump(), **times}
    return {name: value for name, value in document.items() if name not in without}

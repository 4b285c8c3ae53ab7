"""The golden cases: conversations with recorded extractions, and the plans and outcomes that they must always give.

`python -m tests.plan.golden` writes what a new case lacks. It never writes over saved plans: those stay for ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from prme.clock import utc_text_or_none
from prme.correction.correct import Correction, correct, subject_key
from prme.correction.fold import family_interval
from prme.correction.subject import SubjectState, fold_subject
from prme.message import validate_message
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, RuleDecision
from prme.model.extraction import Extraction
from prme.model.interval import Interval
from prme.model.plan import ExtractorIdentity, PlanOptions
from prme.plan.codec import decode_plan
from prme.plan.prepare import PreparedPlan, prepare_plan
from prme.plan.rule_claims import rule_claims
from prme.policy.registry import get_policy
from prme.publication.publish import new_event

GOLDEN = Path(__file__).parents[2] / "plans" / "golden"
CASES = sorted(path.name for path in GOLDEN.iterdir() if path.is_dir())
Labels = dict[str, str]


def saved_plans(case: str) -> list[bytes]:
    return (GOLDEN / case / "plans.jsonl").read_bytes().splitlines()


def saved_outcome(case: str) -> bytes:
    return (GOLDEN / case / "outcome.json").read_bytes()


@cache
def prepared_plans(case: str) -> tuple[PreparedPlan, ...]:
    """Prepare the plans of a case again from its conversation and recorded extractions, in the order received."""
    return tuple(_prepared(json.loads(line)) for line in _lines(case, "conversation.jsonl"))


def plan_bytes(case: str) -> bytes:
    return b"".join(prepared.data + b"\n" for prepared in prepared_plans(case))


def _prepared(step: dict[str, Any]) -> PreparedPlan:
    fields = {**step["message"], "occurred_at": datetime.fromisoformat(step["message"]["occurred_at"])}
    return prepare_plan(
        new_event(validate_message(**fields), datetime.fromisoformat(step["received_at"])),
        Extraction.model_validate(step["extraction"]),
        extractor=ExtractorIdentity.model_validate(step["extractor"]),
        policy=get_policy(step["policy"]),
        options=PlanOptions.model_validate(step["options"]),
    )


def _lines(case: str, file: str) -> list[str]:
    path = GOLDEN / case / file
    return path.read_text(encoding="utf-8").splitlines() if path.exists() else []


def saved_claims(case: str) -> list[tuple[Claim, ...]]:
    """Return the claims of each saved plan, in the order received."""
    return [rule_claims(decode_plan(data)) for data in saved_plans(case)]


def labels_of(claims: Iterable[tuple[Claim, ...]]) -> Labels:
    """Return the short names of claims by id: `2.0` is the first proposed claim of the second message."""
    return {claim.id: f"{n}.{claim.position}" for n, plan in enumerate(claims, start=1) for claim in plan}


def explicit_decisions(case: str, claims: list[tuple[Claim, ...]]) -> list[ExplicitDecision]:
    ids = {label: claim_id for claim_id, label in labels_of(claims).items()}
    return [
        ExplicitDecision(
            number=line["number"],
            kind=line["kind"],
            old=ids[line["old"]],
            new=ids[line["new"]],
            at=None if line["at"] is None else datetime.fromisoformat(line["at"]),
            mark=datetime.fromisoformat(line["mark"]),
        )
        for line in map(json.loads, _lines(case, "decisions.jsonl"))
    ]


def corrections(claims: list[tuple[Claim, ...]]) -> list[Correction]:
    """Correct plan by plan, as the store does; explicit decisions are not made on this way."""
    subjects: dict[str, SubjectState] = {}
    found: list[Correction] = []
    for plan in claims:
        found.append(correct(subjects, plan))
        subjects |= found[-1].subjects
    return found


def folded(claims: list[tuple[Claim, ...]], by_hand: list[ExplicitDecision]) -> tuple[dict[str, Interval], Any]:
    """Fold all claims of a case at once; return the intervals and the decisions, without near misses, by claim."""
    members: dict[str, list[Claim]] = {}
    for claim in (claim for plan in claims for claim in plan):
        members.setdefault(subject_key(claim), []).append(claim)
    families = [family for of in members.values() for family in fold_subject(of, by_hand).families.values()]
    intervals = {name: family_interval(family, name) for family in families for name in family.entries}
    return intervals, {name: entry.decision for family in families for name, entry in family.entries.items()}


def outcome_bytes(case: str) -> bytes:
    """Return what the saved plans of a case do to memory: the interval and the decision of every claim."""
    claims = saved_claims(case)
    labels = labels_of(claims)
    by_hand = explicit_decisions(case, claims)
    intervals, decisions = folded(claims, by_hand)
    if not by_hand:
        for correction in corrections(claims):
            told = (*correction.decisions, *correction.revised_decisions)
            decisions |= {decision.claim_id: decision for decision in told}
    document = {
        label: {"interval": _interval(intervals[name], labels), "decision": _decision(decisions[name], labels)}
        for name, label in labels.items()
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _interval(interval: Interval, labels: Labels) -> dict[str, Any]:
    return {
        "status": interval.status,
        "valid_from": utc_text_or_none(interval.valid_from),
        "valid_to": utc_text_or_none(interval.valid_to),
        "superseded_by": labels.get(interval.superseded_by or ""),
        "confirms": labels.get(interval.confirms or ""),
    }


def _decision(decision: RuleDecision, labels: Labels) -> dict[str, Any]:
    trigger = decision.trigger
    return {
        "outcome": decision.outcome,
        "reason": decision.reason,
        "rule": decision.rule,
        "trigger": [trigger.start, trigger.end, trigger.quote],
        "targets": [[labels[target.claim_id], target.match, target.via] for target in decision.targets],
        "candidates": [labels[claim_id] for claim_id in decision.candidates],
        "near_misses": [[labels[miss.claim_id], miss.test] for miss in decision.near_misses],
    }


def write_missing() -> None:
    """Write the plans of cases that have none, and all outcomes. Refuses when saved plans would change."""
    for case in CASES:
        plans = GOLDEN / case / "plans.jsonl"
        if plans.exists() and plans.read_bytes() != plan_bytes(case):
            raise SystemExit(f"{case}: its saved plans differ from what is prepared now; a saved plan never changes")
        plans.write_bytes(plan_bytes(case))
        (GOLDEN / case / "outcome.json").write_bytes(outcome_bytes(case))


if __name__ == "__main__":
    write_missing()

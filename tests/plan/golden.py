"""The golden cases: conversations with recorded extractions, and the plans and outcomes that they must always give.

`python -m tests.plan.golden` writes the plans that a new case lacks, and all outcomes, and prints every file that it
wrote. It never writes over saved plans: those stay for ever.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from prme.clock import utc_text_or_none
from prme.correction.correct import WITH_NEAR_MISSES, correct, subject_key
from prme.correction.fold import family_interval
from prme.correction.near_miss import near_misses
from prme.correction.subject import SubjectState, fold_subject, newest_first
from prme.message import validate_message
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, RuleDecision
from prme.model.extraction import Extraction
from prme.model.interval import Interval
from prme.model.plan import ExtractionPlan, ExtractorIdentity, PlanOptions
from prme.plan.codec import decode_plan
from prme.plan.prepare import prepare_plan
from prme.plan.rule_claims import rule_claims
from prme.policy.registry import get_policy
from prme.publication.publish import new_event

GOLDEN = Path(__file__).parents[2] / "plans" / "golden"


def cases_in(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.is_dir())


CASES = cases_in(GOLDEN)
Labels = dict[str, str]


def plan_bytes(case: Path) -> bytes:
    """Prepare the plans of a case from its conversation and recorded extractions, one line each."""
    return b"".join(_prepared(json.loads(line)) + b"\n" for line in _lines(case / "conversation.jsonl"))


def _prepared(step: dict[str, Any]) -> bytes:
    fields = {**step["message"], "occurred_at": datetime.fromisoformat(step["message"]["occurred_at"])}
    return prepare_plan(
        new_event(validate_message(**fields), datetime.fromisoformat(step["received_at"])),
        Extraction.model_validate(step["extraction"]),
        extractor=ExtractorIdentity.model_validate(step["extractor"]),
        policy=get_policy(step["policy"]),
        options=PlanOptions.model_validate(step["options"]),
    ).data


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


def saved_plans(case: Path) -> list[ExtractionPlan]:
    """Return the saved plans of a case, in the order in which their messages were received."""
    return [decode_plan(line) for line in (case / "plans.jsonl").read_bytes().split(b"\n")[:-1]]


def labels_of(plans: Iterable[ExtractionPlan]) -> Labels:
    """Return the short names of claims by id: `2.0` is the first proposed claim of the second message."""
    return {claim.id: f"{n}.{claim.position}" for n, plan in enumerate(plans, start=1) for claim in plan.claims}


def explicit_decisions(case: Path, labels: Labels) -> list[ExplicitDecision]:
    """Return the decisions that were made by hand in a case; most have none."""
    if not (case / "decisions.jsonl").exists():
        return []
    ids = {label: claim_id for claim_id, label in labels.items()}
    return [
        ExplicitDecision(
            number=line["number"],
            kind=line["kind"],
            old=ids[line["old"]],
            new=ids[line["new"]],
            at=None if line["at"] is None else datetime.fromisoformat(line["at"]),
            mark=datetime.fromisoformat(line["mark"]),
        )
        for line in map(json.loads, _lines(case / "decisions.jsonl"))
    ]


def fold_at_once(claims: Iterable[Claim], by_hand: list[ExplicitDecision]) -> dict[str, SubjectState]:
    """Fold all claims from nothing, subject by subject."""
    members: dict[str, list[Claim]] = {}
    for claim in claims:
        members.setdefault(subject_key(claim), []).append(claim)
    return {key: fold_subject(of, by_hand) for key, of in members.items()}


def told_plan_by_plan(
    plans: Iterable[ExtractionPlan], by_hand: list[ExplicitDecision]
) -> tuple[dict[str, SubjectState], dict[str, RuleDecision]]:
    """Correct plan by plan, and make each decision by hand when the message at its mark was received.

    Returns the states, and the decision for every claim as it was told last, with the near misses seen then.
    """
    subjects: dict[str, SubjectState] = {}
    told: dict[str, RuleDecision] = {}
    seen: list[Claim] = []
    made: list[ExplicitDecision] = []
    for plan in plans:
        claims = rule_claims(plan)
        correction = correct(subjects, claims)
        subjects |= correction.subjects
        told |= {decision.claim_id: decision for decision in (*correction.decisions, *correction.revised_decisions)}
        seen.extend(claims)
        due = [decision for decision in by_hand if decision.mark <= plan.event.received_at]
        if due != made:
            made = due
            subjects = fold_at_once(seen, made)
            told |= _revised_by_hand(subjects, told)
    return subjects, told


def _revised_by_hand(subjects: Mapping[str, SubjectState], told: Mapping[str, RuleDecision]) -> dict[str, RuleDecision]:
    revised: dict[str, RuleDecision] = {}
    for subject in subjects.values():
        for decision, claim in ((entry.decision, entry.claim) for _, entry in newest_first(subject)):
            if decision != without_near_misses(told[claim.id]):
                found = near_misses(subject, claim) if decision.reason in WITH_NEAR_MISSES else ()
                revised[claim.id] = decision.model_copy(update={"near_misses": found})
    return revised


def without_near_misses(decision: RuleDecision) -> RuleDecision:
    return decision.model_copy(update={"near_misses": ()})


def intervals_of(subjects: Mapping[str, SubjectState]) -> dict[str, Interval]:
    families = [family for subject in subjects.values() for family in subject.families.values()]
    return {name: family_interval(family, name) for family in families for name in family.entries}


def outcome_bytes(case: Path) -> bytes:
    """Return what the saved plans of a case do to memory: the interval and the decision of every claim."""
    plans = saved_plans(case)
    labels = labels_of(plans)
    subjects, told = told_plan_by_plan(plans, explicit_decisions(case, labels))
    intervals = intervals_of(subjects)
    document = {
        label: {"interval": _interval(intervals[name], labels), "decision": _decision(told[name], labels)}
        for name, label in labels.items()
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode("utf-8")


def _interval(interval: Interval, labels: Labels) -> dict[str, Any]:
    return {
        "status": interval.status,
        "valid_from": utc_text_or_none(interval.valid_from),
        "valid_to": utc_text_or_none(interval.valid_to),
        "superseded_by": None if interval.superseded_by is None else labels[interval.superseded_by],
        "confirms": None if interval.confirms is None else labels[interval.confirms],
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


def write_cases(golden: Path) -> list[Path]:
    """Write the plans that cases lack, and the outcomes that are missing or differ; return the files written.

    Writes nothing at all when plans that are saved would come out differently.
    """
    cases = cases_in(golden)
    for case in cases:
        plans = case / "plans.jsonl"
        if plans.exists() and plans.read_bytes() != plan_bytes(case):
            raise SystemExit(f"{case.name}: its plans would come out differently, and a saved plan never changes")
    written = [case / "plans.jsonl" for case in cases if not (case / "plans.jsonl").exists()]
    for plans in written:
        plans.write_bytes(plan_bytes(plans.parent))
    for case in cases:
        outcome, data = case / "outcome.json", outcome_bytes(case)
        if not outcome.exists() or outcome.read_bytes() != data:
            outcome.write_bytes(data)
            written.append(outcome)
    return written


if __name__ == "__main__":
    for path in write_cases(GOLDEN):
        print(path.relative_to(GOLDEN))

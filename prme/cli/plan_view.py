"""The page of an extraction plan."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section
from prme.cli.phrasing import claim_statement, reservations, second, speaker_of
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import in_words
from prme.explanation.wording import CHANGES, REJECTIONS, minute
from prme.model.plan import ExtractionPlan, PlannedClaim


def plan_page(plan: ExtractionPlan) -> RenderableType:
    """Return a plan for a person to read."""
    parts: list[RenderableType] = [heading(f"Plan {plan.plan_id}"), *_facts(plan)]
    parts += section("Message", _message(plan))
    for claim in plan.claims:
        parts += section(f"Claim {claim.position + 1}: {claim_statement(claim)}", _claim(claim))
    parts += section("Not admitted", _rejected(plan))
    parts += section("Entities", (line(f"{safe_text(e.name)} ({safe_text(e.entity_type)})") for e in plan.entities))
    return page(parts)


def _facts(plan: ExtractionPlan) -> Iterator[RenderableType]:
    speakers = "on" if plan.options.enable_speaker_references else "off"
    yield line(f"{plan.format} under {plan.policy}, speaker references {speakers}")
    yield line(f"extracted by {safe_text(plan.extractor.name)} ({safe_text(plan.extractor.model)})")
    yield line(plan.checksum)


def _message(plan: ExtractionPlan) -> Iterator[RenderableType]:
    event = plan.event
    yield line(quoted(event.content))
    yield line(f"said on {minute(event.occurred_at)} by {speaker_of(event)}, role {event.role}, scope {event.scope}")
    yield line(f"event {event.id}, received {second(event.received_at)}")


def _claim(claim: PlannedClaim) -> Iterator[RenderableType]:
    doubts = ", ".join(reservations(claim.polarity, claim.epistemic_type, claim.condition)) or "a plain statement"
    yield line(f"{claim.kind.capitalize()}, {doubts}; in effect from {minute(claim.effective_at)}.")
    if claim.temporal_intent == "update":
        former = "" if claim.replaces_object is None else f" The former value is {quoted(claim.replaces_object)}."
        yield line(f"It says that something changed.{former}")
    for evidence in claim.evidence:
        yield line(f"{quoted(evidence.quote)}, characters {evidence.start} to {evidence.end}")
    for code in claim.changes:
        yield line(f"{in_words(CHANGES, code)} ({safe_text(code)})")
    yield line(f"claim {claim.id}")


def _rejected(plan: ExtractionPlan) -> Iterator[RenderableType]:
    for rejected in plan.rejected:
        proposed = plan.extraction.claims[rejected.position]
        reason = f"{in_words(REJECTIONS, rejected.reason)} ({safe_text(rejected.reason)})"
        yield line(f"{claim_statement(proposed)}: {reason}")

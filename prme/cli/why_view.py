"""The page that explains an event or a claim: what was said, what it became, what closed it, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section, table
from prme.cli.phrasing import (
    claim_statement,
    counted,
    held,
    minute,
    node_statement,
    reservations,
    second,
    short_digest,
    speaker_of,
)
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import (
    CHANGES,
    FAILURES,
    JOURNAL_KINDS,
    MATCHES,
    REASONS,
    REJECTIONS,
    STATUSES,
    TESTS,
    VIAS,
    in_words,
)
from prme.model.decision import RetiredTarget, RuleDecision
from prme.model.explanation import ExplainedClaim, ExplainedNearMiss, ExplainedRejection, Explanation
from prme.model.message import Event
from prme.model.node import Node


def claim_page(explanation: Explanation, closers: Mapping[str, Explanation]) -> RenderableType:
    """Return the page of the one claim that an explanation holds.

    `closers` explain the claims that retired what is explained, by their ids.
    """
    claim = explanation.claims[0]
    parts: list[RenderableType] = [heading(node_statement(claim.node)), *_facts(claim.node)]
    parts += section("Where it comes from", _source(claim.node, explanation.event))
    parts += section("What closed it", _closing(claim, closers))
    parts += section("What it confirms", _confirmed(claim))
    parts += section("What grounding changed", map(_change, claim.changes))
    parts += section("What it did", _own_decision(claim))
    return page([*parts, *_journal(explanation)])


def event_page(explanation: Explanation, closers: Mapping[str, Explanation]) -> RenderableType:
    """Return the page of an event: every claim that was proposed for it, admitted or not."""
    event = explanation.event
    parts: list[RenderableType] = [heading(quoted(event.content)), *_message_facts(event), *_extraction(explanation)]
    for number, claim in enumerate(explanation.claims, start=1):
        parts += section(f"Claim {number}: {node_statement(claim.node)}", _claim_in_event(claim, closers))
    parts += section("Not admitted", map(_rejection, explanation.rejected))
    return page([*parts, *_journal(explanation)])


def _facts(node: Node) -> Iterator[RenderableType]:
    doubts = ", ".join(reservations(node.polarity, node.epistemic_type, node.condition)) or "a plain statement"
    yield line(f"{node.node_type.capitalize()}, {doubts}; {STATUSES[node.status]}.")
    yield line(f"In effect {held(node.valid_from, node.valid_to)}.")
    yield line(f"claim {node.id}, scope {node.scope}")


def _source(node: Node, event: Event) -> Iterator[RenderableType]:
    yield line(quoted(node.content))
    yield line(f"said on {minute(event.occurred_at)} by {speaker_of(event)}, role {event.role}")
    for evidence in node.evidence:
        yield line(f"characters {evidence.start} to {evidence.end} of event {evidence.event_id}")


def _closing(claim: ExplainedClaim, closers: Mapping[str, Explanation], *, level: int = 1) -> Iterator[RenderableType]:
    node, closer = claim.node, claim.closed_by
    if closer is None or node.valid_to is None:
        if node.valid_to is not None:
            yield line(f"closed on {minute(node.valid_to)} by an explicit decision, without a successor", level=level)
        return
    yield line(quoted(closer.content), level=level)
    explained = closers.get(closer.id)
    if explained is not None:
        yield line(f"said on {minute(explained.event.occurred_at)} by {speaker_of(explained.event)}", level=level)
    yield line(f"in effect from {minute(node.valid_to)}: {node_statement(closer)}", level=level)
    # A claim that confirms another one is closed together with it.
    wanted = {node.id, node.confirms}
    decision = None if explained is None else explained.claims[0].decision
    target = next((found for found in decision.targets if found.claim_id in wanted), None) if decision else None
    yield line("an explicit decision closed it" if target is None else f"{_rule(target)}.", level=level)
    yield line(f"claim {closer.id} of event {closer.event_id}", level=level)


def _confirmed(claim: ExplainedClaim) -> Iterator[RenderableType]:
    if claim.confirmed is not None:
        yield line(f"{node_statement(claim.confirmed)}, claim {claim.confirmed.id}")
        yield line(quoted(claim.confirmed.content))


def _claim_in_event(claim: ExplainedClaim, closers: Mapping[str, Explanation]) -> Iterator[RenderableType]:
    yield from _facts(claim.node)
    yield from map(_change, claim.changes)
    yield from _own_decision(claim)
    if claim.node.valid_to is not None:
        yield line("It was closed.")
        yield from _closing(claim, closers, level=2)


def _own_decision(claim: ExplainedClaim) -> Iterator[RenderableType]:
    decision = claim.decision
    if decision is None:
        return
    if decision.outcome == "retired":
        targets = {target.claim_id: target for target in decision.targets}
        yield line(f"It retired {counted(len(targets), 'claim')}.")
        for node in claim.retired:
            yield line(f"{node_statement(node)}: {_rule(targets[node.id])}.", level=2)
            yield line(
                f"{quoted(node.content)}, in effect {held(node.valid_from, node.valid_to)}, claim {node.id}", level=2
            )
        return
    yield line(f"It retired nothing: {_reason(decision)}.")
    for node in claim.candidates:
        yield line(f"it could mean: {node_statement(node)}, {quoted(node.content)}, claim {node.id}", level=2)
    for miss in claim.near_misses:
        yield line(f"near miss: {_near_miss(miss, claim.node)}", level=2)


def _rule(target: RetiredTarget) -> str:
    return f"{MATCHES[target.match]}, {VIAS[target.via]} (match {target.match}, via {target.via})"


def _reason(decision: RuleDecision) -> str:
    return "no reason is recorded" if decision.reason is None else f"{REASONS[decision.reason]} ({decision.reason})"


def _near_miss(miss: ExplainedNearMiss, correction: Node) -> str:
    node = miss.node
    why = TESTS[miss.near_miss.test].format(
        predicate=safe_text(node.predicate or ""),
        correction_predicate=safe_text(correction.predicate or ""),
        object=safe_text(node.object or ""),
        source=node.source_type,
        kind=node.node_type.lower(),
        correction_kind=correction.node_type.lower(),
        since=minute(node.valid_from),
    )
    return f"{node_statement(node)}: {why} ({miss.near_miss.test}); claim {node.id}"


def _change(code: str) -> RenderableType:
    return line(f"{in_words(CHANGES, code)} ({safe_text(code)})")


def _rejection(rejection: ExplainedRejection) -> RenderableType:
    reason = f"{in_words(REJECTIONS, rejection.reason)} ({safe_text(rejection.reason)})"
    return line(f"{claim_statement(rejection.proposed)}: {reason}")


def _message_facts(event: Event) -> Iterator[RenderableType]:
    yield line(f"said on {minute(event.occurred_at)} by {speaker_of(event)}, role {event.role}, scope {event.scope}")
    yield line(f"event {event.id}, received {second(event.received_at)}")


def _extraction(explanation: Explanation) -> Iterator[RenderableType]:
    if explanation.extractor is not None:
        yield line(f"extracted by {safe_text(explanation.extractor.name)} ({safe_text(explanation.extractor.model)})")
        yield line(f"plan {explanation.plan_id} under {explanation.policy}, {explanation.plan_checksum}")
        if not explanation.claims and not explanation.rejected:
            yield line("no claim was proposed")
    elif explanation.work is None:
        yield line("stored as a note, without extraction")
    elif explanation.work == "failed":
        reason = explanation.reason_code or "no reason is recorded"
        yield line(f"its extraction failed: {in_words(FAILURES, reason)} ({safe_text(reason)})")
    else:
        yield line("its extraction is pending")


def _journal(explanation: Explanation) -> list[RenderableType]:
    rows = [
        (str(entry.seq), second(entry.recorded_at), in_words(JOURNAL_KINDS, entry.kind), short_digest(entry.digest))
        for entry in explanation.journal
    ]
    return section("Journal", [table(("Entry", "Recorded", "What", "Digest"), rows, level=1, whole=("Recorded",))])

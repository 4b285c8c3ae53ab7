"""The page that explains an event or a claim: what was said, what it became, what closed it, and why."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section, table
from prme.cli.phrasing import (
    claim_statement,
    held,
    node_statement,
    reservations,
    second,
    short_digest,
    speaker_of,
)
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import FAILURES, JOURNAL_KINDS, STATUSES, in_words
from prme.explanation.wording import minute
from prme.model.claim import Evidence
from prme.model.decision import RuleDecision
from prme.model.explanation import (
    DecidedByHand,
    ExplainedChange,
    ExplainedClaim,
    ExplainedNearMiss,
    ExplainedNote,
    ExplainedRejection,
    Explanation,
    Retirement,
)
from prme.model.message import Event
from prme.model.node import Node, NodeType

MOST_NEAR_MISSES = 3


def claim_page(explanation: Explanation) -> RenderableType:
    """Return the page of the one claim that an explanation holds."""
    claim = explanation.claims[0]
    parts: list[RenderableType] = [heading(node_statement(claim.node)), *_facts(claim.node)]
    parts += section("Where it comes from", _source(claim.node, explanation.event))
    parts += section("What closed it", _closing(claim))
    parts += section("What it confirms", _confirmed(claim))
    parts += section("What grounding changed", map(_change, claim.changes))
    parts += section("What it did", _own_decision(claim))
    return page([*parts, *_journal(explanation)])


def event_page(explanation: Explanation) -> RenderableType:
    """Return the page of an event: every claim that was proposed for it, admitted or not."""
    event = explanation.event
    parts: list[RenderableType] = [heading(quoted(event.content)), *_message_facts(event), *_extraction(explanation)]
    if explanation.note is not None and explanation.note.node.status != "current":
        parts += section("The note itself", _note(explanation.note))
    for number, claim in enumerate(explanation.claims, start=1):
        parts += section(f"Claim {number}: {node_statement(claim.node)}", _claim_in_event(claim))
    parts += section("Not admitted", map(_rejection, explanation.rejected))
    return page([*parts, *_journal(explanation)])


def _note(note: ExplainedNote) -> Iterator[RenderableType]:
    yield line(f"{STATUSES[note.node.status]}; in effect {held(note.node.valid_from, note.node.valid_to)}")
    yield line(f"note {note.node.id}; its claims are decided one by one")
    closed = note.closed_by
    if closed is not None and closed.by_hand is not None:
        yield from _decided(closed, closed.by_hand, level=1)


def _facts(node: Node) -> Iterator[RenderableType]:
    doubts = ", ".join(reservations(node.polarity, node.epistemic_type, node.condition)) or "a plain statement"
    yield line(f"{node.node_type.capitalize()}, {doubts}; {STATUSES[node.status]}.")
    yield line(f"In effect {held(node.valid_from, node.valid_to)}.")
    yield line(f"claim {node.id}, scope {node.scope}")


def _source(node: Node, event: Event) -> Iterator[RenderableType]:
    yield line(quoted(node.content))
    yield line(f"said on {minute(event.occurred_at)} by {speaker_of(event)}, role {event.role}")
    for evidence in node.evidence:
        yield line(f"{_characters(evidence)} of event {evidence.event_id}")


def _closing(claim: ExplainedClaim, *, level: int = 1) -> Iterator[RenderableType]:
    closed = claim.closed_by
    if closed is None:
        return
    if closed.by_hand is not None:
        yield from _decided(closed, closed.by_hand, level=level)
        return
    correction = closed.correction
    yield line(quoted(correction.content), level=level)
    yield line(
        f"said on {minute(closed.event.occurred_at)} by {speaker_of(closed.event)}{_naming(closed)}", level=level
    )
    yield line(f"{_rule(closed)}.", level=level)
    yield from _intervals(closed, level=level)
    effect = held(correction.valid_from, correction.valid_to)
    yield line(f"the correction: {node_statement(correction)}, in effect {effect}", level=level)
    yield line(f"claim {correction.id} of event {correction.event_id}", level=level)


def _decided(closed: Retirement, by_hand: DecidedByHand, *, level: int) -> Iterator[RenderableType]:
    """Yield who decided by hand what closed a claim, on what evidence, and what stands now."""
    decided = "superseded" if by_hand.kind == "supersede" else "lost a contradiction, which was resolved"
    yield line(f"{decided} on {second(by_hand.decided_at)} by hand, by {safe_text(by_hand.actor)}", level=level)
    evidence = "no evidence was named" if by_hand.evidence_id is None else f"on event {by_hand.evidence_id}"
    yield line(evidence, level=level)
    yield from _intervals(closed, level=level)
    stands = closed.correction
    said = quoted(stands.content) if stands.node_type is NodeType.NOTE else node_statement(stands)
    role = "the replacement" if by_hand.kind == "supersede" else "the winner"
    yield line(f"{role}: {said}, in effect {held(stands.valid_from, stands.valid_to)}", level=level)
    yield line(f"{stands.node_type.lower()} {stands.id} of event {stands.event_id}", level=level)


def _naming(closed: Retirement) -> str:
    return "" if closed.trigger is None else f"; it names {_words(closed.trigger)}"


def _rule(closed: Retirement) -> str:
    """Return by which rule a claim was closed, with the codes of the rule and of the match."""
    says = safe_text(closed.says)
    if closed.rule is None:
        return says
    return f"{says} (rule {closed.rule.name} of {closed.rule.policy}, match {closed.match}, via {closed.via})"


def _intervals(closed: Retirement, *, level: int) -> Iterator[RenderableType]:
    """Yield what the store said of a closed claim before and after."""
    if closed.before is None:
        yield line("before: it was not known yet, and was closed as it arrived", level=level)
    else:
        yield line(f"before: in effect {held(closed.before.valid_from, closed.before.valid_to)}", level=level)
    yield line(f"after: in effect {held(closed.after.valid_from, closed.after.valid_to)}", level=level)


def _words(evidence: Evidence) -> str:
    return f"{quoted(evidence.quote)} ({_characters(evidence)})"


def _characters(evidence: Evidence) -> str:
    return f"characters {evidence.start} to {evidence.end}"


def _confirmed(claim: ExplainedClaim) -> Iterator[RenderableType]:
    if claim.confirmed is not None:
        yield line(f"{node_statement(claim.confirmed)}, claim {claim.confirmed.id}")
        yield line(quoted(claim.confirmed.content))


def _claim_in_event(claim: ExplainedClaim) -> Iterator[RenderableType]:
    yield from _facts(claim.node)
    yield from map(_change, claim.changes)
    yield from _own_decision(claim)
    if claim.node.valid_to is not None:
        yield line("It was closed.")
        yield from _closing(claim, level=2)


def _own_decision(claim: ExplainedClaim) -> Iterator[RenderableType]:
    decision = claim.decision
    if decision is None:
        return
    reason = "" if decision.reason is None else f" ({decision.reason})"
    yield line(f"{safe_text(claim.says[:1].upper() + claim.says[1:])}{reason}.")
    if decision.trigger not in claim.node.evidence:
        yield line(f"{_rests_on(decision)} {_words(decision.trigger)}", level=2)
    for closed in claim.retired:
        yield line(f"{node_statement(closed.claim)}: {_rule(closed)}.", level=2)
        yield line(f"{quoted(closed.claim.content)}, claim {closed.claim.id}", level=2)
        yield from _intervals(closed, level=2)
    for node in claim.candidates:
        yield line(f"it could mean: {node_statement(node)}, {quoted(node.content)}, claim {node.id}", level=2)
    for place, miss in enumerate(claim.near_misses[:MOST_NEAR_MISSES]):
        yield line(f"{'near' if place else 'nearest'} miss: {_near_miss(miss)}", level=2)
    left = len(claim.near_misses) - MOST_NEAR_MISSES
    if left > 0:
        yield line(f"and {left:,} more (--json shows all)", level=2)


def _rests_on(decision: RuleDecision) -> str:
    return "its condition:" if decision.rule is None else "it names"


def _near_miss(miss: ExplainedNearMiss) -> str:
    said = quoted(miss.node.content)
    return f"{node_statement(miss.node)}, {said}: {safe_text(miss.says)} ({miss.near_miss.test}); claim {miss.node.id}"


def _change(change: ExplainedChange) -> RenderableType:
    return line(f"{safe_text(change.says)} ({safe_text(change.code)})")


def _rejection(rejection: ExplainedRejection) -> RenderableType:
    reason = f"{safe_text(rejection.says)} ({safe_text(rejection.reason)})"
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

"""The page of the demo: for each conversation what was claimed, what was retired by which words, and what stayed."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from rich.console import RenderableType

from prme.cli.demo import (
    DemoClaim,
    DemoConversation,
    DemoCorrection,
    DemoOutcome,
    DemoOwner,
    DemoRestraint,
    DemoStatement,
)
from prme.cli.ingest_view import failure_line
from prme.cli.layout import heading, line, page, section, table
from prme.cli.phrasing import counted, day, listed, reservations, short_digest, statement
from prme.cli.safe_text import quoted, safe_text
from prme.cli.wording import in_words
from prme.explanation.wording import MATCHES, REASONS, REJECTIONS, VIAS
from prme.model.node import Status

_STATES: Mapping[Status, str] = {"confirming": "said again"}


def demo_page(outcome: DemoOutcome, *, store: str) -> RenderableType:
    """Return the whole demo for a newcomer to read."""
    parts: list[RenderableType] = []
    for conversation in outcome.conversations:
        parts += [*_conversation(conversation), line("")]
    parts += [heading("Journal"), *(_owner(owner) for owner in outcome.owners)]
    parts += section("Verified" if outcome.verified else "NOT VERIFIED", _verdict(outcome, store))
    parts += section("Look further", _further(outcome, store))
    return page(parts)


def _conversation(conversation: DemoConversation) -> Iterator[RenderableType]:
    summary = conversation.summary
    known = f", {summary.duplicates:,} known already" if summary.duplicates else ""
    yield heading(f"Conversation {safe_text(conversation.name)}: {counted(summary.messages, 'message')}{known}")
    yield from (line(failure_line(failure)) for failure in summary.failures)
    if conversation.claims:
        rows = [_claim_row(claim) for claim in conversation.claims]
        yield line("")
        yield table(("Since", "By", "Claim", "Now"), rows, level=1, whole=("Since",))
    yield from section("Retired", (part for found in conversation.corrections for part in _correction(found)), level=1)
    yield from section("Stayed", (part for found in conversation.restraints for part in _restraint(found)), level=1)


def _claim_row(claim: DemoClaim) -> tuple[str, str, str, str]:
    said = claim.statement
    state = [_STATES.get(claim.status, claim.status)]
    if claim.valid_to is not None:
        end = f"until {day(claim.valid_to)}"
        state = [*state, end] if claim.status == "confirming" else [end]
    state += reservations(None, said.epistemic_type, said.condition)
    return (day(claim.valid_from), safe_text(claim.speaker), _statement(said), ", ".join(state))


def _statement(said: DemoStatement) -> str:
    return statement(said.subject, said.predicate, said.object, said.polarity)


def _correction(found: DemoCorrection) -> Iterator[RenderableType]:
    yield line(f"{safe_text(found.speaker)}, {day(found.said_at)}: {quoted(found.sentence)}", level=2)
    for target in found.retired:
        old = target.claim
        yield line(f"closed  {_statement(old.statement)}, since {day(old.valid_from)}: {quoted(old.sentence)}", level=3)
        yield line(f"now     {_statement(found.now)}", level=3)
        if found.time_words is not None:
            yield line(f"from    {day(found.effective_at)}, by its words {quoted(found.time_words)}", level=3)
        yield line(f"because {MATCHES[target.match]}, {VIAS[target.via]}", level=3)


def _restraint(found: DemoRestraint) -> Iterator[RenderableType]:
    yield line(f"{safe_text(found.speaker)}, {day(found.said_at)}: {quoted(found.sentence)}", level=2)
    if found.gate == "grounding":
        yield line(f"not taken as a claim: {in_words(REJECTIONS, found.reason)}", level=3)
    else:
        yield line(f"retired nothing: {in_words(REASONS, found.reason)}", level=3)
    if found.stays:
        yield line(f"stays: {listed(map(_statement, found.stays))}", level=3)


def _owner(owner: DemoOwner) -> RenderableType:
    entries = counted(owner.journal.seq, "entry", "entries")
    head, state = short_digest(owner.journal.digest), short_digest(owner.state_digest)
    return line(f"{safe_text(owner.user_id)}: {entries}, head {head}, state {state}")


def _verdict(outcome: DemoOutcome, store: str) -> Iterator[RenderableType]:
    if outcome.verified:
        yield line("everything computed again from the saved plans is as stored")
    else:
        yield line("something is not as it must be: prme verify lists it")
    if outcome.changed:
        yield line(f"the memory is in {quoted(store)}; run the demo again and nothing changes")
    else:
        yield line("nothing changed: every message was known, and state and journal are as they were")


def _further(outcome: DemoOutcome, store: str) -> Iterator[RenderableType]:
    program = f"prme --store {safe_text(shlex.quote(store))}"
    for owner in outcome.owners:
        yield line(f"{program} claims --user-id {safe_text(shlex.quote(owner.user_id))} --all")
    yield line(f"{program} why ID, with an id that claims prints")

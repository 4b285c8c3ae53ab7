"""Runs the demo: takes written conversations into a store and collects what each of them did to memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from prme.cli.ingestion import IngestSummary, Tally, ingest_entries, owner_heads
from prme.cli.message_lines import LineReader, read_lines
from prme.model.decision import Match, Reason, RuleDecision, Via
from prme.model.explanation import ExplainedClaim, ExplainedRejection, Explanation, JournalLine
from prme.model.extraction import EpistemicType, Polarity
from prme.model.message import Event
from prme.model.node import Node, Status
from prme.model.receipt import IngestReceipt
from prme.model.value import Value
from prme.service import MemoryService
from prme.text_folding import fold_text

NO_ATTEMPT: Reason = "not_an_update"


class DemoStatement(Value):
    """A claim without its history: what is said of whom."""

    subject: str
    predicate: str
    object: str
    polarity: Polarity
    epistemic_type: EpistemicType
    condition: str | None


class DemoClaim(Value):
    """A claim with the sentence it was made by, and what became of it; times are UTC."""

    id: str
    speaker: str
    statement: DemoStatement
    sentence: str
    status: Status
    valid_from: datetime
    valid_to: datetime | None


class DemoTarget(Value):
    """A claim that was retired, and the rule by which it was."""

    claim: DemoClaim
    match: Match
    via: Via


class DemoCorrection(Value):
    """A sentence that retired earlier claims; `now` is what it says itself, from `effective_at` on.

    `time_words` are the words of the sentence that name another time than the one when it was said.
    """

    speaker: str
    said_at: datetime
    sentence: str
    now: DemoStatement
    effective_at: datetime
    time_words: str | None
    retired: tuple[DemoTarget, ...]


class DemoRestraint(Value):
    """A sentence that retired nothing although it might look as if it should, and the claims that stay.

    `gate` says who held it back: `grounding` did not admit the claim for `reason`, or the `rules` decided by `reason`.
    """

    speaker: str
    said_at: datetime
    sentence: str
    statement: DemoStatement
    gate: str
    reason: str
    stays: tuple[DemoStatement, ...]


class DemoConversation(Value):
    """One file of the demo and everything that its messages did."""

    name: str
    summary: IngestSummary
    claims: tuple[DemoClaim, ...]
    corrections: tuple[DemoCorrection, ...]
    restraints: tuple[DemoRestraint, ...]


class DemoOwner(Value):
    """Where an owner stands after the demo."""

    user_id: str
    state_digest: str
    journal: JournalLine


class DemoOutcome(Value):
    """The whole demo. `changed` is False when every message was there already and no journal moved."""

    changed: bool
    conversations: tuple[DemoConversation, ...]
    owners: tuple[DemoOwner, ...]
    verified: bool

    @property
    def ok(self) -> bool:
        """Whether every line was taken in and verification found no difference."""
        return self.verified and all(conversation.summary.ok for conversation in self.conversations)


def run_demo(service: MemoryService, files: Sequence[Path]) -> DemoOutcome:
    """Take in the files in the order given and return what they did."""
    before = service.journal_heads(None)
    conversations = tuple(_conversation(service, file) for file in files)
    heads = service.journal_heads(None)
    report = service.verify(None)
    return DemoOutcome(
        changed=heads != before,
        conversations=conversations,
        owners=tuple(
            DemoOwner(user_id=owner, state_digest=digest, journal=heads[owner])
            for owner, digest in report.owners.items()
        ),
        verified=report.ok,
    )


def _conversation(service: MemoryService, file: Path) -> DemoConversation:
    tally = Tally()
    with file.open("rb") as stream:
        outcomes = [*ingest_entries(lambda: service, read_lines(stream), LineReader(default_user_id=None))]
    for outcome in outcomes:
        tally.add(outcome)
    receipts = {outcome.receipt.event_id: outcome.receipt for outcome in outcomes if outcome.receipt is not None}
    telling = [event_id for event_id, receipt in receipts.items() if _has_proposals(service, receipt)]
    explained = [service.explain(event_id, None) for event_id in telling]
    claims = [(explanation.event, claim) for explanation in explained for claim in explanation.claims]
    return DemoConversation(
        name=file.stem,
        summary=tally.summary(owner_heads(service, tally.owners)),
        claims=tuple(_claim(event, claim.node) for event, claim in claims),
        corrections=tuple(_corrections(service, claims)),
        restraints=tuple(_restraints(explained, [claim.node for _, claim in claims])),
    )


def _has_proposals(service: MemoryService, receipt: IngestReceipt) -> bool:
    """Return whether anything was proposed for a message: most small talk need not be explained."""
    if receipt.plan_id is None:
        return False
    return bool(receipt.claims) or bool(service.get_plan(receipt.event_id, None).rejected)


def _statement(node: Node) -> DemoStatement:
    return DemoStatement(
        subject=node.subject or "",
        predicate=node.predicate or "",
        object=node.object or "",
        polarity=node.polarity or "unknown",
        epistemic_type=node.epistemic_type or "asserted",
        condition=node.condition,
    )


def _claim(event: Event, node: Node) -> DemoClaim:
    return DemoClaim(
        id=node.id,
        speaker=_speaker(event),
        statement=_statement(node),
        sentence=node.content,
        status=node.status,
        valid_from=node.valid_from,
        valid_to=node.valid_to,
    )


def _speaker(event: Event) -> str:
    return event.speaker or (event.user_id if event.first_person_owner else event.role)


def _corrections(service: MemoryService, claims: Sequence[tuple[Event, ExplainedClaim]]) -> Iterator[DemoCorrection]:
    made_by = {claim.node.id: event for event, claim in claims}
    for event, claim in claims:
        if claim.decision is None or not claim.retired:
            continue
        yield DemoCorrection(
            speaker=_speaker(event),
            said_at=event.occurred_at,
            sentence=claim.node.content,
            now=_statement(claim.node),
            effective_at=claim.node.valid_from,
            time_words=_time_words(service, event, claim.node),
            retired=tuple(_targets(claim.decision, [closed.claim for closed in claim.retired], made_by, event)),
        )


def _time_words(service: MemoryService, event: Event, node: Node) -> str | None:
    """Return the time reference that gave a claim another effective time than that of its message."""
    if node.valid_from == event.occurred_at:
        return None
    (planned,) = [claim for claim in service.get_plan(event.id, None).claims if claim.id == node.id]
    return planned.temporal_ref


def _targets(
    decision: RuleDecision, retired: Iterable[Node], made_by: Mapping[str, Event], event: Event
) -> Iterator[DemoTarget]:
    nodes = {node.id: node for node in retired}
    for target in decision.targets:
        node = nodes[target.claim_id]
        yield DemoTarget(claim=_claim(made_by.get(node.id, event), node), match=target.match, via=target.via)


def _restraints(explained: Sequence[Explanation], nodes: Sequence[Node]) -> Iterator[DemoRestraint]:
    for explanation in explained:
        for rejection in explanation.rejected:
            yield _rejected(explanation.event, rejection, nodes)
        for claim in explanation.claims:
            reason = None if claim.decision is None else claim.decision.reason
            if reason is not None and reason != NO_ATTEMPT:
                yield _held_back(explanation.event, claim, reason, nodes)


def _held_back(event: Event, claim: ExplainedClaim, reason: Reason, nodes: Sequence[Node]) -> DemoRestraint:
    stays = claim.candidates or _still_open(nodes, event, claim.node.object or "", claim.node.subject_id)
    return DemoRestraint(
        speaker=_speaker(event),
        said_at=event.occurred_at,
        sentence=claim.node.content,
        statement=_statement(claim.node),
        gate="rules",
        reason=reason,
        stays=tuple(map(_statement, stays)),
    )


def _rejected(event: Event, rejection: ExplainedRejection, nodes: Sequence[Node]) -> DemoRestraint:
    proposed = rejection.proposed
    return DemoRestraint(
        speaker=_speaker(event),
        said_at=event.occurred_at,
        sentence=proposed.evidence_quote or event.content,
        statement=DemoStatement(
            subject=proposed.subject,
            predicate=proposed.predicate,
            object=proposed.object,
            polarity=proposed.polarity,
            epistemic_type=proposed.epistemic_type,
            condition=proposed.condition,
        ),
        gate="grounding",
        reason=rejection.reason,
        stays=tuple(map(_statement, _still_open(nodes, event, proposed.object, None))),
    )


def _still_open(nodes: Sequence[Node], event: Event, obj: str, subject_id: str | None) -> tuple[Node, ...]:
    """Return the plain claims of the same object that were open when the event was said."""
    key = fold_text(obj)
    return tuple(
        node
        for node in nodes
        if node.event_id != event.id
        and node.valid_from <= event.occurred_at
        and (node.valid_to is None or node.valid_to > event.occurred_at)
        and node.status != "confirming"
        and node.polarity == "positive"
        and node.condition is None
        and node.epistemic_type in {"asserted", "observed"}
        and fold_text(node.object or "") == key
        and subject_id in {None, node.subject_id}
    )

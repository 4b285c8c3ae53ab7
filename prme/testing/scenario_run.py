"""Runs the conversation of a scenario in a memory of its own and tells what became of each claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

from prme import ids
from prme.client import MemoryClient
from prme.errors import PrmeError
from prme.extraction.protocol import Extractor, is_local
from prme.model.decision import RuleDecision
from prme.model.explanation import ExplainedClaim, ExplainedRejection
from prme.model.extraction import Extraction, ExtractionRequest
from prme.testing.claim_reference import State, ToldClaim
from prme.testing.clock import START, MemoryClock
from prme.testing.labels import Told, claim_label, node_labels, told_messages
from prme.testing.scenario import ContradictStep, ResolveStep, Scenario, ScenarioMessage, Step, SupersedeStep

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Ran:
    """How a conversation ended: every proposed claim, and what went wrong on the way."""

    claims: tuple[ToldClaim, ...]
    problems: tuple[str, ...]


def run_messages(
    scenario: Scenario, messages: Mapping[str, ScenarioMessage], extractor: Callable[[], Extractor]
) -> Ran:
    """Take the messages, by label, into an empty memory and return what became of their claims.

    Message n is said on day n at nine, from 2031-01-01, unless it says when. `extractor` is called when a message
    brings no extraction of its own. Raises what `extractor` raises.
    """
    answers = _Answers(messages, None if all(one.extraction for one in messages.values()) else extractor())
    clock = MemoryClock()
    problems: list[str] = []
    with MemoryClient(":memory:", extractor=answers, policy=scenario.policy, clock=clock) as memory:
        for label, message in messages.items():
            clock.set(START + (int(label[1:]) - 1) * DAY)
            receipt = memory.ingest(**scenario.fields(message), message_id=label)
            if receipt.status != "published":
                problems.append(f"{label}: its extraction is {receipt.status}: {receipt.reason_code}")
            problems += _carry_out(memory, scenario, messages, message.then)
        told = _told(memory, scenario)
        labels = node_labels(told)
        return Ran(tuple(_claims(told, labels)), tuple(_with_labels(problem, labels) for problem in problems))


@dataclass(frozen=True, slots=True)
class _Answers:
    """Answers a message with its own extraction, or asks for one."""

    messages: Mapping[str, ScenarioMessage]
    asked: Extractor | None
    name: str = field(default="scenario", init=False)
    model: str = field(default="scenario", init=False)

    @property
    def local(self) -> bool:
        return self.asked is None or is_local(self.asked)

    async def extract(self, request: ExtractionRequest) -> Extraction:
        own = self.messages[request.message.message_id or ""].extraction
        if own is not None:
            return own
        assert self.asked is not None
        # The label is ours: without it a recorded message reads as it was recorded.
        message = request.message.model_copy(update={"message_id": None})
        return await self.asked.extract(request.model_copy(update={"message": message}))


def _carry_out(
    memory: MemoryClient, scenario: Scenario, messages: Mapping[str, ScenarioMessage], steps: tuple[Step, ...]
) -> Iterator[str]:
    for step in steps:
        try:
            _decide(memory, step, lambda name: _node_id(scenario, messages, name))
        except (PrmeError, LookupError) as error:
            named = ", ".join(f"{key} {value}" for key, value in step.model_dump(exclude={"do"}).items())
            yield f"{step.do} {named}: {type(error).__name__}: {error}"


def _decide(memory: MemoryClient, step: Step, node_id: Callable[[str], str]) -> None:
    match step:
        case SupersedeStep():
            memory.supersede(node_id(step.old), node_id(step.new))
        case ContradictStep():
            memory.contradict(node_id(step.a), node_id(step.b))
        case ResolveStep():
            memory.resolve_contradiction(node_id(step.winner), node_id(step.loser))


def _node_id(scenario: Scenario, messages: Mapping[str, ScenarioMessage], name: str) -> str:
    label, _, position = name.partition(".c")
    if label not in messages:
        raise LookupError("the message is left out here")
    event = ids.event_id(scenario.user_id, messages[label].scope, label)
    return ids.claim_id(event, int(position) - 1) if position else ids.note_id(event)


def _told(memory: MemoryClient, scenario: Scenario) -> list[Told]:
    """Return the messages by their labels here, which are not their places: a control may leave messages out."""
    messages = told_messages(memory, scenario.user_id)
    return [replace(told, label=told.explained.event.message_id or told.label) for told in messages]


def _with_labels(text: str, labels: Mapping[str, str]) -> str:
    """Return an error text with labels in place of the ids of notes and claims."""
    for node_id, label in labels.items():
        text = text.replace(node_id, label)
    return text


def _claims(messages: Sequence[Told], labels: Mapping[str, str]) -> Iterator[ToldClaim]:
    for told in messages:
        yield from (_admitted(claim, labels) for claim in told.explained.claims)
        yield from (_rejected(told.label, one) for one in told.explained.rejected)


def _admitted(claim: ExplainedClaim, labels: Mapping[str, str]) -> ToldClaim:
    node = claim.node
    state: State = "current" if node.valid_to is None else "retired"
    closer = claim.closed_by
    return ToldClaim(
        label=labels[node.id],
        subject=node.subject or "",
        predicate=node.predicate or "",
        object=node.object or "",
        denied=node.polarity == "negative",
        state="confirming" if node.status == "confirming" else state,
        reason=_reason(claim.decision),
        corrects=claim.decision is not None and claim.decision.reason != "not_an_update",
        by=None if closer is None else labels[closer.correction.id],
    )


def _reason(decision: RuleDecision | None) -> str:
    if decision is None:
        return "undecided"
    return decision.reason or decision.outcome


def _rejected(label: str, rejected: ExplainedRejection) -> ToldClaim:
    proposed = rejected.proposed
    return ToldClaim(
        label=claim_label(label, rejected.position),
        subject=proposed.subject,
        predicate=proposed.predicate,
        object=proposed.object,
        denied=proposed.polarity == "negative",
        state="not admitted",
        reason=rejected.reason,
        corrects=proposed.temporal_intent == "update",
    )

"""The rule cases: what each conversation leaves current, and that no order of arrival changes it (SPEC 8)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

from prme import Extraction, ExtractionRequest, MemoryClient, Node, NodeType, VerifyReport, ids
from prme.errors import PrmeError

CASES: dict[str, dict[str, Any]] = {
    case["id"]: case
    for case in map(json.loads, (Path(__file__).parent / "rules.jsonl").read_text(encoding="utf-8").splitlines())
}
BY_HAND = [name for name, case in CASES.items() if any("then" in message for message in case["messages"])]
ALONE = [name for name in CASES if name not in BY_HAND]
IN_TURNS = [name for name in ALONE if len(CASES[name]["messages"]) > 1]

NOW = datetime(2031, 6, 1, tzinfo=UTC)
NOT_PASSED = {"extraction", "occurred_at", "then"}


@dataclass(frozen=True)
class ScriptedExtractor:
    """Answers each message with the extraction of its case."""

    extractions: dict[str | None, Extraction]
    name: str = "scripted"
    model: str = "rules"
    local: bool = True

    async def extract(self, request: ExtractionRequest) -> Extraction:
        """Return the extraction of the message's label."""
        return self.extractions[request.message.message_id]


@dataclass(frozen=True)
class Outcome:
    """What a conversation in its own order left: claims, rejected claims and errors by label, and the report."""

    claims: dict[str, Node]
    rejected: list[str]
    errors: dict[str, str]
    report: VerifyReport


def labelled(name: str) -> dict[str, dict[str, Any]]:
    """Return the messages of a case by label, which is their `message_id` too: so ids do not depend on the order."""
    return {f"m{number}": message for number, message in enumerate(CASES[name]["messages"], start=1)}


@contextmanager
def conversation(name: str, order: Iterable[str]) -> Iterator[tuple[MemoryClient, dict[str, str], dict[str, str]]]:
    """Ingest the messages in the given order; yield the memory, the event ids and the names of the errors by label."""
    messages = labelled(name)
    answers: dict[str | None, Extraction] = {
        label: Extraction.model_validate(message["extraction"]) for label, message in messages.items()
    }
    events: dict[str, str] = {}
    errors: dict[str, str] = {}
    extractor = ScriptedExtractor(answers)
    with MemoryClient(":memory:", extractor=extractor, policy=CASES[name]["policy"], clock=lambda: NOW) as memory:
        for label in order:
            try:
                events[label] = ingest(memory, label, messages[label])
            except PrmeError as error:
                errors[label] = type(error).__name__
            for step in messages[label].get("then", ()):
                try:
                    decide(memory, events, step)
                except PrmeError as error:
                    errors[step["do"]] = type(error).__name__
        yield memory, events, errors


def ingest(memory: MemoryClient, label: str, message: dict[str, Any]) -> str:
    fields = {name: value for name, value in message.items() if name not in NOT_PASSED}
    receipt = memory.ingest(**fields, message_id=label, occurred_at=datetime.fromisoformat(message["occurred_at"]))
    assert receipt.status == "published"
    return receipt.event_id


def decide(memory: MemoryClient, events: dict[str, str], step: dict[str, str]) -> None:
    """Carry out one step that a case takes by hand."""
    named = {name: claim_of(events, label) for name, label in step.items() if name != "do"}
    if step["do"] == "supersede":
        memory.supersede(named["old"], named["new"])
    elif step["do"] == "contradict":
        memory.contradict(named["a"], named["b"])
    else:
        memory.resolve_contradiction(named["winner"], named["loser"])


def claim_of(events: dict[str, str], label: str) -> str:
    message, claim = label.split(".c")
    return ids.claim_id(events[message], int(claim) - 1)


def claim_label(message: str, position: int | None) -> str:
    assert position is not None
    return f"{message}.c{position + 1}"


@cache
def in_order(name: str) -> Outcome:
    claims: dict[str, Node] = {}
    rejected: list[str] = []
    with conversation(name, labelled(name)) as (memory, events, errors):
        for label, event_id in events.items():
            note, *nodes = memory.get_event_nodes(event_id)
            assert note.node_type is NodeType.NOTE
            claims.update({claim_label(label, node.position): node for node in nodes})
            rejected += [claim_label(label, each.position) for each in memory.get_plan(event_id).rejected]
        return Outcome(claims, rejected, errors, memory.verify())


def listed(labels: Iterable[str]) -> list[str]:
    return sorted(labels)


@pytest.mark.parametrize("name", CASES)
def test_a_conversation_leaves_exactly_what_the_case_says(name: str):
    expect = CASES[name]["expect"]
    outcome = in_order(name)
    own = {label: node for label, node in outcome.claims.items() if node.status != "confirming"}
    labels = {node.id: label for label, node in outcome.claims.items()}
    confirms = {label: labels[node.confirms] for label, node in outcome.claims.items() if node.confirms is not None}

    assert outcome.errors == expect.get("error", {})
    assert listed(outcome.rejected) == listed(expect.get("not_admitted", []))
    assert listed(label for label, node in own.items() if node.valid_to is None) == listed(expect["current"])
    assert listed(label for label, node in own.items() if node.valid_to is not None) == listed(expect["retired"])
    assert confirms == expect.get("confirms", {})
    for label, successor in expect.get("superseded_by", {}).items():
        assert labels.get(outcome.claims[label].superseded_by or "") == successor
    for label, time in expect.get("valid_to", {}).items():
        assert outcome.claims[label].valid_to == datetime.fromisoformat(time)


@pytest.mark.parametrize("name", CASES)
def test_a_refused_message_leaves_nothing_behind(name: str):
    outcome = in_order(name)
    stored = [message for label, message in labelled(name).items() if label not in outcome.errors]

    assert set(outcome.report.owners) == {message["user_id"] for message in stored}


@pytest.mark.parametrize("name", IN_TURNS)
def test_every_order_of_arrival_gives_the_same_state(name: str):
    _, *other_orders = permutations(labelled(name))  # the first is their own order
    expected = in_order(name).report

    for order in other_orders:
        with conversation(name, order) as (memory, _, _):
            report = memory.verify()
        assert (report.owners, report.state_digest) == (expected.owners, expected.state_digest)
        assert (report.ok, list(report.differences)) == (True, [])


@pytest.mark.parametrize("name", CASES)
def test_the_state_verifies(name: str):
    report = in_order(name).report

    assert (report.ok, list(report.differences)) == (True, [])


def test_no_case_takes_the_name_of_another_one():
    lines = (Path(__file__).parent / "rules.jsonl").read_text(encoding="utf-8").splitlines()

    assert len(CASES) == len(lines)

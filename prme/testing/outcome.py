"""What a conversation left in memory, as a text that reads well and does not depend on ids."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from prme.client import MemoryClient
from prme.model.decision import DecisionKind, RuleDecision
from prme.model.explanation import ExplainedClaim, ExplainedNearMiss, ExplainedRejection, Retirement
from prme.model.node import Node
from prme.testing.labels import Told, changes_of, claim_label, node_labels, pair_of, told_messages

BY_HAND: Mapping[str, DecisionKind] = {
    "SUPERSEDENCE_APPLIED": "supersede",
    "CONTRADICTION_NOTED": "contradict",
    "CONTRADICTION_RESOLVED": "resolve",
}
_SIDES: Mapping[DecisionKind, str] = {
    "supersede": "{0} superseded by {1}",
    "contradict": "{0} and {1} contradict each other",
    "resolve": "{0} closed, {1} stands",
}
_PLAIN = frozenset({"observed", "asserted"})


def memory_outcome(memory: MemoryClient, *, user_id: str, scope: str | None = None) -> str:
    """Return everything that an owner's messages did to memory, as text: equal conversations give equal texts.

    Each message has its claims, with status, interval, the decision of the rules, the words that it rests on, near
    misses, and what was not admitted; decisions by hand follow. Messages are m1, m2 in the order of receipt, their
    claims m1.c1, m1.c2 by position; an interval that begins or ends with a message names it in place of the time.
    `scope` leaves out the others. Ids, plan checksums and recorded times are not part of it.
    """
    messages = told_messages(memory, user_id)
    names = _Names(messages)
    lines = [f"memory of {user_id}" + ("" if scope is None else f", scope {scope}")]
    shown = [told for told in messages if scope in {None, told.note.scope}]
    for told in shown:
        lines += ["", *_message(told, names)]
    by_hand = list(_by_hand(memory, user_id, node_labels(shown)))
    if by_hand:
        lines += ["", "decided by hand", *by_hand]
    return "\n".join(lines) + "\n"


class _Names:
    """What stands for ids and times: the names of notes and claims, and the messages that took effect at a time."""

    def __init__(self, messages: list[Told]) -> None:
        self.nodes = node_labels(messages)
        self._said: dict[datetime, list[str]] = {}
        for told in messages:
            self._said.setdefault(told.explained.event.occurred_at, []).append(told.label)

    def moment(self, moment: datetime, near: str | None) -> str:
        """Return the message that took effect then, of several the one of the node `near`; else the time."""
        found = self._said.get(moment)
        if found is None:
            return minute_or_finer(moment)
        named = self.nodes.get(near or "", "").partition(".")[0]
        return named if named in found else found[0]


def _message(told: Told, names: _Names) -> Iterator[str]:
    event = told.explained.event
    who = [minute_or_finer(event.occurred_at), event.role]
    if event.first_person_owner:
        who.append("I is the owner")
    if event.speaker is not None:
        who.append(f"speaker {_quoted(event.speaker)}")
    if event.scope != "personal":
        who.append(f"scope {event.scope}")
    yield f"{told.label}  {_quoted(event.content)} ({', '.join(who)})"
    if told.note.status != "current":
        yield f"  note {_standing(told.note, names)}, {_held(told.note, names)}"
    if told.explained.work is not None:
        reason = told.explained.reason_code
        yield f"  extraction {told.explained.work}" + ("" if reason is None else f": {reason}")
    claims = [(claim.node.position or 0, list(_claim(told, claim, names))) for claim in told.explained.claims]
    rejected = [(one.position, [_rejection(told, one)]) for one in told.explained.rejected]
    for _, lines in sorted([*claims, *rejected], key=lambda item: item[0]):
        yield from lines


def _rejection(told: Told, rejected: ExplainedRejection) -> str:
    proposed = rejected.proposed
    said = statement(proposed.subject, proposed.predicate, proposed.object, proposed.polarity)
    return f"  {claim_label(told.label, rejected.position)}  {said}: not admitted, {rejected.reason}"


def _claim(told: Told, claim: ExplainedClaim, names: _Names) -> Iterator[str]:
    node = claim.node
    said = node_statement(node)
    if node.epistemic_type is not None and node.epistemic_type not in _PLAIN:
        said += f" ({node.epistemic_type})"
    yield f"  {names.nodes[node.id]}  {said}"
    if node.condition is not None:
        yield f"    condition {_quoted(node.condition)}"
    if claim.changes:
        yield f"    grounding changed: {', '.join(change.code for change in claim.changes)}"
    yield f"    {_standing(node, names)}"
    yield f"    {_held(node, names)}"
    if claim.closed_by is not None:
        yield f"    {_closed_by(claim.closed_by, names)}"
    if claim.decision is not None:
        yield from (f"    {line}" for line in _decision(claim.decision, names))
    yield from (f"      {_near_miss(miss, names)}" for miss in claim.near_misses)


def _standing(node: Node, names: _Names) -> str:
    if node.status == "confirming" and node.confirms is not None:
        return f"confirms {names.nodes[node.confirms]}"
    return node.status if node.superseded_by is None else f"{node.status} by {names.nodes[node.superseded_by]}"


def _held(node: Node, names: _Names) -> str:
    began = names.moment(node.valid_from, node.id)
    if node.valid_to is None:
        return f"in effect since {began}"
    return f"in effect from {began} to {names.moment(node.valid_to, node.superseded_by)}"


def _closed_by(closing: Retirement, names: _Names) -> str:
    if closing.by_hand is not None:
        closer = names.nodes[closing.correction.id]
        return f"closed by hand: {closing.by_hand.kind}, {closer}, actor {closing.by_hand.actor}"
    rule = "" if closing.rule is None else f" by rule {closing.rule.name}"
    words = "" if closing.trigger is None else f", words {_quoted(closing.trigger.quote)}"
    return f"closed{rule}{words}"


def _decision(decision: RuleDecision, names: _Names) -> Iterator[str]:
    rule = "" if decision.rule is None else f" by rule {decision.rule}"
    words = f"words {_quoted(decision.trigger.quote)}"
    if decision.outcome == "none":
        # Without a rule the words are the whole sentence, which stands above.
        yield f"retired nothing: {decision.reason}" + (
            "" if decision.rule is None else f", rule {decision.rule}, {words}"
        )
    for target in decision.targets:
        yield f"retired {names.nodes[target.claim_id]}{rule}, match {target.match}, via {target.via}, {words}"
    for candidate in decision.candidates:
        yield f"  could mean {names.nodes[candidate]}"


def _near_miss(miss: ExplainedNearMiss, names: _Names) -> str:
    would = ", which would have retired it" if miss.would_have_retired else ""
    return f"near miss {names.nodes[miss.node.id]}: {miss.near_miss.test} {miss.found}, needed {miss.needed}{would}"


def _by_hand(memory: MemoryClient, user_id: str, labels: Mapping[str, str]) -> Iterator[str]:
    order = {node_id: number for number, node_id in enumerate(labels)}
    for change in changes_of(memory, user_id):
        kind = BY_HAND.get(change.kind)
        pair = None if kind is None else pair_of(change, labels, kind)
        if kind is None or pair is None:
            continue
        # A contradiction has no first side: by their ids the two would stand in any order.
        sides = sorted(pair, key=order.__getitem__) if kind == "contradict" else pair
        said = _SIDES[kind].format(*(labels[node_id] for node_id in sides))
        yield f"  {kind}: {said}, actor {change.actor}"


def node_statement(node: Node) -> str:
    """Return the claim of a node in one line."""
    return statement(node.subject, node.predicate, node.object, node.polarity)


def statement(subject: str | None, predicate: str | None, obj: str | None, polarity: str | None) -> str:
    """Return a claim in one line: `I | uses | insulin pump`, what is denied or has no polarity marked as such."""
    marks = {"negative": " (denied)", "unknown": " (polarity unknown)"}
    words = (" ".join((part or "").split()) for part in (subject, predicate, obj))
    return " | ".join(words) + marks.get(polarity or "", "")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def minute_or_finer(moment: datetime) -> str:
    """Return a time in UTC to the minute, finer only where it is."""
    moment = moment.astimezone(UTC)
    if moment.microsecond:
        return moment.strftime("%Y-%m-%d %H:%M:%S.%f")
    return moment.strftime("%Y-%m-%d %H:%M:%S" if moment.second else "%Y-%m-%d %H:%M")

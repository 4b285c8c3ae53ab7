"""Plain English for near misses: which test each failed, by which rule, and what would have retired it."""

from __future__ import annotations

from collections.abc import Mapping

from prme.explanation.nearness import Nearness, Outcome
from prme.explanation.wording import minute, shortened, told_apart
from prme.model.claim import Claim
from prme.model.decision import RuleDecision, Test
from prme.model.explanation import ExplainedNearMiss, Retirement
from prme.model.node import Node
from prme.text_folding import fold_text

FAILED: Mapping[Test, str] = {
    "predicate": "rule {rule} asks for a related predicate: it says {found}, the correction {needed}",
    "object": 'rule {rule} ends what "{needed}" names, which is not its object, "{found}"',
    "source_type": "rule {rule} keeps to one source: it comes from another source ({found}) than the correction "
    "({needed})",
    "kind": "rule {rule} keeps to one kind: it is a {found} and the correction a {needed}",
    "state": "rule {rule} ends only what is open and plainly stated: it was {found}",
    "time": "rule {rule} ends only what took effect before: it took effect later ({found}) than the correction "
    "({needed})",
}
"""The test that a near miss failed; `rule`, `found` and `needed` are filled in."""

NEW_VALUE = 'it has the new value itself, "{found}", and nothing replaces itself'
NOT_NAMED = ', nor would rule {rule} end it: that ends what "{needed}" names'
RECEIVED_LATER = (
    "rule {rule} ends only what came before: it took effect at the same time and was received later "
    "({found}, the correction {needed})"
)
FURTHER_ON = (
    "rule {rule} ends only what came before: it took effect at the same time and stands further on in the same message "
    "({found}, the correction {needed})"
)

TESTS: Mapping[Test, str] = {
    "predicate": "said with the predicate {found} in place of {needed}, the correction would have retired it",
    "object": 'naming "{found}" would have retired it',
    "source_type": "from the same source, the correction would have retired it",
    "kind": "as a {found}, the correction would have retired it",
    "state": "open and plainly stated it would have been retired",
    "time": "taking effect just after it, the correction would have retired it",
}
"""What would have retired a near miss, where the rules keep that promise."""

ANOTHER_VALUE = "another new value would have retired it"
WITHOUT_CLOSER = "without that it would have been retired"
OTHERWISE: Mapping[Outcome, str] = {
    "unclear": "passing this test would only have made the correction ambiguous",
    "one_more": "passing this test it would only have been one more candidate",
    "nothing": "passing this test would not have been enough",
}
"""What passing the test would have led to, where it retires nothing."""


def explained_near_miss(
    nearness: Nearness,
    correction: Claim,
    decision: RuleDecision,
    *,
    earlier: Node,
    node: Node,
    closed_by: Retirement | None,
) -> ExplainedNearMiss:
    """Return a near miss in words: what it has, what the test asks for, and what passing the test would have done.

    `earlier` is read as its claim and `node` as the correction's; `closed_by` tells how the near miss was closed. It
    promises a retirement only when judging again retired it.
    """
    ended = nearness.near_miss.test == "state" and was_closed(earlier, node)
    found, needed = _found_and_needed(nearness, correction, decision, earlier, node)
    text = _failed(nearness, correction).format(rule=decision.rule, found=found, needed=needed)
    text += _by(closed_by) if ended else ""
    if nearness.outcome == "retired":
        text += f"; {_promise(nearness).format(found=found, needed=needed)}"
    elif nearness.outcome is not None:
        text += f"; {OTHERWISE[nearness.outcome]}"
    return ExplainedNearMiss(
        near_miss=nearness.near_miss,
        node=earlier,
        found=found,
        needed=needed,
        says=text,
        would_have_retired=nearness.outcome == "retired",
        closed_by=closed_by if ended else None,
    )


def _promise(nearness: Nearness) -> str:
    if nearness.same_value:
        return ANOTHER_VALUE
    return TESTS[nearness.near_miss.test] if nearness.closer is None else WITHOUT_CLOSER


def _failed(nearness: Nearness, correction: Claim) -> str:
    """Return the words for the test that a near miss failed, with its fields still to be filled in."""
    if nearness.same_value:
        return NEW_VALUE if nearness.outcome is not None else NEW_VALUE + NOT_NAMED
    earlier = nearness.earlier
    if nearness.near_miss.test == "time" and earlier.effective_at == correction.effective_at:
        return RECEIVED_LATER if earlier.received_at != correction.received_at else FURTHER_ON
    return FAILED[nearness.near_miss.test]


def _found_and_needed(
    nearness: Nearness, correction: Claim, decision: RuleDecision, earlier: Node, node: Node
) -> tuple[str, str]:
    """Return what a near miss has, and what the test that it failed asks for."""
    match nearness.near_miss.test:
        case "predicate":
            return earlier.predicate or "", node.predicate or ""
        case "object":
            return earlier.object or "", target_words(decision, nearness.target)
        case "source_type":
            return earlier.source_type.value, node.source_type.value
        case "kind":
            return earlier.node_type.value.lower(), node.node_type.value.lower()
        case "state":
            return _state(earlier, node), "open and plainly stated"
        case "time":
            return _times(nearness.earlier, correction)


def _times(earlier: Claim, correction: Claim) -> tuple[str, str]:
    """Return by what the two are in order: when they took effect, else were received, else their places."""
    if earlier.effective_at != correction.effective_at:
        return told_apart(earlier.effective_at, correction.effective_at)
    if earlier.received_at != correction.received_at:
        return told_apart(earlier.received_at, correction.received_at)
    return f"claim {earlier.position + 1}", f"claim {correction.position + 1}"


def target_words(decision: RuleDecision, target: str) -> str:
    """Return the words of the message that name a target; its folded form when they do not stand there alone."""
    quote = decision.trigger.quote
    return quote if fold_text(quote) == target else target


def _by(closed: Retirement | None) -> str:
    """Return what had closed a near miss, as the end of a sentence that says when; nothing when it is not known."""
    if closed is None:
        return ""
    how = "explicit decision" if closed.rule is None else f"rule {closed.rule.name}"
    return f", by {shortened(closed.correction.content)} ({how}, claim {closed.correction.id})"


def was_closed(earlier: Node, correction: Node) -> bool:
    """Whether a claim had ended when a correction took effect, or as the claim itself did."""
    return earlier.valid_to is not None and earlier.valid_to <= max(correction.valid_from, earlier.valid_from)


def _state(earlier: Node, correction: Node) -> str:
    """Return what keeps a claim from being retired at the time of a correction: its end, else what it is."""
    if earlier.valid_to is not None and was_closed(earlier, correction):
        return f"closed on {minute(earlier.valid_to)}"
    if earlier.condition is not None:
        return "conditional"
    if earlier.polarity != "positive":
        return "denied" if earlier.polarity == "negative" else "of unknown polarity"
    return earlier.epistemic_type or "unresolved"

"""Plain English for what grounding and the rules concluded, the same for every front."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from prme.model.decision import Match, NearMiss, Reason, RetiredTarget, RuleDecision, Test, Via
from prme.model.explanation import ExplainedRule
from prme.model.node import Node

REASONS: Mapping[Reason, str] = {
    "not_an_update": "it states something and does not say that something changed; as an update it could correct",
    "conditional": "it holds only under a condition; without the condition it could",
    "not_asserted": "it is not stated as a fact, and only a plain statement may retire another",
    "polarity_unknown": "it does not say whether it affirms or denies, so it has no authority; a clear denial would",
    "no_target": "it names no former value that it would replace; naming it would make it a correction",
    "unresolved_subject": "whom it is about cannot be told, so it corrects nobody; a listed or declared name would",
    "no_match": "no open claim of the same subject matches what it corrects",
    "ambiguous": "it fits claims about different things; words that fit one of them alone would have retired it",
    "decided": "what it could retire was settled by an explicit decision, which only another one changes",
    "contested": "what it could retire is part of an unresolved contradiction, which has to be resolved first",
}
"""Why a claim retired nothing, and what would let it; each completes "It retired nothing: ..."."""

TESTS: Mapping[Test, str] = {
    "predicate": "it says {found}, the correction {needed}; the same predicate would have retired it",
    "object": 'its object is not the "{needed}" that the correction names; naming "{found}" would have retired it',
    "source_type": "it comes from another source ({found}); a correction from that source would have retired it",
    "kind": "it is a {found} and the correction a {needed}; a correction of its kind would have retired it",
    "state": "it was {found}; {needed} it would have been retired",
    "time": "it took effect later ({found}); a correction that takes effect after it would have retired it",
}
"""What kept a near miss, and what would have retired it; `found` and `needed` are those of the explained near miss."""

SAME_VALUE = "it has the new value itself, and nothing replaces itself; another new value would have retired it"
"""The `object` test of a claim whose object the correction's target does name."""

MATCHES: Mapping[Match, str] = {
    "exact": "both name the same object",
    "short": "the correction names it by some of its words",
}
VIAS: Mapping[Via, str] = {
    "same": "with the same predicate",
    "class": "with predicates that mean the same",
    "transition": "and a switch replaces what was used before",
}
"""How a target and its predicate matched; a way follows its match after a comma."""

BY_HAND = "an explicit decision closed it"

REJECTIONS: Mapping[str, str] = {
    "question": "the sentence asks, it does not state",
    "conditional": "the sentence depends on a condition that the claim leaves out",
    "report": "the sentence relays what somebody else says, thinks or heard",
    "quotation": "the words stand inside a quotation",
    "quote_not_found": "the quoted evidence does not stand in the message",
    "quote_blank": "the quoted evidence is blank",
    "subject_not_mentioned": "the message does not mention the subject there",
    "object_not_mentioned": "the message does not mention the object there",
    "subject_blank": "it has no subject",
    "predicate_blank": "it has no predicate",
    "object_blank": "it has no object",
}
"""Why a proposed claim was not admitted."""

CHANGES: Mapping[str, str] = {
    "modal": "kept as hypothetical: the sentence says what may, might or could be",
    "intention": "kept as hypothetical: the sentence speaks of a plan, a wish or an attempt",
    "predicate_normalised": "its predicate was written in snake_case",
    "replaces_object_unsupported": "the former value was dropped: the message does not mention it",
    "condition_unsupported": "its condition does not stand in the message; it was kept and marked",
    "conditional_without_support": "kept as hypothetical: its condition does not stand in the message",
    "temporal_ref_too_long": "its time reference is too long to be one; the time of the message counts",
    "temporal_ref_unsupported": "its time reference does not stand in the message; the time of the message counts",
    "temporal_ref_unparsed": "its time reference could not be read; the time of the message counts",
    "temporal_ref_future": "kept as hypothetical: it speaks of a time after the message",
}
"""What grounding altered in an admitted claim."""


def minute(moment: datetime) -> str:
    """Return a time in UTC to the minute."""
    return moment.astimezone(UTC).strftime("%Y-%m-%d %H:%M UTC")


def decision_says(decision: RuleDecision | None) -> str:
    """Return what the rules concluded for a claim, in one sentence."""
    if decision is None:
        return "no decision is recorded"
    if decision.outcome == "retired":
        count = len(decision.targets)
        return f"it retired {count:,} {'claim' if count == 1 else 'claims'}"
    reason = "no reason is recorded" if decision.reason is None else REASONS[decision.reason]
    return f"it retired nothing: {reason}"


def retirement_says(rule: ExplainedRule | None, target: RetiredTarget | None) -> str:
    """Return the rule that closed a claim and how the two matched; without a target it was closed by hand."""
    if target is None:
        return BY_HAND
    matched = f"{MATCHES[target.match]}, {VIAS[target.via]}"
    return matched if rule is None else f"{rule.says}; {matched}"


def found_and_needed(miss: NearMiss, earlier: Node, correction: Node, decision: RuleDecision) -> tuple[str, str]:
    """Return what a near miss has, and what the test that it failed asks for."""
    match miss.test:
        case "predicate":
            return earlier.predicate or "", correction.predicate or ""
        case "object":
            return earlier.object or "", decision.trigger.quote
        case "source_type":
            return earlier.source_type.value, correction.source_type.value
        case "kind":
            return earlier.node_type.value.lower(), correction.node_type.value.lower()
        case "state":
            return _state(earlier, correction), "open and plainly stated"
        case "time":
            return minute(earlier.valid_from), minute(correction.valid_from)


def near_miss_says(miss: NearMiss, found: str, needed: str, *, same_value: bool) -> str:
    """Return which test a near miss failed, and what would have retired it, in one sentence."""
    if miss.test == "object" and same_value:
        return SAME_VALUE
    return TESTS[miss.test].format(found=found, needed=needed)


def _state(earlier: Node, correction: Node) -> str:
    """Return what keeps a claim from being retired at the time of a correction: its end, else what it is."""
    ended = earlier.valid_to is not None and earlier.valid_to <= max(correction.valid_from, earlier.valid_from)
    if ended and earlier.valid_to is not None:
        return f"closed on {minute(earlier.valid_to)}"
    if earlier.condition is not None:
        return "conditional"
    if earlier.polarity != "positive":
        return "denied" if earlier.polarity == "negative" else "of unknown polarity"
    return earlier.epistemic_type or "unresolved"

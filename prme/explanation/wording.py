"""Plain English for what grounding and the rules concluded, the same for every front."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime

from prme.model.decision import Match, Reason, RetiredTarget, Via
from prme.model.explanation import ExplainedRule

REASONS: Mapping[Reason, str] = {
    "not_an_update": "it states something and does not say that something changed; an update that names a former value "
    "could correct",
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

LONGEST_WORDS = 120
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
    return _printed(moment, "%H:%M")


def told_apart(one: datetime, other: datetime) -> tuple[str, str]:
    """Return two times to the minute; to the second or microsecond where they would read the same."""
    for clock in ("%H:%M", "%H:%M:%S"):
        printed = _printed(one, clock), _printed(other, clock)
        if printed[0] != printed[1]:
            return printed
    return _printed(one, "%H:%M:%S.%f"), _printed(other, "%H:%M:%S.%f")


def _printed(moment: datetime, clock: str) -> str:
    return moment.astimezone(UTC).strftime(f"%Y-%m-%d {clock} UTC")


def shortened(text: str) -> str:
    """Return words of a message in quotation marks, in one line; what is too long for a sentence is cut."""
    words = " ".join(text.split())
    return f'"{words}"' if len(words) <= LONGEST_WORDS else f'"{words[:LONGEST_WORDS].rstrip()}..."'


def retirement_says(rule: ExplainedRule | None, target: RetiredTarget | None) -> str:
    """Return the rule that closed a claim and how the two matched; without a target it was closed by hand."""
    if target is None:
        return BY_HAND
    matched = f"{MATCHES[target.match]}, {VIAS[target.via]}"
    return matched if rule is None else f"{rule.says}; {matched}"

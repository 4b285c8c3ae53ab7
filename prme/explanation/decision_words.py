"""Plain English for decisions: what the rules concluded for a claim, by which rule and words, and what would fire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from prme.explanation.near_miss_words import target_words
from prme.explanation.nearness import ANOTHER_VALUE, Fitting, corrects, without_obstacle
from prme.explanation.wording import REASONS, shortened
from prme.model.claim import Claim
from prme.model.decision import Reason, RuleDecision
from prme.policy.policy import Target
from prme.policy.registry import get_policy

MOST_NAMED = 5

OBSTACLES: Mapping[Reason, str] = {
    "not_an_update": "it states something and does not say that something changed",
    "conditional": "it holds only under the condition {words}",
    "not_asserted": "{words} is not stated as a fact ({epistemic_type}), and only a plain statement may retire another",
    "polarity_unknown": "{words} does not say whether it affirms or denies, so it has no authority",
}
"""What takes a claim's authority, with the words that do."""

WITHOUT: Mapping[Reason, str] = {
    "not_an_update": "as an update it",
    "conditional": "without the condition it",
    "not_asserted": "stated as a fact it",
    "polarity_unknown": "a clear denial",
}
"""The same claim without that; "could" or "would have retired" follows."""

STILL: Mapping[Reason, str] = {
    "conditional": "it holds only under a condition",
    "not_asserted": "it is not stated as a fact",
    "polarity_unknown": "it does not say whether it affirms or denies",
    "no_target": "it names no former value",
    "unresolved_subject": "whom it is about cannot be told",
}
"""What takes the authority next; completes "would still correct nothing: ..."."""

NAMING_UPDATE = "an update that names a former value could correct"


@dataclass(frozen=True, slots=True)
class Told:
    """What a decision's sentence needs beside the codes: the subject, and objects of claims as they were said.

    `would_retire`, `tells_apart` and `fitting` are those of the claim's told; `candidates` are the distinct objects
    that an ambiguous correction could mean. `local` says that the subject is known in its message only.
    """

    subject: str
    local: bool
    would_retire: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()
    tells_apart: tuple[str, ...] = ()
    fitting: Fitting | None = None


def decision_says(decision: RuleDecision | None, claim: Claim, told: Told) -> str:
    """Return what the rules concluded for a claim, in one sentence that says what would have made them retire."""
    if decision is None:
        return "no decision is recorded"
    if decision.outcome == "retired":
        count = len(decision.targets)
        return f"it retired {count:,} {'claim' if count == 1 else 'claims'}"
    return f"it retired nothing: {_reason(decision, claim, told)}"


def _reason(decision: RuleDecision, claim: Claim, told: Told) -> str:
    words = shortened(decision.trigger.quote)
    match decision.reason:
        case None:
            return "no reason is recorded"
        case "not_an_update" | "conditional" | "not_asserted" | "polarity_unknown":
            return _obstacle(decision.reason, words, claim, told)
        case "no_target":
            return _without_target(words, claim)
        case "unresolved_subject":
            return (
                f"whom {shortened(told.subject)} means in {words} cannot be told, so it corrects nobody; "
                "a listed or declared name would"
            )
        case "no_match" | "ambiguous" | "decided" | "contested":
            target = get_policy(claim.policy).authority(claim)
            return REASONS[decision.reason] if not isinstance(target, Target) else _met(decision, target, claim, told)


def _obstacle(reason: Reason, words: str, claim: Claim, told: Told) -> str:
    if reason == "conditional" and claim.condition is not None:
        words = shortened(claim.condition)
    blocked = OBSTACLES[reason].format(words=words, epistemic_type=claim.epistemic_type)
    if told.would_retire:
        return f"{blocked}; {WITHOUT[reason]} would have retired {_listed(told.would_retire)}"
    freed = without_obstacle(claim, reason)
    left = None if freed is None else get_policy(claim.policy).authority(freed)
    if isinstance(left, Target) or left is None:
        return f"{blocked}; {WITHOUT[reason]} could correct, though it would have met nothing that it may retire"
    if (reason, left) == ("not_an_update", "no_target"):
        return f"{blocked}; {NAMING_UPDATE}"
    return f"{blocked}; {WITHOUT[reason]} would still correct nothing: {STILL[left]}"


def _without_target(words: str, claim: Claim) -> str:
    naming_one = replace(claim, replaces_key=ANOTHER_VALUE, subject_id=claim.subject_id or claim.id)
    if corrects(naming_one):
        return f"{words} names no former value that it would replace; naming it would make it a correction"
    return f"{words} has no former value to end under {claim.policy}, which knows affirmed replacements only"


def _met(decision: RuleDecision, target: Target, claim: Claim, told: Told) -> str:
    named = shortened(target_words(decision, target.object_key))
    rule = f"rule {target.rule.name} ends what {named} names"
    match decision.reason:
        case "ambiguous":
            return (
                f"it fits claims about different things: {rule}, and that is {_listed(told.candidates)}{_apart(told)}"
            )
        case "contested":
            return f"{rule}, and that is part of an unresolved contradiction, which has to be resolved first"
        case "decided":
            return f"{rule}, and that was settled by an explicit decision, which only another one changes"
        case _:
            return f"{rule}, and no open claim of the same subject matches{_fitting(decision, named, claim, told)}"


def _apart(told: Told) -> str:
    if told.tells_apart == told.candidates:
        return "; naming exactly one of them would have retired it"
    if told.tells_apart:
        one_of = "" if len(told.tells_apart) == 1 else "exactly one of "
        return f"; naming {one_of}{_listed(told.tells_apart)} would have retired it"
    return "; naming one of them would not have been enough"


def _fitting(decision: RuleDecision, named: str, claim: Claim, told: Told) -> str:
    if decision.near_misses:
        return ""
    if told.local:
        return f"; {shortened(told.subject)} is known in this message only, so nothing said in another one can be meant"
    if told.fitting is None:
        return "; what it would replace is its new value, and nothing replaces itself"
    predicates = " or ".join(told.fitting.predicates)
    return (
        "; an earlier open plain statement of the same subject, "
        f"source ({claim.source_type.value}) and kind ({claim.kind}), with the predicate {predicates} "
        f"and an object that {named} names, would have been retired"
    )


def _listed(objects: Sequence[str]) -> str:
    """Return objects in quotation marks; of many the first."""
    named = [shortened(text) for text in objects[:MOST_NAMED]]
    if len(objects) > MOST_NAMED:
        named.append(f"{len(objects) - MOST_NAMED:,} more")
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"

"""What a policy is: frozen data plus pure functions, with no view of a store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prme.model.claim import Claim
from prme.model.decision import Match, Reason, Via
from prme.model.extraction import Kind
from prme.policy.speech_act_words import SpeechActWords

ASSERTING = frozenset({"observed", "asserted"})


@dataclass(frozen=True, slots=True)
class Target:
    """The folded former value that a correction is about."""

    object_key: str


@dataclass(frozen=True, slots=True)
class Transition:
    """One positive predicate that may replace positive claims of other predicates, for one kind of claim (003-32)."""

    predicate: str
    replaces: frozenset[str]
    kind: Kind


@dataclass(frozen=True, slots=True)
class Policy:
    """A named, frozen rule set.

    `number` orders policies from old to new. `words` are the word lists of grounding. `binds_owner` says whether
    first-person forms of a declared owner share one identity. `authority` returns what a claim may correct, or the
    reason why it corrects nothing. `match_object` compares a target with an earlier object, both folded; every match
    must share the target's first word with the object.
    """

    name: str
    number: int
    words: SpeechActWords
    binds_owner: bool
    predicate_classes: tuple[frozenset[str], ...]
    transitions: tuple[Transition, ...]
    authority: Callable[[Claim], Target | Reason]
    match_object: Callable[[str, str], Match | None]

    def relation(self, correction: Claim, earlier: Claim) -> Via | None:
        """Return how the two predicates are related, or None when this policy keeps them apart (003-31 to 003-33)."""
        if correction.predicate == earlier.predicate:
            return "same"
        for predicates in self.predicate_classes:
            if correction.predicate in predicates and earlier.predicate in predicates:
                return "class"
        if correction.polarity != "positive":
            return None
        for transition in self.transitions:
            if (
                correction.predicate == transition.predicate
                and earlier.predicate in transition.replaces
                and correction.kind == earlier.kind == transition.kind
            ):
                return "transition"
        return None


def obstacle(claim: Claim) -> Reason | None:
    """Return why a claim is no correction at all, or None: the tests that every policy so far shares."""
    if claim.temporal_intent != "update":
        return "not_an_update"
    if claim.condition is not None:
        return "conditional"
    if claim.epistemic_type not in ASSERTING:
        return "not_asserted"
    if claim.polarity == "unknown":
        return "polarity_unknown"
    return None


def is_correctable(claim: Claim) -> bool:
    """Whether a claim is of a kind that may ever be retired by a rule (003-25): asserted, unconditional, positive."""
    return (
        claim.polarity == "positive"
        and claim.condition is None
        and claim.epistemic_type in ASSERTING
        and claim.subject_id is not None
    )

"""What a policy is: frozen data plus pure functions, with no view of a store."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from prme.model.claim import Claim
from prme.model.decision import Reason, Via
from prme.model.extraction import Kind
from prme.policy.object_match import ObjectMatching
from prme.policy.speech_act_words import SpeechActWords

ASSERTING = frozenset({"observed", "asserted"})


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that gives a claim a target: its name, as decisions carry it, and what it says, in one sentence."""

    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Target:
    """The folded former value that a correction is about, and the rule that made it the target."""

    object_key: str
    rule: Rule


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
    first-person forms of a declared owner share one identity. `rules` lists every rule that `authority` may name.
    `authority` returns what a claim may correct, or the reason why it corrects nothing; `may_retire` says whether an
    earlier claim is of a kind that it may ever retire. Both see the claim alone.
    """

    name: str
    number: int
    words: SpeechActWords
    binds_owner: bool
    predicate_classes: tuple[frozenset[str], ...]
    transitions: tuple[Transition, ...]
    rules: tuple[Rule, ...]
    authority: Callable[[Claim], Target | Reason]
    may_retire: Callable[[Claim], bool]
    objects: ObjectMatching

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


def is_plain_statement(claim: Claim) -> bool:
    """Whether a claim is asserted, unconditional and positive, of a known subject: what may be retired (003-25)."""
    return (
        claim.polarity == "positive"
        and claim.condition is None
        and claim.epistemic_type in ASSERTING
        and claim.subject_id is not None
    )

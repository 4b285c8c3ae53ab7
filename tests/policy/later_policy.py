"""A policy that differs from the others in every part; a test puts it beside them under the next free name."""

from __future__ import annotations

from dataclasses import replace

from prme.model.claim import Claim
from prme.model.decision import Match, Reason
from prme.policy.object_match import Bound, ObjectMatching
from prme.policy.policy import Policy, Rule, Target, Transition
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

# One file is several policies in turn, so it takes its name from the module that it is loaded as.
_NAME = __name__.rpartition(".")[2]
PLAIN_DENIAL = Rule("plain_denial", "a denial ends what it denies, also without a word of change")
MOVE = Rule("move", "a move ends the place that it names")
SHORTEST_PLURAL = 4


def _singular(word: str) -> str:
    return word[:-1] if len(word) >= SHORTEST_PLURAL and word.endswith("s") else word


def _singulars(folded: str) -> list[str]:
    return [_singular(word) for word in folded.split()]


def _match(target: str, object_key: str) -> Match | None:
    if target == object_key:
        return "exact"
    return "short" if _singulars(target) == _singulars(object_key)[-len(target.split()) :] else None


def _last_word(folded: str) -> str:
    return f"last word {_singulars(folded)[-1]}"


def _authority(claim: Claim) -> Target | Reason:
    if claim.condition is not None:
        return "conditional"
    if claim.subject_id is None:
        return "unresolved_subject"
    if claim.polarity == "negative":
        return Target(claim.object_key, PLAIN_DENIAL)
    return "no_target" if claim.replaces_key is None else Target(claim.replaces_key, MOVE)


def _may_retire(claim: Claim) -> bool:
    return claim.polarity == "positive" and claim.condition is None


POLICY = Policy(
    name=_NAME,
    number=int(_NAME.removeprefix("speech_act_v")),
    words=replace(SPEECH_ACT_WORDS_V14, modal_adverbs=(*SPEECH_ACT_WORDS_V14.modal_adverbs, "methinks")),
    binds_owner=True,
    # Joins two classes of the older policies, and what their transition relates with a predicate of its own.
    predicate_classes=(frozenset({"works_at", "role"}), frozenset({"uses", "drives"})),
    transitions=(Transition(predicate="moved_to", replaces=frozenset({"lives_in"}), kind="fact"),),
    rules=(PLAIN_DENIAL, MOVE),
    authority=_authority,
    may_retire=_may_retire,
    objects=ObjectMatching(
        _match,
        object_cues=lambda object_key: (_last_word(object_key),),
        target_cue=_last_word,
        says="a target names an object that ends with its words, in the singular or the plural",
        bounds=(Bound("fewest characters of a plural", SHORTEST_PLURAL),),
    ),
)

"""`speech_act_v14`, the default policy: named replacements, negative updates, owner identity (003-24 to 003-46)."""

from __future__ import annotations

from prme.model.claim import Claim
from prme.model.decision import Reason
from prme.policy.object_match import match_exact_or_short
from prme.policy.policy import Policy, Target, Transition, obstacle
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

PREDICATE_CLASSES = (
    frozenset({"works_at", "employed_by", "employed_at", "joined"}),
    frozenset({"lives_in", "resides_in", "located_in"}),
    frozenset({"role", "position", "title"}),
)
TRANSITIONS = (Transition(predicate="switched_to", replaces=frozenset({"uses", "use"}), kind="fact"),)


def authority(claim: Claim) -> Target | Reason:
    """Return the named former value, else a denial's own object, else why the claim corrects nothing."""
    reason = obstacle(claim)
    if reason is not None:
        return reason
    target = claim.replaces_key
    if target is None and claim.polarity == "negative":
        target = claim.object_key
    if target is None:
        return "no_target"
    return "unresolved_subject" if claim.subject_id is None else Target(target)


POLICY = Policy(
    name="speech_act_v14",
    number=14,
    words=SPEECH_ACT_WORDS_V14,
    binds_owner=True,
    predicate_classes=PREDICATE_CLASSES,
    transitions=TRANSITIONS,
    authority=authority,
    match_object=match_exact_or_short,
)

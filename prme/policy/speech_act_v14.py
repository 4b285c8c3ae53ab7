"""`speech_act_v14`, the default policy: named replacements, negative updates, owner identity (003-24 to 003-46)."""

from __future__ import annotations

from prme.model.claim import Claim
from prme.model.decision import Reason
from prme.policy.object_match import EXACT_OR_SHORT
from prme.policy.policy import Policy, Rule, Target, Transition, is_plain_statement, obstacle
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14

NAMED_REPLACEMENT = Rule("named_replacement", "an update that names the former value ends it")
DENIAL = Rule("denial", "a denial that says something changed ends what it denies")
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
    if claim.replaces_key is not None:
        target = Target(claim.replaces_key, NAMED_REPLACEMENT)
    elif claim.polarity == "negative":
        target = Target(claim.object_key, DENIAL)
    else:
        return "no_target"
    return "unresolved_subject" if claim.subject_id is None else target


POLICY = Policy(
    name="speech_act_v14",
    number=14,
    words=SPEECH_ACT_WORDS_V14,
    binds_owner=True,
    predicate_classes=PREDICATE_CLASSES,
    transitions=TRANSITIONS,
    rules=(NAMED_REPLACEMENT, DENIAL),
    authority=authority,
    may_retire=is_plain_statement,
    objects=EXACT_OR_SHORT,
)

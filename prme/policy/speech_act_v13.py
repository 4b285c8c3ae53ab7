"""`speech_act_v13`, kept to replay old plans: named positive replacement by exact match, and nothing else."""

from __future__ import annotations

from prme.model.claim import Claim
from prme.model.decision import Reason
from prme.policy.object_match import EXACT
from prme.policy.policy import Policy, Target, is_plain_statement, obstacle
from prme.policy.speech_act_v14 import NAMED_REPLACEMENT, PREDICATE_CLASSES
from prme.policy.speech_act_words import SPEECH_ACT_WORDS_V14


def authority(claim: Claim) -> Target | Reason:
    """Return the named former value of a positive update, else why the claim corrects nothing."""
    reason = obstacle(claim)
    if reason is not None:
        return reason
    if claim.polarity != "positive" or claim.replaces_key is None:
        return "no_target"
    return "unresolved_subject" if claim.subject_id is None else Target(claim.replaces_key, NAMED_REPLACEMENT)


POLICY = Policy(
    name="speech_act_v13",
    number=13,
    words=SPEECH_ACT_WORDS_V14,
    binds_owner=False,
    predicate_classes=PREDICATE_CLASSES,
    transitions=(),
    rules=(NAMED_REPLACEMENT,),
    authority=authority,
    may_retire=is_plain_statement,
    objects=EXACT,
)

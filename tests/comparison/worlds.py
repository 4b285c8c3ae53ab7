"""Random worlds for comparisons: plans of one owner as they were saved, and decisions made by hand on their claims."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta

from hypothesis import strategies as st

from prme.model.decision import ExplicitDecision
from prme.model.extraction import Extraction
from prme.model.plan import ExtractionPlan
from prme.policy.policy import Policy
from prme.policy.registry import DEFAULT_POLICY, POLICIES, get_policy
from tests.engine.random_messages import Saying, sayings
from tests.plan.plans import RECEIVED_AT, event, prepared


@dataclass(frozen=True)
class World:
    """Plans in the order of receipt, and decisions by hand in the order in which they were made."""

    plans: tuple[ExtractionPlan, ...]
    decisions: tuple[ExplicitDecision, ...]


def plan_of(saying: Saying, number: int, policy: str) -> ExtractionPlan:
    fields = {**saying.fields, "user_id": "sam", "message_id": f"m{number}"}
    return prepared(
        event(**fields, received_at=RECEIVED_AT + timedelta(minutes=number)),
        Extraction(claims=list(saying.claims)),
        policy=policy,
    ).plan


@st.composite
def decisions(draw: st.DrawFn, plans: tuple[ExtractionPlan, ...]) -> tuple[ExplicitDecision, ...]:
    claims = [claim.id for plan in plans for claim in plan.claims]
    if len(claims) < 2:
        return ()
    found: list[ExplicitDecision] = []
    for number in range(1, draw(st.integers(0, 3)) + 1):
        old, new = draw(st.permutations(claims))[:2]
        kind = draw(st.sampled_from(("supersede", "contradict", "resolve")))
        latest = draw(st.sampled_from(plans)).event
        at = None if kind == "contradict" else latest.occurred_at
        found.append(ExplicitDecision(number=number, kind=kind, old=old, new=new, at=at, mark=latest.received_at))
    return tuple(found)


@st.composite
def worlds(draw: st.DrawFn) -> World:
    said = draw(st.lists(sayings(st.integers(0, 99)), min_size=1, max_size=5))
    policies = st.sampled_from(list(POLICIES))
    plans = tuple(plan_of(saying, number, draw(policies)) for number, saying in enumerate(said))
    return World(plans, draw(decisions(plans)))


def policy_of_more_words() -> Policy:
    """Return a policy that differs from the default one in its words alone."""
    default = get_policy(DEFAULT_POLICY)
    words = replace(
        default.words,
        modal_adverbs=(*default.words.modal_adverbs, "methinks"),
        conditionals=(*default.words.conditionals, "lest"),
    )
    return replace(default, name="speech_act_v99", number=99, words=words)

"""A decision that retired nothing says in one sentence what would have retired something, and the rules agree."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prme import MemoryClient
from prme.clock import MICROSECOND
from prme.correction.near_miss import near_misses
from prme.correction.subject import fold_subject
from prme.explanation.decision_words import Told, decision_says
from prme.explanation.nearness import World, naming, plainly
from prme.explanation.remedies import Remedy, find_remedy, needs_world
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision, RuleDecision
from prme.model.extraction import ExtractedClaim
from prme.policy.policy import Target
from prme.policy.registry import get_policy
from tests.correction.claims import V13, claim, contradict, decisions, denial, supersede, update
from tests.engine.conversation import NOON, Scripted, SettableClock, extraction
from tests.engine.conversation import claim as proposed
from tests.engine.conversation import denial as denied
from tests.explanation.worlds import PROMISE, make_world

WITHOUT: dict[str, dict[str, Any]] = {
    "not_an_update": {"temporal_intent": "update"},
    "conditional": {"condition": None},
    "not_asserted": {"epistemic_type": "asserted"},
    "polarity_unknown": {"polarity": "negative"},
}


@st.composite
def worlds(draw: st.DrawFn) -> tuple[Claim, ...]:
    return make_world(lambda options: draw(st.sampled_from(options)))


def judged(claims: Sequence[Claim], name: str, decided: Sequence[ExplicitDecision] = ()) -> RuleDecision:
    subject = fold_subject(claims, decided)
    [each] = [each for each in claims if each.id == name]
    decision = decisions(subject)[name]
    return decision.model_copy(update={"near_misses": near_misses(subject, each)})


def told(claims: Sequence[Claim], decided: tuple[ExplicitDecision, ...] = ()) -> str:
    """Return the sentence for the last claim of a world."""
    return _told(claims, claims[-1], judged(claims, claims[-1].id, decided), decided)[0]


def _told(
    claims: Sequence[Claim], each: Claim, decision: RuleDecision, decided: tuple[ExplicitDecision, ...] = ()
) -> tuple[str, Remedy]:
    by_id = {one.id: one for one in claims}
    remedy = find_remedy(World(by_id, decided), each, decision) if needs_world(each, decision) else Remedy()

    def objects(names: Sequence[str]) -> tuple[str, ...]:
        return tuple(dict.fromkeys(by_id[name].object_key for name in names))

    words = Told(
        subject="I",
        local=False,
        would_retire=objects(remedy.would_retire),
        candidates=objects(decision.candidates),
        tells_apart=objects(remedy.tells_apart),
        fitting=remedy.fitting,
    )
    return decision_says(decision, each, words), remedy


def retires(claims: Sequence[Claim], changed: Claim) -> set[str]:
    """Return what a changed claim retires when the whole world is folded from nothing."""
    others = [each for each in claims if each.id != changed.id]
    return {target.claim_id for target in decisions(fold_subject([*others, changed]))[changed.id].targets}


@given(worlds())
@settings(max_examples=300)
def test_every_promise_of_a_decision_is_kept_by_the_rules(claims: tuple[Claim, ...]):
    for each in claims:
        decision = judged(claims, each.id)
        if decision.reason is None:
            continue
        says, remedy = _told(claims, each, decision)

        assert (PROMISE.search(says) is not None) == bool(
            remedy.would_retire or remedy.tells_apart or remedy.fitting is not None
        )
        if decision.reason in WITHOUT:
            assert retires(claims, replace(each, **WITHOUT[decision.reason])) == set(remedy.would_retire)
        target = get_policy(each.policy).authority(each)
        if not isinstance(target, Target):
            continue
        for candidate in decision.candidates:
            named = naming(each, target, {one.id: one for one in claims}[candidate].object_key)
            assert (candidate in remedy.tells_apart) <= (candidate in retires(claims, named))
        for predicate in () if remedy.fitting is None else remedy.fitting.predicates:
            fitting = replace(
                plainly(claim("fitting", target.object_key)),
                predicate=predicate,
                kind=each.kind,
                source_type=each.source_type,
                effective_at=each.effective_at,
                received_at=each.received_at - MICROSECOND,
            )
            assert "fitting" in retires([*claims, fitting], each)


def test_an_ambiguous_correction_lists_what_naming_exactly_one_would_have_retired():
    bikes = claim("road", "road bike", day=0), claim("mountain", "mountain bike", day=1)

    assert told([*bikes, denial("no", "bike", day=2)]) == (
        'it retired nothing: it fits claims about different things: rule denial ends what "bike" names, and that is '
        '"road bike" and "mountain bike"; naming exactly one of them would have retired it'
    )


def test_a_candidate_whose_name_fits_another_one_as_well_is_not_offered():
    bikes = claim("bike", "bike", day=0), claim("mountain", "mountain bike", day=1)

    assert told([*bikes, denial("no", "bike", day=2)]).endswith(
        '"bike" and "mountain bike"; naming "mountain bike" would have retired it'
    )


def test_of_many_candidates_the_first_are_listed():
    bikes = [claim(f"bike {n}", f"{name} bike", day=n / 10) for n, name in enumerate(("red", "blue", "tan", "old"))]
    more = [claim(f"more {n}", f"{name} bike", day=1 + n / 10) for n, name in enumerate(("big", "new", "odd"))]

    assert '"old bike", "big bike" and 2 more; naming' in told([*bikes, *more, denial("no", "bike", day=3)])


def test_a_correction_that_nothing_comes_near_says_what_would_have_been_retired():
    assert told([denial("no", "pump", predicate="works_at")]) == (
        'it retired nothing: rule denial ends what "pump" names, and no open claim of the same subject matches; an '
        "earlier open plain statement of the same subject, source (USER_STATED) and kind (fact), with the predicate "
        'employed_at or employed_by or joined or works_at and an object that "pump" names, would have been retired'
    )


def test_a_correction_that_something_comes_near_leaves_that_to_the_near_misses():
    said = told([claim("patch", "patch"), denial("no", "pump", day=1)])

    assert said.endswith("and no open claim of the same subject matches")


def test_a_switch_would_have_retired_what_was_used():
    assert "the predicate switched_to or use or uses and" in told(
        [update("switch", "Plane", replaces="Trello", predicate="switched_to")]
    )


def test_a_correction_of_a_value_to_itself_promises_nothing():
    assert told([update("same", "Trello", replaces="Trello", policy=V13)]).endswith("and nothing replaces itself")


PUMP = claim("pump", "pump")
OBSTACLES: list[tuple[dict[str, Any], str, str]] = [
    ({"temporal_intent": None}, "does not say that something changed", "as an update it"),
    ({"condition": "if I fast"}, 'holds only under the condition "if I fast"', "without the condition it"),
    ({"epistemic_type": "hypothetical"}, '"words" is not stated as a fact (hypothetical)', "stated as a fact it"),
    ({"polarity": "unknown"}, '"words" does not say whether it affirms or denies', "a clear denial"),
]


@pytest.mark.parametrize(("fields", "blocked", "without"), OBSTACLES)
def test_what_takes_the_authority_is_told_with_what_would_be_retired_without_it(
    fields: dict[str, Any], blocked: str, without: str
):
    says = told([PUMP, denial("no", "pump", day=1, **({"polarity": "negative"} | fields))])

    assert blocked in says
    assert says.endswith(f'; {without} would have retired "pump"')


@pytest.mark.parametrize(("fields", "blocked", "without"), OBSTACLES)
def test_without_anything_to_retire_the_same_claim_promises_nothing(fields: dict[str, Any], blocked: str, without: str):
    says = told([claim("patch", "patch"), denial("no", "pump", day=1, **({"polarity": "negative"} | fields))])

    assert says.endswith(f"; {without} could correct, though it would have met nothing that it may retire")


def test_two_obstacles_are_both_told():
    guess = denial("no", "pump", day=1, condition="if I fast", epistemic_type="inferred")

    assert told([PUMP, guess]).endswith("would still correct nothing: it is not stated as a fact")


def test_a_new_value_beside_the_old_one_says_that_naming_the_old_one_would_do():
    assert told([PUMP, update("new", "patch", day=1)]) == (
        'it retired nothing: "words" names no former value that it would replace; naming it would make it a correction'
    )


def test_a_denial_under_a_policy_without_denials_is_not_told_to_name_anything():
    assert told([PUMP, denial("no", "pump", day=1, policy=V13)]).endswith(
        '"words" has no former value to end under speech_act_v13, which knows affirmed replacements only'
    )


def test_what_was_settled_by_hand_says_that_only_another_decision_changes_it():
    by_hand = (supersede("jira", "trello", day=6, mark=6),)
    world = claim("jira", "Jira", day=1), claim("trello", "Trello", day=6)

    assert told([*world, denial("no", "Trello", day=6, received=7)], by_hand).endswith(
        'rule denial ends what "trello" names, and that was settled by an explicit decision, which only another one '
        "changes"
    )


def test_what_is_contested_says_that_the_contradiction_has_to_be_resolved():
    by_hand = (contradict("jira", "trello", mark=2),)
    world = claim("jira", "Jira", day=1), claim("trello", "Trello", day=2)

    assert told([*world, denial("no", "Jira", day=3)], by_hand).endswith(
        'ends what "jira" names, and that is part of an unresolved contradiction, which has to be resolved first'
    )


def explained(*messages: tuple[str, ExtractedClaim], **fields: Any) -> str:
    """Ingest messages a day after another, and return the sentence for the claim of the last."""
    fields = {"user_id": "sam", "first_person_owner": True, **fields}
    script = {content: extraction(said) for content, said in messages}
    with MemoryClient(":memory:", extractor=Scripted(script), clock=SettableClock()) as memory:
        for day, (content, _) in enumerate(messages):
            receipt = memory.ingest(content, occurred_at=NOON + timedelta(days=day), **fields)
        return memory.explain(receipt.event_id).claims[0].says


TEA = ("I drink tea.", proposed("I", "drinks", "tea"))
NO_TEA = ("I don't drink tea anymore.", denied("I", "drinks", "tea"))


def test_a_name_that_is_not_listed_is_told_with_the_words_that_are_about_it():
    says = explained(("Nadia no longer plays chess.", denied("Nadia", "plays", "chess")))

    assert says == (
        'it retired nothing: whom "Nadia" means in "Nadia no longer plays chess." cannot be told, '
        "so it corrects nobody; a listed or declared name would"
    )


def test_a_subject_of_one_message_says_that_nothing_else_can_be_meant():
    says = explained(TEA, NO_TEA, first_person_owner=False)

    assert says.endswith('; "I" is known in this message only, so nothing said in another one can be meant')


def test_a_declared_owner_is_known_in_every_message():
    assert explained(TEA, NO_TEA) == "it retired 1 claim"


def test_a_condition_is_told_with_the_claim_that_it_kept_as_it_was_said():
    condition = denied("I", "drinks", "TEA", condition="when I travel")
    said = ("I drink Green Tea.", proposed("I", "drinks", "Green Tea"))

    assert explained(said, ("I no longer drink TEA when I travel.", condition)) == (
        'it retired nothing: it holds only under the condition "when I travel"; without the condition it would have '
        'retired "Green Tea"'
    )


def test_a_plain_statement_is_told_without_reading_the_rest_of_its_subject():
    plain = claim("plain", "pump")

    assert not needs_world(plain, judged([plain], "plain"))
    assert needs_world(replace(plain, polarity="negative"), judged([plain], "plain"))

"""Two policies on the same recorded extractions: what differs is listed claim by claim, and nothing else is."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prme.clock import utc_text_or_none
from prme.comparison import Closing, Comparison, Verdict, compare
from prme.comparison.differences import _differing
from prme.comparison.judge import judge
from prme.comparison.outcome import total
from prme.errors import UnsupportedPlanError
from prme.model.decision import RetiredTarget
from prme.model.extraction import ExtractedClaim, Extraction
from prme.model.plan import ExtractionPlan
from prme.policy.registry import POLICIES, get_policy
from tests.comparison.worlds import World, policy_of_more_words, worlds
from tests.plan.golden import CASES, GOLDEN, explicit_decisions, labels_of, saved_plans
from tests.plan.plans import OCCURRED_AT, RECEIVED_AT, event, prepared

V13, V14 = "speech_act_v13", "speech_act_v14"
ONE_POLICY = [case for case in CASES if len({plan.policy for plan in saved_plans(case)}) == 1]
DECIDED = [case for case in CASES if (case / "decisions.jsonl").exists()]


def of_case(case: Path, a: str = V13, b: str = V14) -> Comparison:
    plans = saved_plans(case)
    return compare(plans, explicit_decisions(case, labels_of(plans)), a, b)


def told(comparison: Comparison) -> dict[str, tuple[str, ...]]:
    """Return in what the claims differ, by the text of their message (which has one claim)."""
    return {found.event.content: found.claims[0].differs for found in comparison.messages}


def said(*messages: tuple[str, ExtractedClaim], **fields: Any) -> list[ExtractionPlan]:
    return [
        prepared(
            event(
                content,
                message_id=f"m{n}",
                occurred_at=OCCURRED_AT + timedelta(days=n),
                received_at=RECEIVED_AT + timedelta(days=n),
                **fields,
            ),
            Extraction(claims=[claim]),
        ).plan
        for n, (content, claim) in enumerate(messages)
    ]


def states(predicate: str, obj: str, **fields: Any) -> ExtractedClaim:
    return ExtractedClaim(subject="I", predicate=predicate, object=obj, polarity="positive", **fields)


@pytest.fixture
def wordy(monkeypatch: pytest.MonkeyPatch) -> str:
    policy = policy_of_more_words()
    monkeypatch.setitem(POLICIES, policy.name, policy)
    return policy.name


@pytest.mark.parametrize("case", ONE_POLICY, ids=lambda case: case.name)
def test_each_side_is_what_the_policy_does_to_memory(case: Path):
    plans = saved_plans(case)
    labels = labels_of(plans)
    verdicts = judge(plans, explicit_decisions(case, labels), get_policy(plans[0].policy))
    outcome = json.loads((case / "outcome.json").read_bytes())

    def label(node_id: str | None) -> str | None:
        return None if node_id is None else labels[node_id]

    found = {
        labels[name]: (
            verdict.status,
            None if verdict.closing is None else (utc_text_or_none(verdict.closing.at), label(verdict.closing.by)),
            label(verdict.confirms),
            verdict.decision and [verdict.decision.reason, verdict.decision.rule],
            verdict.decision and [[labels[t.claim_id], t.match, t.via] for t in verdict.decision.targets],
        )
        for name, verdict in verdicts.items()
        if verdict.claim is not None
    }
    assert found == {
        name: (
            told["interval"]["status"],
            None
            if told["interval"]["valid_to"] is None
            else (told["interval"]["valid_to"], told["interval"]["superseded_by"]),
            told["interval"]["confirms"],
            [told["decision"]["reason"], told["decision"]["rule"]],
            told["decision"]["targets"],
        )
        for name, told in outcome.items()
    }
    assert {verdict.rejected for verdict in verdicts.values()} - {None} == {
        rejected.reason for plan in plans for rejected in plan.rejected
    }


def test_a_denial_retires_under_the_newer_policy_only():
    comparison = of_case(GOLDEN / "policies-side-by-side")
    statement, denial = comparison.messages[0].claims[0], comparison.messages[1].claims[0]

    assert (statement.differs, statement.a.closing) == (("closing",), None)
    assert statement.b.closing == Closing(
        at=denial.b.claim.effective_at, by=denial.claim_id, rule="denial", match="exact", via="same"
    )
    assert (denial.a.decision.reason, denial.b.decision.reason) == ("no_target", None)
    assert denial.b.decision.targets == (RetiredTarget(claim_id=statement.claim_id, match="exact", via="same"),)


def test_a_switch_replaces_under_the_newer_policy_only():
    first, second = (message.claims[0] for message in of_case(GOLDEN / "transition-switch").messages)

    assert (first.a.closing, first.b.closing.via) == (None, "transition")
    assert (second.a.decision.reason, second.b.decision.targets[0].claim_id) == ("no_match", first.claim_id)


def test_the_declared_owner_is_one_subject_under_the_newer_policy_only():
    first, second = (message.claims[0] for message in of_case(GOLDEN / "owner-forms").messages)

    assert "subject" in first.differs
    assert first.a.claim.subject_id != second.a.claim.subject_id
    assert first.b.claim.subject_id == second.b.claim.subject_id


def test_a_named_replacement_by_a_named_speaker_is_the_same_under_both():
    plans = said(
        ("I use Trello.", states("uses", "Trello")),
        (
            "I use Plane instead of Trello now.",
            states("uses", "Plane", temporal_intent="update", replaces_object="Trello"),
        ),
        speaker="Ines",
        first_person_owner=False,
    )
    comparison = compare(plans, (), V13, V14)

    assert comparison.messages == ()
    assert (comparison.summary.a.retired, comparison.summary.b.retired) == (1, 1)


def test_what_is_named_in_a_verdict_is_named_in_words():
    statement, *_ = of_case(GOLDEN / "policies-side-by-side").messages
    (named,) = statement.named

    assert named.id == statement.claims[0].b.closing.by
    assert (named.subject, named.predicate, named.object, named.polarity) == ("Nadia", "uses", "Figma", "negative")


def test_a_word_that_makes_a_guess_differs_in_how_sure_the_claim_is(wordy: str):
    plans = said(("Methinks I use Vim.", states("uses", "Vim")), ("I use Vim.", states("uses", "Vim")))
    comparison = compare(plans, (), V14, wordy)
    guess = comparison.messages[0].claims[0]

    assert told(comparison)["Methinks I use Vim."][0] == "epistemic_type"
    assert (guess.a.claim.epistemic_type, guess.b.claim.epistemic_type) == ("asserted", "hypothetical")
    assert guess.b.claim.changes[-1] == "modal"


def test_a_claim_that_repeats_only_one_of_them_differs_in_what_it_repeats(wordy: str):
    plans = said(("Methinks I use Vim.", states("uses", "Vim")), ("I use Vim.", states("uses", "Vim")))
    comparison = compare(plans, (), V14, wordy)

    assert told(comparison)["I use Vim."] == ("confirms",)
    assert (comparison.summary.a.confirming, comparison.summary.b.confirming) == (1, 0)


def test_a_word_that_makes_a_condition_differs_in_admission_and_nothing_else(wordy: str):
    plans = said(("I use Vim lest I forget it.", states("uses", "Vim")), ("I use Vim.", states("uses", "Vim")))
    comparison = compare(plans, (), V14, wordy)
    claim = comparison.messages[0].claims[0]

    assert claim.differs == ("admission",)
    assert (claim.a.rejected, claim.b.rejected, claim.b.claim) == (None, "conditional", None)
    assert (comparison.summary.a.rejected, comparison.summary.b.rejected) == (0, 1)


def test_a_rejection_for_the_same_reason_is_no_difference(wordy: str):
    plans = said(("Do I use Vim?", states("uses", "Vim")))

    assert compare(plans, (), V14, wordy).messages == ()
    assert compare(plans, (), V14, wordy).summary.b.rejected == 1


def test_a_rejection_for_another_reason_is_a_difference():
    assert _differing(Verdict(rejected="question"), Verdict(rejected="report")) == ("rejection",)
    assert _differing(Verdict(rejected="question"), Verdict(rejected="question")) == ()


def test_no_part_of_a_verdict_can_differ_unseen():
    comparison = of_case(GOLDEN / "policies-side-by-side")
    retired, denial = comparison.messages[0].claims[0].b, comparison.messages[1].claims[0].b
    changed = {
        "claim": retired.claim.model_copy(update={"condition_supported": False}),
        "closing": None,
        "confirms": "another",
        "status": "contested",
        "decision": denial.decision,
    }
    seen = {name: _differing(retired, retired.model_copy(update={name: value})) for name, value in changed.items()}

    assert {*changed, "rejected"} == set(Verdict.model_fields)
    assert seen == {
        "claim": ("grounding",),
        "closing": ("closing",),
        "confirms": ("confirms",),
        "status": ("contested",),
        "decision": ("decision", "words"),
    }


@settings(max_examples=60)
@given(worlds(), st.sampled_from(list(POLICIES)))
def test_a_policy_never_differs_from_itself(world: World, policy: str):
    comparison = compare(world.plans, world.decisions, policy, policy)

    assert (comparison.messages, comparison.summary.differs) == ((), {})
    assert comparison.summary.a == comparison.summary.b


@settings(max_examples=25)
@given(worlds())
def test_turned_round_it_says_the_same_the_other_way(world: World):
    there, back = compare(world.plans, world.decisions, V13, V14), compare(world.plans, world.decisions, V14, V13)

    assert (there.summary.a, there.summary.b) == (back.summary.b, back.summary.a)
    assert [(c.claim_id, c.differs, c.a, c.b) for m in there.messages for c in m.claims] == [
        (c.claim_id, c.differs, c.b, c.a) for m in back.messages for c in m.claims
    ]


@settings(max_examples=25)
@given(worlds(), st.randoms(use_true_random=False))
def test_the_order_of_plans_and_the_policies_they_were_made_under_do_not_matter(world: World, chance: Any):
    again = [
        prepared(plan.event, plan.extraction, policy=chance.choice(list(POLICIES)), extractor=plan.extractor).plan
        for plan in world.plans
    ]
    chance.shuffle(again)

    assert compare(again, world.decisions, V13, V14) == compare(world.plans, world.decisions, V13, V14)


@settings(max_examples=25)
@given(worlds())
def test_what_is_listed_and_what_is_counted_agree(world: World):
    comparison = compare(world.plans, world.decisions, V13, V14)
    summary, listed = comparison.summary, [claim for message in comparison.messages for claim in message.claims]

    assert (summary.differing_messages, summary.differing_claims) == (len(comparison.messages), len(listed))
    assert summary.claims == summary.a.admitted + summary.a.rejected == summary.b.admitted + summary.b.rejected
    assert all(claim.differs for claim in listed)
    assert sum(summary.differs.values()) == sum(len(claim.differs) for claim in listed)
    assert [message.event.received_at for message in comparison.messages] == sorted(
        message.event.received_at for message in comparison.messages
    )


@pytest.mark.parametrize("case", DECIDED, ids=lambda case: case.name)
def test_a_decision_by_hand_enters_both_folds(case: Path):
    plans = saved_plans(case)
    by_hand = explicit_decisions(case, labels_of(plans))

    assert compare(plans, by_hand, V13, V14).summary.decisions == len(by_hand)
    for policy in (V13, V14):
        decided, alone = (judge(plans, made, get_policy(policy)) for made in (by_hand, ()))
        assert decided != alone


def test_what_was_closed_by_hand_is_closed_by_hand_under_both_and_names_the_decision():
    case = GOLDEN / "superseded-by-hand-in-a-row"
    plans = saved_plans(case)
    by_hand = explicit_decisions(case, labels_of(plans))
    for policy in (V13, V14):
        closing = judge(plans, by_hand, get_policy(policy))[by_hand[0].old].closing

        assert (closing.decision, closing.by, closing.at, closing.rule) == (1, by_hand[0].new, by_hand[0].at, None)


def test_owners_are_listed_in_order_and_counted():
    vim = ("I use Vim.", states("uses", "Vim"))
    comparison = compare([*said(vim, user_id="zoe"), *said(vim, user_id="ann")], (), V13, V14)

    assert [message.event.user_id for message in comparison.messages] == ["ann", "zoe"]
    assert (comparison.summary.owners, comparison.summary.messages) == (2, 2)


def test_two_plans_of_one_event_are_refused():
    (plan,) = said(("I use Vim.", states("uses", "Vim")))

    with pytest.raises(ValueError, match="two plans are of the same event"):
        compare([plan, plan], (), V13, V14)


def test_an_unknown_policy_is_refused_by_name():
    with pytest.raises(UnsupportedPlanError, match="policy 'speech_act_v98' is not known to this release"):
        compare([], (), V14, "speech_act_v98")


def test_summaries_of_owners_add_up():
    one, other = (of_case(GOLDEN / name).summary for name in ("denial-retires", "transition-switch"))
    both = total((one, other), V13, V14)

    assert (both.messages, both.differing_claims) == (4, 4)
    assert both.differs == {"closing": 2, "decision": 2, "subject": 4, "words": 1}
    assert (both.a.retired, both.b.retired, both.b.policy) == (0, 2, V14)

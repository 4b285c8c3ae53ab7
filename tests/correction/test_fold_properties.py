"""The fold is one pure function of claims and decisions: whatever arrives when, the state is the same (SPEC 8.2)."""

from __future__ import annotations

from itertools import pairwise, permutations
from random import Random  # noqa: TID251 - seeded, and nothing that decides

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prme.correction.fold import Entry, FamilyState
from prme.correction.rulings import claim_identity
from prme.correction.subject import SubjectState
from prme.model.claim import Claim
from prme.model.interval import Interval
from prme.policy.policy import Target
from prme.policy.registry import get_policy
from tests.correction.claims import V13
from tests.correction.histories import (
    History,
    Moment,
    admit_all,
    claim_sets,
    fold_all,
    histories,
    make_history,
    oracle,
    oracle_reasons,
    play,
    states,
    visible,
)


def check_against_the_oracle(history: History) -> Moment:
    for moment in play(history):
        expected, reasons = oracle(moment.claims, moment.decided)

        assert visible(moment.intervals) == expected
        assert oracle_reasons(moment) == reasons
        assert states(moment.subjects) == states(fold_all(moment.claims, moment.decided))
    return moment


@given(histories())
@settings(max_examples=300)
def test_incremental_fold_and_oracle_agree_after_every_step(history: History):
    check_against_the_oracle(history)


@pytest.mark.slow
@pytest.mark.parametrize("thousand", range(4))
def test_incremental_fold_and_oracle_agree_on_a_thousand_seeded_histories(thousand: int):
    reasons: set[str] = set()
    for seed in range(1_000 * thousand, 1_000 * (thousand + 1)):
        moment = check_against_the_oracle(make_history(Random(seed), most_plans=7, decided=True))
        reasons |= set(moment.reasons.values())

    # A generator that never meets a rule would agree about nothing.
    assert reasons >= {"retired", "no_match", "ambiguous", "decided", "contested", "unresolved_subject"}


@given(claim_sets(most_plans=4))
def test_every_order_of_arrival_gives_the_same_state_under_mixed_policies(claims: tuple[Claim, ...]):
    plans: dict[str, list[Claim]] = {}
    for each in claims:
        plans.setdefault(each.event_id, []).append(each)
    expected = states(fold_all(claims))

    for order in permutations(plans.values()):
        assert states(admit_all(each for plan in order for each in plan)) == expected


@given(claim_sets(most_plans=6), st.randoms(use_true_random=False))
def test_the_order_of_the_claims_means_nothing_to_the_fold(claims: tuple[Claim, ...], random: Random):
    shuffled = list(claims)
    random.shuffle(shuffled)

    assert states(fold_all(shuffled)) == states(fold_all(claims))


@given(claim_sets(most_plans=3, policies=(V13,)))
def test_the_older_policy_alone_retires_by_named_positive_replacement_alone(claims: tuple[Claim, ...]):
    by_id = {each.id: each for each in claims}

    for name, found in Moment(claims, (), fold_all(claims)).intervals.items():
        if found.superseded_by is not None:
            correction = by_id[found.superseded_by]
            assert (correction.polarity, correction.replaces_key) == ("positive", by_id[name].object_key)


def entries(subjects: dict[str, SubjectState]) -> list[tuple[FamilyState, Entry]]:
    families = [family for subject in subjects.values() for family in subject.families.values()]
    return [(family, entry) for family in families for entry in family.entries.values()]


@given(histories(most_plans=7))
@settings(max_examples=200)
def test_no_interval_ends_before_it_begins(history: History):
    for moment in play(history):
        for found in moment.intervals.values():
            assert found.valid_to is None or found.valid_to >= found.valid_from


@given(claim_sets(most_plans=7))
def test_equal_claims_are_never_open_at_the_same_instant(claims: tuple[Claim, ...]):
    spans: dict[object, list[Interval]] = {}
    moment = Moment(claims, (), fold_all(claims))
    for family, entry in entries(moment.subjects):
        found = moment.intervals[entry.claim.id]
        if found.confirms is None and found.valid_from != found.valid_to:
            spans.setdefault((id(family), claim_identity(entry.claim)), []).append(found)

    for equal in spans.values():
        equal.sort(key=lambda each: each.valid_from)
        for earlier, later in pairwise(equal):
            assert earlier.valid_to is not None
            assert earlier.valid_to <= later.valid_from


@given(claim_sets(most_plans=7))
def test_what_a_rule_retired_ended_exactly_when_its_successor_took_effect(claims: tuple[Claim, ...]):
    by_id = {each.id: each for each in claims}

    for found in Moment(claims, (), fold_all(claims)).intervals.values():
        if found.valid_to is None:
            assert found.superseded_by is None
        else:
            assert found.superseded_by is not None
            assert found.valid_to == by_id[found.superseded_by].effective_at


@given(histories(most_plans=7))
@settings(max_examples=200)
def test_no_chain_of_successors_is_a_cycle(history: History):
    for moment in play(history):
        found = moment.intervals
        for name in found:
            seen = [name]
            while (successor := found[seen[-1]].superseded_by) is not None:
                assert successor not in seen
                seen.append(successor)


@given(histories(most_plans=7))
@settings(max_examples=200)
def test_a_confirming_claim_confirms_an_equal_claim_that_confirms_nothing(history: History):
    for moment in play(history):
        by_id = {each.id: each for each in moment.claims}
        for name, found in moment.intervals.items():
            if found.confirms is not None:
                assert moment.intervals[found.confirms].confirms is None
                assert claim_identity(by_id[name]) == claim_identity(by_id[found.confirms])
                assert by_id[found.confirms].effective_at <= by_id[name].effective_at


@given(claim_sets(most_plans=7))
def test_nothing_is_retired_by_or_of_a_claim_without_authority(claims: tuple[Claim, ...]):
    by_id = {each.id: each for each in claims}

    for name, found in Moment(claims, (), fold_all(claims)).intervals.items():
        if found.superseded_by is None:
            continue
        for each in (by_id[name], by_id[found.superseded_by]):
            assert each.condition is None
            assert each.epistemic_type in {"observed", "asserted"}
            assert each.polarity != "unknown"
            assert each.subject_id is not None
        assert by_id[name].polarity == "positive"
        assert by_id[found.superseded_by].temporal_intent == "update"


@given(claim_sets(most_plans=7))
def test_a_correction_stays_within_subject_source_type_and_kind(claims: tuple[Claim, ...]):
    by_id = {each.id: each for each in claims}

    for name, found in Moment(claims, (), fold_all(claims)).intervals.items():
        if found.superseded_by is not None:
            earlier, later = by_id[name], by_id[found.superseded_by]
            assert (earlier.subject_id, earlier.source_type, earlier.kind) == (
                later.subject_id,
                later.source_type,
                later.kind,
            )


def standing(claims: tuple[Claim, ...]) -> set[str]:
    """Return the claims that are open, or confirm an open one."""
    found = Moment(claims, (), fold_all(claims)).intervals
    return {name for name, each in found.items() if found[each.confirms or name].valid_to is None}


@given(claim_sets(most_plans=7))
@settings(max_examples=300)
def test_a_claim_that_corrects_nothing_never_costs_another_one_its_place(claims: tuple[Claim, ...]):
    kept = standing(claims)
    for each in claims:
        if not isinstance(get_policy(each.policy).authority(each), Target):
            without = tuple(other for other in claims if other is not each)
            assert standing(without) <= kept


@given(claim_sets(most_plans=7))
def test_every_retired_claim_is_a_target_of_exactly_one_decision(claims: tuple[Claim, ...]):
    subjects = fold_all(claims)
    targets = [(target.claim_id, entry.claim.id) for _, entry in entries(subjects) for target in entry.decision.targets]
    found = Moment(claims, (), subjects).intervals
    retired = [(name, each.superseded_by) for name, each in found.items() if each.superseded_by is not None]

    assert sorted(targets) == sorted(retired)


@given(claim_sets(most_plans=7))
def test_an_ambiguous_correction_retires_nothing_and_names_its_candidates(claims: tuple[Claim, ...]):
    subjects = fold_all(claims)
    by_id = {each.id: each for each in claims}
    found = Moment(claims, (), subjects).intervals
    for _, entry in entries(subjects):
        if entry.decision.reason == "ambiguous":
            assert entry.claim.id not in {each.superseded_by for each in found.values()}
            assert len({by_id[name].object_key for name in entry.decision.candidates}) > 1

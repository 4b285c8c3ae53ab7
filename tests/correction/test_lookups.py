"""The lookups of a family are those of the fold, whatever arrived when, and answer as a look at every claim would."""

from __future__ import annotations

from random import Random  # noqa: TID251 - seeded, and nothing that decides

import pytest
from hypothesis import given, settings

from prme.correction.near_miss import MOST_NEAR_MISSES, near_misses
from prme.correction.subject import admit_claims, family_key
from prme.model.claim import Claim
from prme.policy.policy import Target
from prme.policy.registry import get_policy
from tests.correction.claims import V13, V14, admit_one, claim, denial, intervals, update
from tests.correction.histories import History, Moment, fold_all, histories, play
from tests.correction.reference import group_of, lookups, near_misses_among_all

MIXED = (V14, V14, V13)


@given(histories(most_plans=7, policies=MIXED))
@settings(max_examples=150)
def test_the_lookups_are_those_of_the_fold_after_every_step(history: History):
    for moment in play(history):
        folded = fold_all(moment.claims, moment.decided)
        for key, subject in moment.subjects.items():
            for family, state in subject.families.items():
                assert lookups(state) == lookups(folded[key].families[family])


def corrections(moment: Moment) -> list[Claim]:
    return [each for each in moment.claims if isinstance(get_policy(each.policy).authority(each), Target)]


@given(histories(most_plans=9, policies=MIXED))
@settings(max_examples=150)
def test_near_misses_are_those_that_every_claim_put_to_every_test_gives(history: History):
    *_, last = play(history)

    for each in corrections(last):
        subject = last.subjects[each.subject_id or each.id]
        assert near_misses(subject, each) == near_misses_among_all(subject, each)


WORDS = ("road", "bike", "pump", "insulin", "pen", "old", "Slack", "42")


def many_claims(random: Random, number: int) -> list[Claim]:
    """Return claims of a few words and predicates, each with the time of its own or of an earlier one."""
    made = []
    for place in range(number):
        make = random.choice([claim, claim, claim, denial, update])
        made.append(
            make(
                f"c{place}",
                " ".join(random.sample(WORDS, random.choice([1, 1, 2, 3]))),
                day=random.choice([place, place, place, random.randrange(place + 1)]),
                received=place,
                replaces=random.choice(WORDS) if make is update else None,
                predicate=random.choice(["uses", "uses", "uses", "uses", "switched_to", "owns"]),
                kind=random.choice(["fact"] * 5 + ["preference"]),
                epistemic_type=random.choice(["asserted"] * 9 + ["inferred"]),
            )
        )
    return made


@pytest.mark.parametrize("seed", range(8))
def test_among_many_claims_near_misses_are_the_same_twenty(seed: int):
    claims = many_claims(Random(seed), 150)
    subject = fold_all(claims)["owner"]
    corrections_of = [each for each in claims if isinstance(get_policy(each.policy).authority(each), Target)]

    found = [near_misses(subject, each) for each in corrections_of]

    assert found == [near_misses_among_all(subject, each) for each in corrections_of]
    # With fewer than twenty everywhere nothing was cut, and which are the newest would not have mattered.
    assert max(map(len, found)) == MOST_NEAR_MISSES


@pytest.mark.parametrize("seed", range(8))
def test_a_late_claim_touches_what_changes_and_nothing_outside_its_group(seed: int):
    claims = many_claims(Random(seed), 80)
    spared = 0
    for late in Random(seed).sample(claims, 15):
        others = [each for each in claims if each is not late]
        before = fold_all(others)["owner"]

        after, touched = admit_one(before, late)

        old, new = before.families[family_key(late)], after.families[family_key(late)]
        assert lookups(new) == lookups(fold_all(claims)["owner"].families[family_key(late)])
        known, now = intervals(before), intervals(after)
        changed = {name for name in old.entries if (known[name], old.entries[name]) != (now[name], new.entries[name])}
        family = [each for each in others if family_key(each) == family_key(late)]
        assert changed | {late.id} <= touched <= group_of(late, family)
        spared += len(family) - len(touched)
    # A group that was always the whole family would tell nothing.
    assert spared


@pytest.mark.parametrize("seed", range(8))
def test_claims_that_arrive_together_do_what_they_do_one_after_the_other(seed: int):
    random = Random(seed)
    claims = many_claims(random, 80)
    together = random.sample(claims, 10)
    before = fold_all([each for each in claims if each not in together])["owner"]

    state, touched = admit_claims(before, together)

    expected, touched_by_one = before, {family_key(each): frozenset[str]() for each in together}
    for each in together:
        expected, ids = admit_one(expected, each)
        touched_by_one[family_key(each)] |= ids
    assert touched == touched_by_one
    assert intervals(state) == intervals(expected)
    assert {key: lookups(family) for key, family in state.families.items()} == {
        key: lookups(family) for key, family in expected.families.items()
    }

"""A family leaves out of its lookups what no later claim can find open, so a long history costs no more to judge."""

from __future__ import annotations

from prme.correction.fold import FamilyState, fold_family
from tests.correction.claims import claim, denial, supersede


def sought(family: FamilyState) -> set[str]:
    return {name for found in family.objects.values() for name in found}


def standing(family: FamilyState) -> set[str]:
    return {name for found in family.standing.values() for name in found}


def test_a_retired_claim_is_neither_sought_nor_confirmed_again():
    before = fold_family([claim("pump", "insulin pump")])
    after = fold_family([claim("pump", "insulin pump"), denial("no pump", "insulin pump", day=1)])

    assert (sought(before), standing(before)) == ({"pump"}, {"pump"})
    assert (sought(after), standing(after)) == (set(), {"no pump"})


def test_the_others_of_a_retired_claims_words_are_still_sought():
    family = fold_family(
        [claim("pump", "insulin pump"), claim("bike pump", "bike pump"), denial("no pump", "insulin pump", day=1)]
    )

    assert (sought(family), standing(family)) == ({"bike pump"}, {"bike pump", "no pump"})


def test_what_a_decision_closed_stays_in_sight_of_what_was_received_before_it():
    by_hand = supersede("pump", "pen", day=2, mark=3)
    claims = [claim("pump", "insulin pump"), claim("pen", "pen", day=2), denial("no pump", "insulin pump", day=1)]

    assert sought(fold_family(claims)) == {"pen"}
    assert sought(fold_family(claims, [by_hand])) == {"pump", "pen"}

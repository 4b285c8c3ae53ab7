"""A late claim, or a decision made by hand, costs the claims that it can concern and not the family (SPEC 8.2)."""

from __future__ import annotations

from prme.correction.subject import decide_subject, fold_subject
from prme.model.claim import Claim
from prme.model.decision import ExplicitDecision
from tests.correction.claims import admit_one, claim, contradict, denial, supersede, update

ROAD = claim("road", "road bike", day=1)
TANDEM = claim("tandem", "tandem", day=1.5)
NO_BIKE = denial("no bike", "bike", day=3)


def touched(late: Claim, *known: Claim) -> frozenset[str]:
    return admit_one(fold_subject(known), late)[1]


def late(name: str, obj: str, day: float = 2) -> Claim:
    return claim(name, obj, day=day, received=9)


def test_a_late_claim_that_nothing_names_touches_itself_alone():
    assert touched(late("horse", "horse"), ROAD, TANDEM, NO_BIKE) == {"horse"}


def test_a_late_claim_touches_the_correction_that_names_it_and_what_that_had_closed():
    assert touched(late("mountain", "mountain bike"), ROAD, TANDEM, NO_BIKE) == {"mountain", "no bike", "road"}


def test_a_word_that_no_correction_names_links_nothing():
    assert touched(late("mountain", "mountain bike"), ROAD, denial("no road", "road bike", day=3)) == {"mountain"}


def test_a_correction_before_a_late_claim_is_left_alone():
    assert touched(late("mountain", "mountain bike", day=4), ROAD, NO_BIKE, claim("newest", "car", day=5)) == {
        "mountain"
    }


def test_a_late_correction_touches_what_it_closes_and_the_correction_that_had_closed_it():
    no_road = denial("no road", "road bike", day=2, received=9)

    assert touched(no_road, ROAD, TANDEM, NO_BIKE) == {"no road", "road", "no bike"}


def test_a_late_correction_lets_an_equal_claim_that_had_confirmed_be_judged_again():
    again = claim("again", "road bike", day=3)

    assert touched(denial("no road", "road bike", day=2, received=9), ROAD, TANDEM, again) == {
        "no road",
        "road",
        "again",
    }


def test_what_comes_out_differently_leads_on():
    # "Bike" becomes ambiguous, so the road bike is open again for the one that names it after that.
    known = (ROAD, denial("no bike", "bike", day=3), update("car", "car", day=4, replaces="road bike"))

    assert touched(late("mountain", "mountain bike"), *known) == {"mountain", "no bike", "road", "car"}


def test_what_comes_out_the_same_leads_no_further():
    known = (ROAD, claim("again", "road bike", day=3), denial("no road", "road bike", day=4))

    assert touched(late("also", "road bike"), *known) == {"also"}


def test_a_late_claim_that_comes_first_is_confirmed_by_every_equal_one():
    known = (claim("first", "road bike", day=3), TANDEM, claim("second", "road bike", day=4))

    assert touched(late("before", "road bike"), *known) == {"before", "first", "second"}


def decided(decision: ExplicitDecision, *known: Claim) -> set[str]:
    _, by_family = decide_subject(fold_subject(known), decision)
    return {name for names in by_family.values() for name in names}


def test_a_decision_touches_its_claims_their_equals_and_the_corrections_that_name_them():
    again = claim("again", "road bike", day=2)
    by_hand = supersede("road", "tandem", day=1.5, mark=3)

    assert decided(by_hand, ROAD, TANDEM, again, NO_BIKE, claim("car", "car"), denial("no car", "car", day=5)) == {
        "road",
        "tandem",
        "again",
        "no bike",
    }


def test_a_contradiction_touches_its_claims_and_the_corrections_that_name_them():
    by_hand = contradict("road", "tandem", mark=3)

    assert decided(by_hand, ROAD, TANDEM, NO_BIKE, claim("car", "car")) == {"road", "tandem", "no bike"}


def test_a_decision_about_what_nothing_names_touches_its_claims_alone():
    assert decided(supersede("road", "tandem", day=1.5, mark=3), ROAD, TANDEM, denial("no car", "car", day=5)) == {
        "road",
        "tandem",
    }

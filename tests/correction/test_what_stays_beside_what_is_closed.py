"""A claim that is skipped or closed takes no other one with it."""

from __future__ import annotations

from tests.correction.claims import NAMED, claim, confirmations, denial, fold, judged, retired, supersede, update


def test_a_claim_with_the_new_value_does_not_hide_an_older_one_that_is_replaced():
    patch, pump = claim("patch", "patch pump", day=1), claim("pump", "insulin pump", day=2)
    change = update("change", "patch pump", day=3, replaces="pump")

    assert judged(patch, pump, change)["change"] == retired("change", ("pump", "short", "same"), rule=NAMED)


def test_a_claim_of_an_unrelated_predicate_does_not_hide_the_one_that_is_denied():
    switched, used = claim("switched", day=1, predicate="switched_to"), claim("used", day=2)

    assert judged(switched, used, denial("no", day=3))["no"] == retired("no", ("used", "exact", "same"))


def test_a_held_claim_is_still_confirmed_after_an_equal_one_was_closed():
    slack, first, held = claim("slack", "Slack", day=1), claim("first", day=1.5), claim("held", day=2)
    known, again = denial("known", day=3, received=2.5), claim("again", day=4, received=9)
    by_hand = (supersede("slack", "held", day=2, mark=2.7),)

    state = fold(slack, first, held, known, again, by_hand=by_hand)

    assert (state["first"].superseded_by, state["held"].valid_to) == ("known", None)
    assert confirmations(state) == {"again": "held"}

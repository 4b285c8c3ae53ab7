"""Verdicts: what fails a scenario, and when it has shown nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.testing.scenarios import (
    ASKED,
    GONE,
    ROAD,
    SILENT,
    TANDEM,
    denies,
    findings,
    judged,
    said,
    states,
)


@pytest.mark.parametrize(
    "expect",
    [
        {"current": ["m2.c1"]},
        {"current": ["I | rides | road bike (denied)"]},
        {"current": ["i | Rides | ROAD  bike (denied)"]},
        {"retired": ["m1.c1"]},
        {"retired": [{"claim": "I | rides | road bike", "by": "m2.c1"}]},
        {"reasons": {"m1.c1": "not_an_update", "m2.c1": "retired"}},
        {"must_not": ["current: I | rides | road bike"]},
        {"must_not": ["current: m1.c1"]},
    ],
    ids=str,
)
def test_what_is_as_expected_passes(expect: dict[str, Any]):
    judgement = judged(ROAD, GONE, expect=expect)

    assert ("passed", ()) == (judgement.verdict, judgement.findings)


ROAD_RETIRED = "m1.c1 I | rides | road bike: retired by m2.c1"
GONE_CURRENT = "m2.c1 I | rides | road bike (denied)"


@pytest.mark.parametrize(
    ("expect", "found"),
    [
        ({"current": ["m1.c1", "m2.c1"]}, [("current", "m1.c1", ROAD_RETIRED)]),
        ({"current": []}, [("current", None, GONE_CURRENT)]),
        (
            {"current": ["I | rides | unicycle", "m2.c1"]},
            [("current", "I | rides | unicycle", "no such claim")],
        ),
        ({"retired": []}, [("retired", None, ROAD_RETIRED)]),
        ({"retired": ["m1.c1", "m2.c1"]}, [("retired", "m2.c1", f"{GONE_CURRENT}: current")]),
        ({"retired": [{"claim": "m1.c1", "by": "m1"}]}, [("retired", "m1.c1, by m1", ROAD_RETIRED)]),
        ({"must_not": ["retired: road bike"]}, [("must_not", "not retired: road bike", ROAD_RETIRED)]),
        ({"must_not": ["current: m2.c1"]}, [("must_not", "not current: m2.c1", f"{GONE_CURRENT}: current")]),
        ({"reasons": {"m2.c1": "ambiguous"}}, [("reasons", "m2.c1: ambiguous", f"{GONE_CURRENT}: retired")]),
        ({"reasons": {"m2.c2": "ambiguous"}}, [("reasons", "m2.c2: ambiguous", "no such claim")]),
    ],
    ids=str,
)
def test_what_is_not_as_expected_fails_and_says_what_is(expect: dict[str, Any], found: list[Any]):
    judgement = judged(ROAD, GONE, expect=expect)

    assert ("failed", found) == (judgement.verdict, findings(judgement))


def test_a_claim_that_was_not_admitted_has_the_reason_of_that():
    assert "passed" == judged(ROAD, ASKED, expect={"reasons": {"m2.c1": "question"}}).verdict
    assert findings(judged(ROAD, ASKED, expect={"current": ["m1.c1", "m2.c1"]})) == [
        ("current", "m2.c1", "m2.c1 I | rides | road bike (denied): not admitted, question")
    ]


def test_a_repetition_is_neither_current_nor_retired():
    again = said("I still ride a road bike.", states("road bike"))

    assert "passed" == judged(ROAD, again, expect={"current": ["m1.c1"], "retired": []}, control={"m2": GONE}).verdict


def by_hand(*steps: dict[str, str]) -> dict[str, Any]:
    return {**TANDEM, "then": list(steps)}


CONTRADICT = {"do": "contradict", "a": "m1.c1", "b": "m2.c1"}
RESOLVE = {"do": "resolve", "winner": "m2.c1", "loser": "m1.c1"}
SUPERSEDE = {"do": "supersede", "old": "m1.c1", "new": "m2.c1"}


@pytest.mark.parametrize(
    ("steps", "expect"),
    [
        ([SUPERSEDE], {"retired": [{"claim": "m1.c1", "by": "m2.c1"}]}),
        ([CONTRADICT], {"current": ["m1.c1", "m2.c1"]}),
        ([CONTRADICT, RESOLVE], {"retired": [{"claim": "m1.c1", "by": "m2.c1"}], "current": ["m2.c1"]}),
        ([{"do": "supersede", "old": "m1", "new": "m2"}], {"current": ["m1.c1", "m2.c1"]}),
    ],
    ids=str,
)
def test_steps_are_carried_out_by_hand(steps: list[dict[str, str]], expect: dict[str, Any]):
    assert "passed" == judged(ROAD, by_hand(*steps), expect=expect).verdict


def test_a_step_that_is_refused_fails_the_scenario_and_names_claims_by_label():
    again = {"do": "supersede", "old": "m1.c1", "new": "m2"}
    judgement = judged(ROAD, by_hand(SUPERSEDE, again), expect={"retired": ["m1.c1"]})

    assert "failed" == judgement.verdict
    ((what, _, found),) = findings(judgement)
    assert (what, found is not None and found.startswith("supersede old m1.c1, new m2: ConflictError: ")) == (
        "run",
        True,
    )
    assert ("node m1.c1" in str(found), "m2.c1" in str(found)) == (True, True)


def test_a_scenario_that_expects_nothing_is_unexercised():
    judgement = judged(ROAD, GONE)

    assert ("unexercised", "it expects nothing") == (judgement.verdict, judgement.why)


@pytest.mark.parametrize("expect", [{"current": []}, {"retired": []}], ids=str)
def test_a_conversation_without_any_claim_is_unexercised(expect: dict[str, Any]):
    judgement = judged(SILENT, expect=expect)

    assert ("unexercised", "the extractor found no claim in any message") == (judgement.verdict, judgement.why)


def test_nothing_current_is_exercised_by_a_claim_that_was_not_admitted():
    assert "passed" == judged(ASKED, expect={"current": []}).verdict


@pytest.mark.parametrize(
    ("messages", "forbidden", "verdict"),
    [
        ([ROAD, GONE], "current: unicycle", "unexercised"),
        ([ROAD, GONE], "current: I | owns | road bike", "unexercised"),
        ([ROAD, GONE], "current: I | rides | road bike", "passed"),
        ([said("Do I ride a road bike?", states("road bike"))], "current: road bike", "passed"),
        ([said("Do I ride a road bike?", states("road bike")), GONE], "retired: I | rides | road bike", "unexercised"),
    ],
    ids=["another object", "another predicate", "retired", "not admitted", "never to be retired"],
)
def test_must_not_has_to_name_what_was_claimed(messages: list[Any], forbidden: str, verdict: str):
    judgement = judged(*messages, expect={"must_not": [forbidden]})

    assert verdict == judgement.verdict
    if verdict == "unexercised":
        assert "must_not names what was never claimed" in (judgement.why or "")


@pytest.mark.parametrize(
    ("second", "verdict"),
    [
        (TANDEM, "unexercised"),
        (said("I don't ride the tandem anymore.", denies("tandem")), "passed"),
        (ASKED, "passed"),
        (by_hand({"do": "supersede", "old": "m1", "new": "m2"}), "passed"),
    ],
    ids=["statement", "denial", "question", "step"],
)
def test_that_nothing_is_retired_has_to_be_at_stake(second: dict[str, Any], verdict: str):
    assert verdict == judged(ROAD, second, expect={"must_not": ["retired: I | rides | road bike"]}).verdict
    assert verdict == judged(ROAD, second, expect={"retired": []}).verdict


def test_a_correction_is_not_at_stake_by_itself():
    assert "unexercised" == judged(GONE, expect={"must_not": ["retired: m1.c1"]}).verdict


KEPT = {"must_not": ["retired: I | rides | road bike"]}


def test_a_control_that_breaks_an_expectation_shows_that_it_could_fail():
    assert "passed" == judged(ROAD, SILENT, expect=KEPT, control={"m2": GONE}).verdict


def test_without_its_control_the_same_scenario_is_unexercised():
    assert "unexercised" == judged(ROAD, SILENT, expect=KEPT).verdict


def test_a_control_that_breaks_nothing_shows_nothing():
    judgement = judged(ROAD, ASKED, expect=KEPT, control={"m2": {"content": "Do I not ride the road bike anymore?"}})

    assert "unexercised" == judgement.verdict
    assert "the control changes nothing" in (judgement.why or "")


def test_a_control_may_change_the_words_alone():
    changed = {"m2": "I don't ride the road bike anymore."}

    assert "passed" == judged(ROAD, ASKED, expect=KEPT, control=changed).verdict


def test_a_control_may_leave_a_message_out_and_the_others_keep_their_names():
    bikes = [said("I ride a mountain bike.", states("mountain bike")), ROAD]
    denial = said("I don't ride the bike anymore.", denies("bike"))
    expect = {"must_not": ["retired: m2.c1"]}

    assert "passed" == judged(*bikes, denial, expect=expect, control={"m1": None}).verdict
    assert "unexercised" == judged(*bikes, denial, expect=expect, control={"m3": None}).verdict


def test_a_control_that_cannot_be_run_proves_nothing():
    judgement = judged(ROAD, by_hand(CONTRADICT), expect=KEPT, control={"m1": None})

    assert "failed" == judgement.verdict
    assert findings(judgement) == [
        ("run", None, "control: contradict a m1.c1, b m2.c1: LookupError: the message is left out here")
    ]


def test_a_failed_scenario_stays_failed_whatever_its_control():
    assert "failed" == judged(ROAD, GONE, expect=KEPT, control={"m2": ASKED}).verdict

"""What is decided, refused, forgotten or denied has not been done."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("decision", "deed"),
    [
        ("I decided to use Figma.", "I decided: I use Figma now."),
        ("I've decided to use Figma.", "I've decided, so I use Figma."),
        ("My decision to use Figma is firm.", "My decision is firm, I use Figma."),
        ("I chose to use Figma.", "I chose well: I use Figma."),
        ("I resolved to use Figma.", "I resolved it and use Figma."),
        ("I agreed to use Figma.", "I agreed, and I use Figma."),
        ("I agreed to use Figma.", "I agreed to the terms and use Figma."),
        ("I vowed to use Figma.", "I vowed it, and I use Figma."),
        ("I committed to using Figma and to use Figma.", "I committed to Figma."),
        ("I swore to use Figma.", "I swear to God I use Figma."),
        ("I have to use Figma.", "I have Figma to use."),
        ("I had to use Figma.", "I use Figma as I had to."),
        ("I gotta use Figma.", "I got Figma."),
        ("I've got to use Figma.", "I've got to Figma."),
        ("I must use Figma.", "I must say I use Figma."),
        ("I must use Figma.", "My must-have tool is Figma."),
        ("I have to use Figma.", "I have to-do lists in Figma."),
        ("I proposed to use Figma.", "I proposed to Figma."),
        ("I must use Figma.", "If you must know, I use Figma."),
        ("I shall use Figma.", "I use Figma, shall we go."),
        ("I was advised to use Figma.", "As advised, I use Figma."),
        ("I'm ready to use Figma.", "I'm ready, I use Figma."),
        ("I'm going to work at Figma.", "I'm going to work and use Figma."),
        ("My plan is to use Figma.", "My plan is good, I use Figma."),
    ],
)
def test_a_decision_or_a_duty_is_an_intention(decision: str, deed: str, outcome) -> None:
    assert outcome(decision) == "hypothetical intention"
    assert outcome(deed) == "asserted"


@pytest.mark.parametrize(
    ("content", "predicate"),
    [
        ("I decided to use Figma.", "decided_to_use"),
        ("I have to use Figma.", "has_to_use"),
        ("I must use Figma.", "must_use"),
        ("I refuse to use Figma.", "refuses_to_use"),
        ("I avoid using Figma.", "avoids"),
    ],
)
def test_a_predicate_that_keeps_the_decision_is_asserted(content: str, predicate: str, outcome) -> None:
    assert outcome(content, predicate=predicate) == "asserted"
    assert outcome(content, predicate="uses") == "hypothetical intention"


def test_having_something_keeps_no_duty(outcome) -> None:
    assert outcome("I have to have Figma.", predicate="has") == "hypothetical intention"
    assert outcome("I do have Figma.", predicate="has") == "asserted"


@pytest.mark.parametrize(
    ("not_done", "done"),
    [
        ("I refuse to use Figma.", "I refuse it, I use Figma."),
        ("I failed to use Figma.", "I failed, so I use Figma."),
        ("I forgot to use Figma.", "I forgot it, but I use Figma."),
        ("I avoid using Figma.", "I avoid Figma."),
        ("I never managed to use Figma.", "I managed to use Figma."),
        ("I've yet to use Figma.", "I've used Figma yet again."),
        ("I meant to use Figma.", "I meant it: I use Figma."),
        ("I can't wait to use Figma.", "I can't wait: I use Figma."),
        ("I promised Bo to use Figma.", "I promised Bo, so I use Figma."),
    ],
)
def test_what_one_refuses_forgets_or_puts_off_is_not_done(not_done: str, done: str, outcome) -> None:
    assert outcome(not_done) == "hypothetical intention"
    assert outcome(done) == "asserted"


@pytest.mark.parametrize(
    ("denial", "assertion"),
    [
        ("I deny that I use Figma.", "I know that I use Figma."),
        ("I deny I use Figma.", "I deny nothing: I use Figma."),
        ("I denied using Figma.", "I loved using Figma."),
        ("I dispute that I use Figma.", "I confirm that I use Figma."),
        ("I dreamt that I use Figma.", "I dream a lot since I use Figma."),
        ("I pretended I use Figma.", "I noticed I use Figma."),
        ("It's not that I use Figma.", "It's good that I use Figma."),
        ("It is not that I use Figma.", "It is not bad that I use Figma."),
        ("Not that I use Figma.", "I use Figma, not that I care."),
        ("It's not like I use Figma.", "I do not like that I use Figma."),
        ("No way I use Figma.", "No way, I use Figma too."),
        ("I lied that I use Figma.", "I lied: I use Figma."),
        ("The rumour that I use Figma is out.", "The fact that I use Figma is out."),
        ("I was under the impression that I use Figma.", "I have the luck that I use Figma."),
        ("I wouldn't use Figma.", "I do use Figma."),
        ("I almost used Figma.", "I almost always used Figma."),
        ("I nearly quit Figma.", "I nearly always quit Figma."),
        ("It's possible that I use Figma.", "It's good that I use Figma."),
        ("Hopefully I use Figma.", "Gladly I use Figma."),
    ],
)
def test_a_denied_or_doubted_clause_is_hypothetical(denial: str, assertion: str, outcome) -> None:
    assert outcome(denial) == "hypothetical modal"
    assert outcome(assertion) == "asserted"


@pytest.mark.parametrize("denial", ["I never said I use Figma.", "I didn't say that I use Figma."])
def test_words_that_one_denies_to_have_said_are_a_report(denial: str, outcome) -> None:
    assert outcome(denial) == "report"
    assert outcome("I did say that I use Figma.") == "asserted"


def test_what_somebody_advises_is_a_report(outcome) -> None:
    assert outcome("Bo recommends that I use Figma.") == "report"
    assert outcome("Bo recommends it, so I use Figma.") == "asserted"


@pytest.mark.parametrize(
    ("announced", "intended"),
    [
        ("I want to add that I use Figma.", "I want to add Figma."),
        ("I need to tell you I use Figma.", "I need to tell you about Figma."),
        ("I'd like to mention I use Figma.", "I'd like to mention Figma."),
        ("I forgot to say I use Figma.", "I forgot to say Figma."),
        ("Let me add that I use Figma.", "Let me add my Figma."),
    ],
)
def test_a_clause_that_is_only_announced_is_asserted(announced: str, intended: str, outcome) -> None:
    assert outcome(announced) == "asserted"
    assert outcome(intended) == "hypothetical intention"


def test_an_announcement_beside_an_intention_leaves_the_intention(outcome) -> None:
    assert outcome("I want to add that I plan to use Figma.") == "hypothetical intention"
    assert outcome("I want to add that I do use Figma.") == "asserted"


@pytest.mark.parametrize("plan", ["had to rest", "decided to rest", "tried swimming", "avoid eating sugar"])
def test_a_past_form_after_and_is_no_part_of_the_plan(plan: str, outcome) -> None:
    assert outcome(f"I {plan} and used Figma.") == "asserted"
    assert outcome(f"I {plan} and use Figma.") == "hypothetical intention"
    assert outcome(f"I {plan} and used Figma.", predicate="owns") == "hypothetical intention"


def test_participles_before_the_object_leave_the_plan(outcome) -> None:
    assert outcome("I want to use the tried and tested Figma.") == "hypothetical intention"
    assert outcome("I tried it and used Figma.") == "asserted"

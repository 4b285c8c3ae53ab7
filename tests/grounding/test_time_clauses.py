"""A time clause in the present tense tells of what is to come."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("to_come", "over"),
    [
        ("As soon as I use Figma I draw.", "As soon as I used Figma I drew."),
        ("Once I use Figma I draw.", "Once I used Figma I drew."),
        ("Once I finally use Figma, I draw.", "Once I finally used Figma, I drew."),
        ("Once I've used Figma I draw.", "Once I'd used Figma I drew."),
        ("Once I have used Figma I draw.", "Once I had used Figma I drew."),
        ("Once I don't use Figma I draw.", "Once I didn't use Figma I drew."),
        ("Until I use Figma, I wait.", "Until I left I used Figma."),
        ("I wait until I use Figma.", "I waited until I used Figma."),
        ("By the time I use Figma I draw.", "By the time I used Figma I drew."),
        ("The day I use Figma I draw.", "The day I used Figma I drew."),
        ("The moment I use Figma I draw.", "At the moment I use Figma."),
        ("Next time I use Figma I draw.", "This time I use Figma."),
        ("When I use Figma I will draw.", "When I used Figma I drew."),
        ("After I use Figma I'll draw.", "After I used Figma I will draw."),
        ("Once I use Figma I draw.", "Once, I use Figma."),
        ("Once I use Figma I draw.", "At once I use Figma."),
        ("Once I use Figma I draw.", "Once again I use Figma."),
        ("Once I put Figma away I draw.", "Once I moved Figma away I drew."),
    ],
)
def test_a_time_clause_in_no_past_form_is_hypothetical(to_come: str, over: str, outcome) -> None:
    assert "modal" in outcome(to_come).split()
    assert outcome(over) == "asserted"


def test_a_name_may_be_the_subject_of_the_clause(outcome) -> None:
    claim = {"subject": "Nadia Ruiz"}

    assert outcome("Once Nadia Ruiz uses Figma we draw.", **claim) == "hypothetical modal"
    assert outcome("Once Nadia Ruiz used Figma we drew.", **claim) == "asserted"
    assert outcome("Once the Nadia Ruiz uses Figma we draw.", **claim) == "hypothetical modal"


@pytest.mark.parametrize(
    "content", ["Once I finish, I use Figma.", "Once I finish I use Figma.", "Once done I use Figma."]
)
def test_the_main_clause_beside_a_time_clause_is_a_claim(content: str, outcome) -> None:
    assert outcome(content) == "asserted"
    assert outcome("Once I use Figma I finish.") == "hypothetical modal"


def test_a_habit_is_a_claim(outcome) -> None:
    assert outcome("When I use Figma I am happy.") == "asserted"
    assert outcome("When I use Figma I will be happy.") == "hypothetical modal"


def test_a_time_to_come_leaves_a_present_open(outcome) -> None:
    assert outcome("I use Figma tomorrow.") == "hypothetical modal"
    assert outcome("Tomorrow I use Figma.") == "hypothetical modal"
    assert outcome("I use Figma next week.") == "hypothetical modal"
    assert outcome("I use Figma today.") == "asserted"
    assert outcome("I booked Figma next week.") == "asserted"
    assert outcome("I use Figma and fly tomorrow.") == "asserted"
    assert outcome("I use Figma because tomorrow I fly.") == "asserted"
    assert outcome("I used Figma the next week.") == "asserted"
    assert outcome("Figma tomorrow for me.") == "hypothetical modal"


def test_a_clause_that_breaks_off_has_no_past_form(outcome) -> None:
    assert outcome("I use it once my Figma") == "hypothetical modal"
    assert outcome("I use it, and my Figma") == "asserted"


def test_a_time_clause_in_a_name_is_part_of_the_name(outcome) -> None:
    assert outcome("I like The Day I Left.", object="The Day I Left") == "asserted"
    assert outcome("I like the day I leave Figma.") == "hypothetical modal"

"""Whose words a verb of saying brings, and how far they reach."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("report", "assertion"),
    [
        ("Bo often said I use Figma.", "I often said I use Figma."),
        ("Bo doesn't think I use Figma.", "Bo doesn't mind: I use Figma."),
        ("They say every day I use Figma.", "They see every day I use Figma."),
        ("Bo insists every day I use Figma.", "Bo draws every day, I use Figma."),
        ("Bo texted me I use Figma.", "I texted Bo I use Figma."),
        ("Bo texted people yesterday I use Figma.", "I texted people yesterday I use Figma."),
        ("Bo texted people I use Figma.", "I texted people I use Figma."),
        ("And told Bo I use Figma.", "And I told Bo I use Figma."),
        ("I want him to say I use Figma.", "I am glad to say I use Figma."),
        ("I use Figma, said Bo.", "I use Figma, said I."),
        ("I use Figma now, says Bo.", "I use Figma now, say I."),
        ("I use Figma, says my old friend.", "I use Figma, as my old friend knows."),
        ("I use Figma, says my very old good friend.", "I use Figma, says nothing in my file here."),
        ("I use Figma, believes the whole team here.", "I use Figma, told the whole team here."),
        ("I use Figma, says the man I met there.", "I use Figma, as the man I met there knows."),
        ("I use Figma, my very dear old friend Nadia says.", "I use Figma, my friend likes it."),
        ("I use Figma, my good friend Bo says.", "I use Figma, my good friend Bo says hello."),
        ("Apparently I use Figma, but Bo left.", "Apparently Bo left, but I use Figma."),
    ],
)
def test_the_words_of_another_are_told_from_ones_own(report: str, assertion: str, outcome) -> None:
    assert outcome(report) == "report"
    assert outcome(assertion) == "asserted"


@pytest.mark.parametrize("sayer", ["Bo", "my old friend"])
def test_a_reason_that_ends_in_a_verb_of_saying_reports_only_the_reason(sayer: str, outcome) -> None:
    assert outcome(f"I use Figma because {sayer} says so.") == "asserted"
    assert outcome(f"I use Figma, {sayer} says so.") == "report"


@pytest.mark.parametrize(
    "content", ["I read, in Figma, all day.", "I just read, in Figma, all day.", "I read, in Figma, this article."]
)
def test_reading_without_another_subject_is_ones_own(content: str, outcome) -> None:
    assert outcome(content) == "asserted"
    assert outcome("I read, Nadia uses Figma.", subject="Nadia") == "report"


@pytest.mark.parametrize(
    ("content", "value"),
    [
        ("Nadia mentioned people.", "people"),
        ("Nadia mentioned people, not tools.", "people"),
        ("Nadia mentioned people she met.", "people she met"),
        ("Nadia, at work, mentioned Figma.", "Figma"),
    ],
)
def test_what_is_mentioned_is_no_clause(content: str, value: str, outcome) -> None:
    assert outcome(content, subject="Nadia", object=value) == "asserted"
    assert outcome("Nadia mentioned she uses Figma.", subject="Nadia") == "report"


def test_a_belief_in_something_is_no_doubt(outcome) -> None:
    assert outcome("I believed in Figma.") == "asserted"
    assert outcome("I believed Figma worked.") == "hypothetical modal"


@pytest.mark.parametrize(
    ("belief", "assertion"),
    [
        ("I thought, wrongly, I use Figma.", "I thought, so I use Figma."),
        ("I thought (wrongly) I use Figma.", "I thought it over (twice), I use Figma."),
        ("I believed, for years, that I use Figma.", "I believed for years, and I use Figma."),
        ("I assumed that, for years, I use Figma.", "I assumed it, for years, and I use Figma."),
        ("I thought — wrongly — I use Figma.", "I thought hard — I use Figma."),
    ],
)
def test_a_remark_between_a_past_belief_and_its_clause_leaves_the_doubt(belief: str, assertion: str, outcome) -> None:
    assert outcome(belief) == "hypothetical modal"
    assert outcome(assertion) == "asserted"


def test_a_belief_that_the_predicate_keeps_is_no_doubt(outcome) -> None:
    assert outcome("I thought Figma through.", predicate="thought_through") == "asserted"
    assert outcome("I thought Figma through.") == "hypothetical modal"


def test_a_thought_before_a_new_clause_is_no_doubt(outcome) -> None:
    assert outcome("I thought hard, so I use Figma.") == "asserted"
    assert outcome("I thought hard and long I used Figma.") == "hypothetical modal"

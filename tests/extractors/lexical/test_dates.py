"""Days on which something happened or happens: kept where they are told so that they stay true."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text

Said = tuple[str, str, str, str | None]


def said(text: str) -> list[Said]:
    return [(c.subject, c.predicate, c.object, c.replaces_object) for c in extract_text(text).claims]


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("I was born on March 3 1991.", "I was born on a farm.", ("I", "born_on", "March 3 1991", None)),
        ("i was born on may 3 1991", "i was born on may hill", ("i", "born_on", "may 3 1991", None)),
        ("Ann was born on 3 May 1991.", "Ann was born on time.", ("Ann", "born_on", "3 May 1991", None)),
        ("My wedding was on 2024-06-08.", "My wedding was on a beach.", ("My", "wedding", "2024-06-08", None)),
        ("My wedding was on 8 June.", "My wedding was on Saturday.", ("My", "wedding", "8 June", None)),
        ("The kickoff was on 12 January.", "The cat was on 12 January.", ("kickoff", "on", "12 January", None)),
        ("My surgery is on May 5th.", "My surgery is on hold.", ("My", "surgery", "May 5th", None)),
        ("my surgery is on may 5th btw", "my surgery is on may be", ("my", "surgery", "may 5th", None)),
        ("my surgery is on 5 may", "my surgery is on 5 may or may not", ("my", "surgery", "5 may", None)),
        ("Our anniversary is October 10.", "Our anniversary is soon.", ("anniversary", "on", "October 10", None)),
        (
            "The kickoff was on 12 January, now it's on 14 January.",
            "The kickoff was on 12 January, now it's on hold.",
            ("kickoff", "on", "14 January", "12 January"),
        ),
    ],
)
def test_a_day_is_told_of_what_takes_place_once(text: str, control: str, expected: Said) -> None:
    assert [expected] == said(text)
    assert [] == said(control)


@pytest.mark.parametrize(
    ("text", "control", "expected"),
    [
        ("I graduated in 2015.", "I graduated in a hurry.", ("I", "graduated_in", "2015", None)),
        ("I got married in May 2019.", "I got married in Vegas.", ("I", "got_married_in", "May 2019", None)),
        ("I've worked at Norwell for 5 years.", "I've worked at Norwell for free.", ("I", "works_at", "Norwell", None)),
        ("I've lived in Berlin since 2015.", "I've lived in Berlin.", ("I", "lives_in", "Berlin", None)),
        (
            "Ann has lived in Berlin for 10 yrs.",
            "Ann has lived in fear for 10 yrs.",
            ("Ann", "lives_in", "Berlin", None),
        ),
    ],
)
def test_what_somebody_did_is_told_by_its_day_and_what_lasts_by_how_long(
    text: str, control: str, expected: Said
) -> None:
    assert [expected] == said(text)
    assert [] == said(control)

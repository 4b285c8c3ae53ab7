"""What is only paused ends nothing: what stands behind "since", and why a medicine is left out."""

from __future__ import annotations

import pytest

from prme_extractors.lexical import extract_text


def ended(text: str) -> list[str]:
    return [claim.object for claim in extract_text(text).claims if claim.temporal_intent == "update"]


@pytest.mark.parametrize(
    "time",
    ["Monday", "March", "2029", "3 May", "May 3rd", "the 3rd", "2029-05-03", "yesterday", "last week",
     "last summer", "the beginning of March", "the end of last year", "two weeks ago", "a couple of months ago",
     "late March", "mid-2029", "early last year", "I was 12", "I was twelve", "childhood", "college", "high school",
     "then", "the new year", "Christmas", "about 2029"],
)  # fmt: skip
@pytest.mark.parametrize(
    "change", ["I've been off metformin", "I no longer take metformin", "I don't take metformin anymore"]
)
def test_a_change_may_be_dated(change: str, time: str) -> None:
    assert ended(f"{change} since {time}.") == ["metformin"]


@pytest.mark.parametrize(
    "rest",
    ["today", "this morning", "midnight", "noon", "lunch", "tonight", "3", "school is out", "the visit is on Friday",
     "I moved", "he's at the sitter's", "the mess with the insurance", "Monday to get ready", "Monday for the visit",
     "Monday because of the visit", "Monday while I travel", "the beginning of the visit", "the end of the semester",
     "two hours ago"],
)  # fmt: skip
def test_a_cause_or_a_moment_behind_since_leaves_the_change_out(rest: str) -> None:
    assert ended(f"I've been off metformin since {rest}.") == []
    assert ended(f"I no longer wear glasses since {rest}.") == []


def test_what_still_holds_may_be_so_since_anything() -> None:
    assert [claim.object for claim in extract_text("I've been using Vim since I broke my mouse.").claims] == ["Vim"]


def test_a_replacement_may_be_dated_too() -> None:
    dated, caused = (extract_text(f"I use Vim instead of Emacs now since {rest}.").claims for rest in ("May", "lunch"))

    assert [claim.replaces_object for claim in dated] == ["Emacs"]
    assert [claim.replaces_object for claim in caused] == []


@pytest.mark.parametrize(
    "change",
    ["I've been off metformin since Monday.", "I stopped taking metformin.", "I no longer drink coffee.",
     "My doctor switched me from metformin to Ozempic."],
)  # fmt: skip
@pytest.mark.parametrize(
    ("reason", "control"),
    [
        ("Scan is on Friday.", "Race is on Friday."),
        ("My surgery is on Friday.", "My flight is on Friday."),
        ("The MRI is at 9:30.", "The bus is at 9:30."),
        ("The pharmacy is at 12 High Street.", "The office is at 12 High Street."),
    ],
)
def test_a_message_that_tells_why_a_medicine_is_left_out_ends_none(change: str, reason: str, control: str) -> None:
    assert ended(f"{change} {reason}") == []
    assert ended(f"{reason} {change}") == []
    assert len(ended(f"{change} {control}")) == 1


def test_a_scan_says_nothing_about_what_is_not_taken_in() -> None:
    assert ended("I no longer use Slack. The scan is on Friday.") == ["Slack"]

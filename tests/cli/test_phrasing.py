"""Claims and times read the same on every page."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from prme.cli.phrasing import counted, day, held, reservations, short_digest, statement
from prme.explanation.wording import minute

NINE = datetime(2031, 4, 1, 9, tzinfo=UTC)


def test_a_denial_is_marked_as_one():
    assert statement("I", "uses", "Figma", "negative") == "I | uses | Figma (denied)"


def test_a_positive_claim_is_not():
    assert statement("I", "uses", "Figma", "positive") == "I | uses | Figma"


def test_a_statement_keeps_to_one_line():
    assert statement("I\n", "uses", "\x1b[2J", "positive") == r"I\n | uses | \x1b[2J"


@pytest.mark.parametrize(
    ("valid_to", "words"),
    [
        (None, "since 2031-04-01 09:00 UTC"),
        (NINE + timedelta(days=1), "from 2031-04-01 09:00 UTC to 2031-04-02 09:00 UTC"),
        (NINE, "at no time: it was corrected as of 2031-04-01 09:00 UTC, when it took effect"),
    ],
)
def test_an_interval_in_words(valid_to: datetime | None, words: str):
    assert held(NINE, valid_to) == words


def test_times_are_shown_in_utc():
    late = datetime(2031, 4, 1, 23, 30, tzinfo=timezone(timedelta(hours=-2)))

    assert (day(late), minute(late)) == ("2031-04-02", "2031-04-02 01:30 UTC")


def test_every_reservation_is_named():
    assert reservations("unknown", "unverified", "if I\ttravel") == [
        "polarity unknown",
        "heard from others",
        r"only if I\ttravel",
    ]


def test_a_condition_says_that_a_claim_is_conditional():
    assert reservations("negative", "conditional", "when I travel") == ["denied", "only when I travel"]


def test_without_its_condition_a_conditional_claim_still_says_so():
    assert reservations("positive", "conditional", None) == ["only under a condition"]


@pytest.mark.parametrize("condition", ["unless it rains", "Only if asked", "even if it rains"])
def test_a_condition_that_needs_no_only_gets_none(condition: str):
    assert reservations("positive", "asserted", condition) == [condition]


def test_a_plain_positive_claim_has_no_reservation():
    assert reservations("positive", "observed", None) == []


def test_numbers_come_with_their_noun():
    assert [counted(n, "entry", "entries") for n in (0, 1, 1_000)] == ["0 entries", "1 entry", "1,000 entries"]


def test_digests_of_both_kinds_are_shortened_alike():
    assert short_digest("sha256:" + "ab" * 32) == short_digest("ab" * 32) == "ab" * 8

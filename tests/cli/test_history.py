"""`prme history` shows what the store ever said of a claim, and `prme claims` looks back on both times."""

from __future__ import annotations

import pytest

from prme import ids

OPEN = "2031-04-01T09:00:00Z"


def test_every_version_is_shown_with_what_the_store_said(pumps):
    lines = " ".join(pumps.run("history", pumps.claim(1)).stdout.split())

    assert lines.startswith("I | uses | insulin pump")
    assert "2 versions" in lines
    assert "in effect since 2031-04-01 09:00 UTC; current" in lines
    assert (
        "in effect from 2031-04-01 09:00 UTC to 2031-04-02 09:00 UTC; "
        f"retired, with a successor {pumps.claim(2)}" in lines
    )


def test_what_came_after_it_is_shown_by_its_words(pumps):
    page = " ".join(pumps.run("history", pumps.claim(1)).stdout.split())

    assert "What came after it" in page
    assert '"I don\'t use the pump anymore."' in page
    assert "It retired" not in page


def test_what_it_retired_is_shown_by_its_words(pumps):
    page = pumps.run("history", pumps.claim(2)).stdout

    assert "It retired\n  I | uses | insulin pump" in page
    assert "What came after it" not in page


def test_json_is_the_history(pumps):
    history = pumps.json("history", pumps.claim(1))

    assert [version["status"] for version in history["versions"]] == ["current", "superseded"]
    assert [node["id"] for node in history["successors"]] == [pumps.claim(2)]


def test_a_note_is_shown_by_its_message(pumps):
    page = pumps.run("history", ids.note_id(pumps.event(1))).stdout

    assert page.startswith('"I use an insulin pump."')
    assert "1 version" in page


def test_the_id_of_a_message_is_told_apart(pumps):
    result = pumps.run("history", pumps.event(1))

    assert (result.exit_code, result.stdout) == (1, "")
    assert "the id of a message" in result.stderr


def test_an_unknown_id_says_where_ids_are_listed(pumps):
    result = pumps.run("history", "nonsense")

    assert result.exit_code == 1
    assert "prme claims --user-id OWNER --all" in result.stderr


def test_a_claim_that_was_not_stored_yet_says_so(pumps):
    result = pumps.run("history", pumps.claim(1), "--known-at", "2001-01-01")

    assert result.exit_code == 1
    assert "not stored yet" in result.stderr


def test_claims_look_back_on_what_was_in_effect(pumps):
    then = pumps.json("claims", "--user-id", "sam", "--valid-at", OPEN)
    now = pumps.json("claims", "--user-id", "sam")

    assert ([node["object"] for node in then], [node["object"] for node in now]) == (["insulin pump"], ["pump"])


def test_claims_look_back_on_what_was_known(pumps):
    assert pumps.json("claims", "--user-id", "sam", "--known-at", "2001-01-01") == []
    assert len(pumps.json("claims", "--user-id", "sam", "--known-at", "2999-01-01")) == 1


@pytest.mark.parametrize(
    ("written", "listed"), [("2031-04-01", 0), ("2031-04-01T09:00", 1), ("2031-04-01T11:00+02:00", 1)]
)
def test_a_time_is_utc_unless_it_names_a_zone(pumps, written: str, listed: int):
    assert len(pumps.json("claims", "--user-id", "sam", "--valid-at", written)) == listed


@pytest.mark.parametrize("written", ["yesterday", "", "2031-13-01", "0001-01-01T00:00+14:00"])
def test_what_is_no_time_is_refused_with_an_example(pumps, written: str):
    result = pumps.run("claims", "--user-id", "sam", "--valid-at", written)

    assert result.exit_code == 2
    assert "write 2026-03-01" in result.stderr

"""`prme state` and `prme changes`."""

from __future__ import annotations

import pytest

from prme import AssertionState, Change
from tests.cli.conftest import Talk


def joined(text: str) -> str:
    return " ".join(text.split())


def test_a_denied_value_is_unknown_and_the_page_says_why(pumps: Talk):
    result = pumps.run("state", "I", "uses", "--user-id", "sam")

    assert result.exit_code == 0
    assert joined(result.stdout) == (
        "unknown: nothing is known to hold "
        f"Denied I | uses | pump (denied), in effect since 2031-04-02 09:00 UTC, claim {pumps.claim(2)} "
        "Closed I | uses | insulin pump, in effect from 2031-04-01 09:00 UTC to 2031-04-02 09:00 UTC; "
        f"closed by a rule {pumps.claim(2)}, claim {pumps.claim(1)}"
    )


def test_json_gives_the_state(pumps: Talk):
    state = AssertionState.model_validate(pumps.json("state", "me", "use", "--user-id", "sam"))

    assert (state.status, [node.id for node in state.denied]) == ("unknown", [pumps.claim(2)])


def test_it_looks_back_on_both_times(pumps: Talk):
    back = pumps.json("state", "I", "uses", "--user-id", "sam", "--valid-at", "2031-04-01T12:00")

    assert back["status"] == "single"
    assert pumps.json("state", "I", "uses", "--user-id", "sam", "--known-at", "2020-01-01")["status"] == "unknown"


def test_what_is_not_known_is_one_line(pumps: Talk):
    result = pumps.run("state", "Nadia", "uses", "--user-id", "sam")

    assert (result.exit_code, result.stdout.strip()) == (0, "unknown: nothing is known to hold")


@pytest.mark.parametrize("asked", [(" ", "uses"), ("I", "  ")])
def test_a_blank_word_is_wrong_usage(pumps: Talk, asked: tuple[str, str]):
    result = pumps.run("state", *asked, "--user-id", "sam")

    assert (result.exit_code, "must not be blank" in joined(result.stderr)) == (2, True)


def test_changes_are_listed_with_what_they_did_and_how_to_go_on(pumps: Talk):
    result = pumps.run("changes", "--user-id", "sam")

    assert result.exit_code == 0
    assert [line.split("  ")[0][-3:] for line in result.stdout.splitlines()[1:5]] == ["UTC"] * 4
    assert "1 retired" in result.stdout
    assert result.stdout.splitlines()[-1] == "go on with --after owner:4"


def test_they_go_on_after_a_cursor(pumps: Talk):
    first = [Change.model_validate(change) for change in pumps.json("changes", "--limit", "3")]
    rest = [Change.model_validate(change) for change in pumps.json("changes", "--after", first[-1].cursor)]

    assert [change.seq for change in (*first, *rest)] == [1, 2, 3, 4]
    assert pumps.run("changes", "--after", rest[-1].cursor).stdout == "no changes\n"


def test_a_strange_cursor_is_wrong_usage(pumps: Talk):
    result = pumps.run("changes", "--after", "yesterday")

    assert (result.exit_code, "not a cursor" in joined(result.stderr)) == (2, True)

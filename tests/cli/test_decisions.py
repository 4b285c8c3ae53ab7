"""The commands by which a caller decides, and the state that they lead to."""

from __future__ import annotations

import pytest

from prme import DecisionReceipt, ids
from tests.cli.conftest import Run, Talk


@pytest.fixture
def drinks(talk: Talk) -> Talk:
    """A talk that is stored: tea, then coffee."""
    talk.say("I drink tea.", talk.states("drinks", "tea"))
    talk.say("I drink coffee.", talk.states("drinks", "coffee"))
    assert talk.ingest().exit_code == 0
    return talk


def joined(text: str) -> str:
    return " ".join(text.split())


def test_supersede_tells_what_it_closed_and_who_decided(drinks: Talk):
    result = drinks.run(
        "supersede", drinks.claim(1), drinks.claim(2), "--evidence", drinks.event(2), "--actor", "nurse"
    )

    assert result.exit_code == 0
    assert joined(result.stdout) == (
        f"Superseded closed: I | drinks | tea, fact {drinks.claim(1)} by: I | drinks | coffee, fact {drinks.claim(2)} "
        f"as of 2031-04-02 09:00 UTC decided by nurse, evidence: message {drinks.event(2)}"
    )


def test_the_same_decision_again_says_that_nothing_was_changed(drinks: Talk):
    drinks.run("supersede", drinks.claim(1), drinks.claim(2))

    result = drinks.run("supersede", drinks.claim(1), drinks.claim(2))

    assert result.exit_code == 0
    assert "Superseded before, nothing was changed now" in result.stdout


def test_json_gives_the_receipt(drinks: Talk):
    receipt = DecisionReceipt.model_validate(drinks.json("supersede", drinks.claim(1), drinks.claim(2)))

    assert (receipt.status, receipt.retired, receipt.actor) == ("applied", [drinks.claim(1)], "operator")


def test_a_contradiction_is_noted_and_resolved(drinks: Talk):
    noted = drinks.run("contradict", drinks.claim(1), drinks.claim(2), "--user-id", "sam")
    assert noted.stdout.startswith("Contested, each by the other")
    assert drinks.json("state", "I", "drinks", "--user-id", "sam")["status"] == "contested"

    resolved = drinks.run("resolve", drinks.claim(2), drinks.claim(1))
    assert resolved.stdout.startswith("Resolved: closed without a successor")
    assert "stands: I | drinks | coffee" in resolved.stdout
    assert drinks.json("state", "I", "drinks", "--user-id", "sam")["status"] == "single"
    assert drinks.run("verify").exit_code == 0


def test_a_note_tells_which_claims_stay_open(drinks: Talk):
    notes = [ids.note_id(drinks.event(number)) for number in (1, 2)]

    result = drinks.run("supersede", *notes)

    assert f"still open, each to be decided by itself: {drinks.claim(1)}" in joined(result.stdout)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("supersede", "nonsense", "{tea}"), "no note or claim with this id"),
        (("supersede", "{tea}", "{tea}"), "cannot supersede itself"),
        (("contradict", "{tea}", "{coffee}", "--user-id", "ann"), "no note or claim with this id"),
        (("supersede", "{tea}", "{coffee}", "--evidence", "nonsense"), "Evidence event is not available"),
        (("resolve", "{tea}", "{coffee}"), "not in an unresolved contradiction"),
    ],
)
def test_a_refused_decision_says_why_in_one_line(drinks: Talk, arguments: tuple[str, ...], says: str):
    known = {"tea": drinks.claim(1), "coffee": drinks.claim(2)}

    result = drinks.run(*(argument.format(**known) for argument in arguments))

    assert (result.exit_code, result.stdout) == (1, "")
    assert says in joined(result.stderr)
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("command", ["supersede", "contradict", "resolve"])
def test_a_store_that_is_not_there_is_not_made(run: Run, command: str):
    result = run("--store", "nowhere", command, "a", "b")

    assert (result.exit_code, "there is no store" in joined(result.stderr)) == (1, True)


def test_why_tells_who_decided_and_what_stands(drinks: Talk):
    drinks.run("supersede", drinks.claim(1), drinks.claim(2), "--actor", "nurse")

    text = joined(drinks.run("why", drinks.claim(1)).stdout)

    assert "by hand, by nurse no evidence was named" in text
    assert "the replacement: I | drinks | coffee, in effect since 2031-04-02 09:00 UTC" in text


def test_why_tells_the_winner_of_a_lost_contradiction(drinks: Talk):
    drinks.run("contradict", drinks.claim(1), drinks.claim(2))
    drinks.run("resolve", drinks.claim(1), drinks.claim(2), "--evidence", drinks.event(1))

    text = joined(drinks.run("why", drinks.claim(2)).stdout)

    assert "lost a contradiction, which was resolved on" in text
    assert f"on event {drinks.event(1)}" in text
    assert "the winner: I | drinks | tea" in text


def test_an_actor_cannot_write_on_the_terminal(drinks: Talk):
    result = drinks.run("supersede", drinks.claim(1), drinks.claim(2), "--actor", "nurse\x1b[31m")

    assert "\x1b" not in result.stdout


def test_a_superseded_note_says_who_decided_and_shows_its_successor(drinks: Talk):
    one, two = (ids.note_id(drinks.event(number)) for number in (1, 2))
    drinks.run("supersede", one, two, "--actor", "nurse", "--evidence", drinks.event(2))

    why, history = (joined(drinks.run(command, one).stdout) for command in ("why", "history"))

    assert "The note itself retired, with a successor" in why
    assert "by hand, by nurse" in why
    assert f'the replacement: "I drink coffee.", in effect since 2031-04-02 09:00 UTC note {two}' in why
    assert f'What came after it "I drink coffee.", in effect since 2031-04-02 09:00 UTC note {two}' in history
    assert f"Relations {two} supersedes {one}; decided by nurse on event {drinks.event(2)}" in history


def test_a_note_that_is_current_is_not_mentioned(drinks: Talk):
    assert "The note itself" not in drinks.run("why", drinks.event(1)).stdout


def test_history_shows_a_contradiction_and_that_it_was_resolved(drinks: Talk):
    drinks.run("contradict", drinks.claim(1), drinks.claim(2))
    drinks.run("resolve", drinks.claim(2), drinks.claim(1))

    history = joined(drinks.run("history", drinks.claim(2)).stdout)

    assert "conflicts with" in history
    assert ", resolved; decided by operator, recorded" in history

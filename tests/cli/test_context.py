from __future__ import annotations

from prme.cli import context_commands
from prme.context import request
from tests.cli.conftest import Talk


def test_the_limits_of_the_command_are_those_of_the_library():
    assert (request.DEFAULT_BUDGET, request.MOST_TOKENS) == (
        context_commands.DEFAULT_BUDGET,
        context_commands.MOST_TOKENS,
    )


def test_it_prints_what_holds_and_nothing_closed(pumps: Talk):
    printed = pumps.run("context", "pump", "--user-id", "sam")

    assert printed.exit_code == 0
    assert f'- 2031-04-02 (denied): the user uses "pump" [{pumps.claim(2)}]' in printed.stdout.splitlines()
    assert pumps.claim(1) not in printed.stdout


def test_without_a_query_the_newest_come_first(talk: Talk):
    talk.say("I use Vim.", talk.states("uses", "Vim"))
    talk.say("I use a pen.", talk.states("uses", "pen"))
    talk.ingest()

    assert [talk.claim(2), talk.claim(1)] == talk.json("context", "--user-id", "sam")["node_ids"]


def test_as_json_it_counts(pumps: Talk):
    made = pumps.json("context", "pump", "--user-id", "sam")

    assert ([pumps.claim(2)], 0) == (made["node_ids"], made["left_out"])
    assert 0 < made["tokens"] <= 1_000
    assert made["text"].endswith(f"[{pumps.claim(2)}]\n")


def test_notes_are_shown_when_asked_for(pumps: Talk):
    plain, full = (pumps.run("context", "pump", "--user-id", "sam", *more).stdout for more in ((), ("--notes",)))

    assert 'message "I use an insulin pump."' not in plain
    assert '(something in it holds no longer): message "I use an insulin pump."' in full


def test_another_scope_is_left_out(pumps: Talk):
    assert "" == pumps.run("context", "pump", "--user-id", "sam", "--scope", "work").stdout


def test_nothing_found_is_said_beside_the_text(pumps: Talk):
    found = pumps.run("context", "tractor", "--user-id", "sam")
    nobody = pumps.run("context", "--user-id", "kim")
    narrow = pumps.run("context", "pump", "--user-id", "sam", "--budget", "5")

    assert ("", "", "") == (found.stdout, nobody.stdout, narrow.stdout)
    assert "nothing that holds has words of the query\n" == found.stderr
    assert "nothing holds\n" == nobody.stderr
    assert "1 would fit into a larger --budget only\n" == narrow.stderr


def test_what_cannot_be_asked_is_wrong_usage(pumps: Talk):
    assert [2, 2, 2] == [
        pumps.run("context", "pump", *options).exit_code
        for options in ((), ("--user-id", " "), ("--user-id", "sam", "--budget", "0"))
    ]


def test_a_missing_store_is_not_made(run):
    refused = run("--store", "nowhere", "context", "--user-id", "sam")

    assert refused.exit_code == 1
    assert "there is no store in 'nowhere'" in refused.stderr

"""`prme plans export`, `prme plans verify` and `prme replay`: what they print, and how they end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prme.cli.replay_progress import ReplayProgress
from tests.cli.conftest import Run, Talk


@pytest.fixture
def export(pumps: Talk, tmp_path: Path) -> Path:
    assert pumps.run("plans", "export", "x.jsonl").exit_code == 0
    return tmp_path / "x.jsonl"


def words(text: str) -> str:
    return " ".join(text.split())


def test_an_export_says_what_it_holds(pumps: Talk):
    result = pumps.run("plans", "export", "x.jsonl")
    state = pumps.json("verify")["owners"]["sam"]

    assert f"exported to x.jsonl: 2 messages, 2 plans and 0 decisions of 1 owner sam state {state}" == words(
        result.stdout
    )


def test_an_export_as_json_is_its_manifest(pumps: Talk, tmp_path: Path):
    assert pumps.json("plans", "export", "x") == json.loads((tmp_path / "x" / "manifest.json").read_text())


def test_an_export_of_an_unknown_owner_says_so(pumps: Talk):
    result = pumps.run("plans", "export", "x.jsonl", "--user-id", "san")

    assert "nothing is stored here for the owner 'san'" in result.stdout


def test_an_export_without_a_store_makes_none(run: Run, tmp_path: Path):
    result = run("--store", "none", "plans", "export", "x.jsonl")

    assert (result.exit_code, "there is no store" in result.stderr) == (1, True)
    assert list(tmp_path.iterdir()) == []


def test_an_export_replaces_nothing(pumps: Talk, export: Path):
    result = pumps.run("plans", "export", "x.jsonl")

    assert (result.exit_code, "is there already" in result.stderr) == (1, True)


def test_many_owners_are_counted(talk: Talk):
    for number in range(7):
        talk.say("Hello there.", user_id=f"user {number}")
    talk.ingest()
    result = talk.run("plans", "export", "x.jsonl")

    assert "and 2 more owners" in result.stdout


def test_a_sound_export_is_ok(run: Run, export: Path):
    result = run("plans", "verify", "x.jsonl")

    assert (result.exit_code, result.stdout) == (0, "ok: 2 messages, 2 plans and 0 decisions of 1 owner\n")
    assert json.loads(run("plans", "verify", "x.jsonl", "--json").stdout)["ok"] is True


def test_a_damaged_export_is_not(run: Run, export: Path):
    export.write_bytes(export.read_bytes().replace(b"insulin", b"Insulin"))
    result = run("plans", "verify", "x.jsonl")

    assert result.exit_code == 1
    assert words(result.stdout).startswith("NOT OK: 1 message, 1 plan and 0 decisions of 1 owner Not used, or missing")
    assert "x.jsonl, line 1: the plan's bytes do not match its checksum" in words(result.stdout)


def test_an_export_that_may_be_cut_short_is_not_called_sound(run: Run, export: Path):
    export.write_bytes(b"".join(export.read_bytes().splitlines(keepends=True)[:2]))
    result = run("plans", "verify", "x.jsonl")

    assert (result.exit_code, result.stdout.startswith("NOT OK: 2 messages")) == (1, True)
    assert "no manifest was read" in result.stdout


def test_problems_that_are_not_listed_are_counted(run: Run, tmp_path: Path):
    (tmp_path / "x.jsonl").write_bytes(b"x\n" * 1_002)

    assert "and 2 more" in run("plans", "verify", "x.jsonl").stdout


def test_a_replay_says_what_it_published_and_verifies_it(run: Run, pumps: Talk, export: Path):
    result = run("replay", "x.jsonl", "--store", "other", "--verify")

    assert result.exit_code == 0
    assert words(result.stdout) == (
        "published 2 messages, 2 plans and 0 decisions of 1 owner Verification "
        "1 owner is in the state that the manifest gives verify: everything computed again is as stored"
    )
    assert (
        run("--store", "other", "claims", "--user-id", "sam", "--all").stdout
        == pumps.run("claims", "--user-id", "sam", "--all").stdout
    )


def test_a_second_replay_says_that_everything_is_there(run: Run, export: Path):
    run("replay", "x.jsonl", "--store", "other")
    result = run("replay", "x.jsonl", "--store", "other")

    assert (result.exit_code, "2 records there already" in result.stdout) == (0, True)


def test_a_replay_reads_standard_input(run: Run, export: Path):
    result = run("replay", "-", "--store", "other", input=export.read_bytes())

    assert (result.exit_code, "published 2 messages" in result.stdout) == (0, True)


def test_a_bad_record_is_reported_and_the_rest_goes_on(run: Run, export: Path):
    export.write_bytes(export.read_bytes().replace(b"insulin", b"Insulin"))
    result = run("replay", "x.jsonl", "--store", "other", "--verify")

    assert result.exit_code == 1
    assert "x.jsonl, line 1:" in result.stdout
    assert "published 1 message, 1 plan" in result.stdout
    assert "NOT OK: sam is in another state than the manifest gives" in words(result.stdout)


def test_nothing_to_compare_with_is_not_the_same(run: Run, export: Path):
    export.write_bytes(b"".join(export.read_bytes().splitlines(keepends=True)[:2]))
    without = run("replay", "x.jsonl", "--store", "other")
    asked = run("replay", "x.jsonl", "--store", "other", "--verify")

    assert (without.exit_code, asked.exit_code) == (0, 1)
    assert "there is nothing to compare with" in words(asked.stdout)


def test_a_store_with_other_owners_can_be_verified_against_the_manifest(run: Run, export: Path):
    run("--store", "other", "ingest", "-", input=b'{"content": "Hello.", "user_id": "zoe"}\n')

    assert run("replay", "x.jsonl", "--store", "other", "--verify").exit_code == 0


def test_another_store_in_the_same_state_is_found_the_same(run: Run, pumps: Talk, export: Path):
    result = run("replay", "x.jsonl", "--store", "other", "--against", pumps.store)

    assert (result.exit_code, "is in the state that the store in" in words(result.stdout)) == (0, True)


def test_another_store_in_another_state_is_told_field_by_field(run: Run, pumps: Talk, export: Path):
    pumps.say("I use an insulin pump.", pumps.states("uses", "insulin pump"), occurred_at="2031-03-01T09:00:00Z")
    pumps.ingest()
    result = run("replay", "x.jsonl", "--store", "other", "--against", pumps.store, "--verify")
    told = words(result.stdout)

    assert result.exit_code == 1
    assert "NOT OK: sam is in another state than the store in" in told
    assert "first difference:" in told
    data = json.loads(run("replay", "x.jsonl", "--store", "other", "--against", pumps.store, "--json").stdout)
    assert (data["ok"], data["verification"]["ok"]) == (True, False)
    assert data["verification"]["difference"]["fields"]


@pytest.mark.parametrize(("here", "there"), [("other", "memory"), ("memory", "other")])
def test_a_claim_that_only_one_store_has_is_told_as_such(run: Run, pumps: Talk, export: Path, here: str, there: str):
    export.write_bytes(export.read_bytes().splitlines(keepends=True)[0])
    run("replay", "x.jsonl", "--store", "other")
    result = run("replay", "x.jsonl", "--store", here, "--against", there)

    assert result.exit_code == 1
    assert "first difference:" in result.stdout


def test_a_replay_against_no_store_ends_with_an_error(run: Run, export: Path):
    result = run("replay", "x.jsonl", "--store", "other", "--against", "none")

    assert (result.exit_code, "there is no store" in result.stderr) == (1, True)


@pytest.mark.parametrize("arguments", [(), ("none.jsonl",), ("x.jsonl", "--jobs", "0")])
def test_wrong_usage_is_refused(run: Run, export: Path, arguments: tuple[str, ...]):
    assert run("replay", *arguments).exit_code == 2


def test_a_terminal_gets_a_bar_and_it_is_cleared(export: Path):
    import io

    from rich.console import Console

    stream = io.StringIO()
    with ReplayProgress(Console(file=stream, force_terminal=True), total_bytes=10, doing="published") as progress:
        progress.read(10)
        progress.begin(2)
        progress.done(2)
        progress._progress.refresh()

    assert "2 records published" in stream.getvalue()


def test_what_is_no_terminal_gets_nothing(run: Run, export: Path):
    assert run("replay", "x.jsonl", "--store", "other").stderr == ""

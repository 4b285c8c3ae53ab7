"""`prme ingest` takes chat exports in, reports what is bad in them, and changes nothing when it is run again."""

from __future__ import annotations

import json

from tests.cli.chat_files import SECRET, TREE, anthropic, api, line_of, node, openai, packed, write_export


def test_what_an_export_did_is_counted(run, tmp_path):
    export = [
        openai(*line_of("I use Figma.", "Good.", "I don't use Figma anymore."), node("m9", "root", "x"), current="m2")
    ]

    result = run("ingest", write_export(tmp_path / "conversations.json", export), "--user-id", "sam")

    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.splitlines()[:3] == [
        "3 messages: 3 published, 0 duplicates, 0 failed",
        "2 claims admitted, 1 retired",
        "skipped: 1 message of another branch",
    ]


def test_running_an_export_again_changes_nothing(run, tmp_path):
    export = [
        openai(*line_of("I use Figma.", "Good.")),
        anthropic(*TREE),
        api(("user", "I use Slack."), ("user", "Hm.")),
    ]
    file = write_export(tmp_path / "all.json", export)
    first = json.loads(run("ingest", file, "--user-id", "sam", "--json").stdout)

    second = json.loads(run("ingest", file, "--user-id", "sam", "--json").stdout)

    assert (first["published"], first["duplicates"]) == (6, 0)
    assert (second["published"], second["duplicates"], second["journal"]) == (0, 6, first["journal"])


def test_an_archive_is_taken_in_as_it_was_downloaded(run, tmp_path):
    archive = packed(conversations_000=[openai(*line_of("I use Figma."))], conversations_001=[anthropic(*TREE)])

    result = run("ingest", write_export(tmp_path / "export.zip", archive), "--user-id", "sam")

    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "3 messages: 3 published, 0 duplicates, 0 failed")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["export.zip", "memory"]


def test_an_export_without_an_owner_is_wrong_usage_and_makes_no_store(run, tmp_path):
    result = run("ingest", write_export(tmp_path / "all.json", [api(("user", "x"))]))

    assert (result.exit_code, "--user-id" in result.stderr) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


def test_of_a_damaged_export_nothing_is_stored(run, tmp_path):
    file = write_export(tmp_path / "all.json", json.dumps([api(("user", "x")), api(("user", "y"))]).encode()[:-4])

    result = run("ingest", file, "--user-id", "sam")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: the export cannot be read, at conversation 2: not JSON")
    assert [path.name for path in tmp_path.iterdir()] == ["all.json"]


def test_a_bad_message_of_an_export_is_a_failure_at_its_place(run, tmp_path):
    export = [api(("user", "Hello there.")), api(("user", "Hm."), ("robot", SECRET))]

    result = run("ingest", write_export(tmp_path / "all.json", export), "--user-id", "sam", "--json")
    summary = json.loads(result.stdout)

    assert result.exit_code == 1
    assert (summary["published"], summary["refused"]) == (2, 1)
    assert [(one["place"], one["line"]) for one in summary["failures"]] == [("conversation 2, message 2", None)]
    assert result.stderr.startswith("conversation 2, message 2: refused: role is not one of")
    assert SECRET not in result.output


def test_refused_messages_of_an_export_are_not_called_lines(run, tmp_path):
    result = run("ingest", write_export(tmp_path / "all.json", [api(("robot", "x"))]), "--user-id", "sam")

    assert "1 message refused" in result.stdout.splitlines()


def test_the_option_decides_whether_the_person_is_the_owner(run, tmp_path):
    file = write_export(tmp_path / "all.json", [api(("user", "I use Figma."))])
    for owner, option in (("sam", "--first-person-owner"), ("ann", "--no-first-person-owner"), ("bo", None)):
        run("ingest", file, "--user-id", owner, *([] if option is None else [option]))

    states = {
        owner: json.loads(run("state", "I", "uses", "--user-id", owner, "--json").stdout)
        for owner in ("sam", "ann", "bo")
    }

    assert {"sam": "single", "ann": "unknown", "bo": "single"} == {
        owner: state["status"] for owner, state in states.items()
    }

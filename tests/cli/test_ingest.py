"""`prme ingest` takes lines in, reports the bad ones, and changes nothing when it is run again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from prme.cli import ingestion
from prme.cli.ingest_view import failure_line
from prme.cli.ingestion import EntryFailure


def write(file: Path, *lines: str | bytes | dict[str, Any]) -> str:
    raw = [x if isinstance(x, bytes) else (x if isinstance(x, str) else json.dumps(x)).encode() for x in lines]
    file.write_bytes(b"\n".join(raw))
    return str(file)


def said(content: str, **fields: Any) -> dict[str, Any]:
    return {"content": content, "user_id": "sam", "first_person_owner": True, **fields}


def counts(summary: dict[str, Any], *names: str) -> list[int]:
    return [summary[name] for name in names]


def test_the_summary_counts_what_the_file_did(talk):
    talk.say("I use an insulin pump.", talk.states("uses", "insulin pump"))
    talk.say("I don't use the pump anymore.", talk.denies("uses", "pump"))

    result = talk.ingest()

    assert result.exit_code == 0
    assert result.stderr == ""
    assert result.stdout.splitlines()[:2] == [
        "2 messages: 2 published, 0 duplicates, 0 failed",
        "2 claims admitted, 1 retired",
    ]
    assert result.stdout.splitlines()[2].startswith("journal of sam: 4 entries, head ")


def test_the_summary_as_json_names_the_journal_head(talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))

    summary = json.loads(talk.ingest("--json").stdout)

    assert summary["journal"] == talk.json("verify")["journal"]
    assert summary["journal"]["sam"]["seq"] == 2
    assert summary["failures"] == []


def test_running_a_file_again_changes_nothing(run, tmp_path):
    file = write(tmp_path / "talk.jsonl", said("I use Figma."), said("I use Figma."), said("I use Vim."))
    first = json.loads(run("ingest", file, "--json").stdout)

    second = run("ingest", file, "--json")

    assert second.exit_code == 0
    assert counts(first, "messages", "published", "duplicates") == [3, 3, 0]
    assert counts(json.loads(second.stdout), "messages", "published", "duplicates") == [3, 0, 3]
    assert json.loads(second.stdout)["journal"] == first["journal"]


def test_a_line_added_to_a_known_file_is_new(run, tmp_path):
    write(tmp_path / "talk.jsonl", said("I use Figma."))
    run("ingest", str(tmp_path / "talk.jsonl"))
    file = write(tmp_path / "talk.jsonl", said("I use Figma."), said("I use Figma."))

    summary = json.loads(run("ingest", file, "--json").stdout)

    assert counts(summary, "published", "duplicates") == [1, 1]


def test_bad_lines_are_reported_and_the_rest_goes_in(run, tmp_path):
    file = write(
        tmp_path / "talk.jsonl",
        said("I use Figma."),
        "secret words",
        "",
        b"\xff secret",
        {"content": "secret", "user_id": "sam", "colour": "secret"},
        said("I use Vim."),
    )

    result = run("ingest", file, "--json")
    summary = json.loads(result.stdout)

    assert result.exit_code == 1
    assert counts(summary, "messages", "published", "refused", "failed") == [2, 2, 3, 0]
    assert [(failure["line"], failure["kind"]) for failure in summary["failures"]] == [
        (2, "refused"),
        (4, "refused"),
        (5, "refused"),
    ]
    assert [text.split(":")[0] for text in result.stderr.splitlines()] == ["line 2", "line 4", "line 5"]
    assert "secret" not in result.output


def test_a_conflict_is_reported_at_its_line_and_its_neighbours_go_in(run, tmp_path):
    file = write(
        tmp_path / "talk.jsonl",
        said("I use Figma.", message_id="a"),
        said("I use Vim.", message_id="a"),
        said("I use Emacs.", message_id="b"),
    )

    result = run("ingest", file, "--json")
    summary = json.loads(result.stdout)

    assert result.exit_code == 1
    assert counts(summary, "published", "refused") == [2, 1]
    assert summary["failures"][0]["line"] == 2
    assert "message_id" in summary["failures"][0]["reason"]


def test_the_same_message_id_on_the_same_message_is_a_duplicate(run, tmp_path):
    same = said("I use Figma.", message_id="a")

    result = run("ingest", write(tmp_path / "talk.jsonl", same, same), "--json")

    assert result.exit_code == 0
    assert counts(json.loads(result.stdout), "published", "duplicates", "refused") == [1, 1, 0]


def test_a_failed_extraction_is_a_failure_and_the_message_is_stored(talk):
    talk.say("I use Figma.", recorded=False)
    talk.say("I use Vim.", talk.states("uses", "Vim"))

    result = talk.ingest("--json")
    summary = json.loads(result.stdout)

    assert result.exit_code == 1
    assert counts(summary, "messages", "published", "failed", "refused") == [2, 1, 1, 0]
    assert summary["failures"] == [
        {"place": "line 1", "line": 1, "kind": "failed", "reason": "recorded_miss", "event_id": talk.event(1)}
    ]
    assert result.stderr.startswith("line 1: stored, but the file of recorded extractions has no answer")


def test_a_failed_extraction_is_tried_again_when_the_file_is_run_again(talk):
    talk.say("I use Figma.", recorded=False)
    talk.ingest()
    talk.recorded.append({"content": "I use Figma.", "extraction": {"claims": [talk.states("uses", "Figma")]}})

    result = talk.ingest("--json")

    assert result.exit_code == 0
    assert counts(json.loads(result.stdout), "published", "duplicates", "failed", "claims") == [1, 0, 0, 1]


def test_an_extraction_that_fails_again_is_a_failure_again(talk):
    talk.say("I use Figma.", recorded=False)
    talk.ingest()

    result = talk.ingest("--json")

    assert result.exit_code == 1
    assert counts(json.loads(result.stdout), "duplicates", "failed") == [0, 1]


def test_lines_from_standard_input(run):
    result = run("ingest", "-", "--json", input=json.dumps(said("I use Figma.")))

    assert counts(json.loads(result.stdout), "published", "claims") == [1, 1]


def test_an_empty_file_is_no_failure_and_makes_no_store(run, tmp_path):
    result = run("ingest", write(tmp_path / "empty.jsonl"), "--json")

    assert result.exit_code == 0
    assert counts(json.loads(result.stdout), "messages", "refused") == [0, 0]
    assert [path.name for path in tmp_path.iterdir()] == ["empty.jsonl"]


def test_a_file_without_a_single_message_makes_no_store(run, tmp_path):
    result = run("ingest", write(tmp_path / "bad.jsonl", "bad", "", "[]"))

    assert (result.exit_code, result.stderr.count("refused")) == (1, 2)
    assert [path.name for path in tmp_path.iterdir()] == ["bad.jsonl"]


def test_a_message_after_bad_lines_makes_one(run, tmp_path):
    run("ingest", write(tmp_path / "talk.jsonl", "bad", said("I use Figma.")))

    assert sorted(path.name for path in tmp_path.iterdir()) == ["memory", "talk.jsonl"]


def test_order_and_line_numbers_hold_across_batches(run, tmp_path, monkeypatch):
    monkeypatch.setattr(ingestion, "ENTRIES_PER_BATCH", 2)
    lines = [said(f"I use tool{chr(97 + n)}.", message_id=f"m{n}") for n in range(5)]
    file = write(tmp_path / "talk.jsonl", *lines[:3], "bad", *lines[3:])

    summary = json.loads(run("ingest", file, "--json").stdout)
    claims = json.loads(run("claims", "--user-id", "sam", "--json").stdout)

    assert [failure["line"] for failure in summary["failures"]] == [4]
    assert [claim["object"] for claim in claims] == ["toola", "toolb", "toolc", "toold", "toole"]


def test_the_list_of_failures_is_bounded_and_the_count_is_not(run, tmp_path, monkeypatch):
    monkeypatch.setattr(ingestion, "MOST_LISTED_FAILURES", 2)

    summary = json.loads(run("ingest", write(tmp_path / "bad.jsonl", "a", "b", "c"), "--json").stdout)

    assert [failure["line"] for failure in summary["failures"]] == [1, 2]
    assert counts(summary, "refused", "unlisted_failures") == [3, 1]


def test_the_policy_is_the_one_asked_for(talk):
    talk.say("I use Figma.", talk.states("uses", "Figma"))
    talk.ingest("--policy", "speech_act_v13")

    assert talk.json("plans", "show", talk.event(1))["policy"] == "speech_act_v13"


def test_an_unknown_extractor_is_one_clear_line(run, tmp_path):
    result = run("ingest", write(tmp_path / "talk.jsonl", said("x")), "--extractor", "nobody")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: no extractor named 'nobody' is installed")
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.parametrize("option", [("--extractor", "nobody"), ("--policy", "speech_act_v99")])
def test_an_unknown_name_is_an_error_even_without_a_message(run, tmp_path, option: tuple[str, str]):
    assert run("ingest", write(tmp_path / "empty.jsonl"), *option).exit_code == 1


def test_an_unknown_policy_is_one_clear_line(run, tmp_path):
    result = run("ingest", write(tmp_path / "talk.jsonl", said("x")), "--policy", "speech_act_v99")

    assert result.exit_code == 1
    assert len(result.stderr.splitlines()) == 1


def test_a_file_that_is_not_there_is_wrong_usage(run):
    assert run("ingest", "nowhere.jsonl").exit_code == 2


def test_many_owners_are_counted_rather_than_listed(run, tmp_path):
    file = write(tmp_path / "talk.jsonl", *(said("I use Figma.", user_id=f"u{n}") for n in range(7)))

    lines = run("ingest", file).stdout.splitlines()

    assert [text.split(":")[0] for text in lines[2:-1]] == [f"journal of u{n}" for n in range(5)]
    assert lines[-1].startswith("and 2 more owners")


def test_a_failure_that_is_not_in_the_table_prints_its_code():
    failure = EntryFailure(place="line 3", line=3, kind="failed", reason="quota_spent")

    assert failure_line(failure) == "line 3: stored, but quota_spent (quota_spent); run the file again to try again"

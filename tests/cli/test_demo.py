"""`prme demo` is what a newcomer sees first: it says what happened and why, and running it again changes nothing."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console
from syrupy.assertion import SnapshotAssertion

from prme.cli.demo import run_demo
from prme.cli.demo_view import demo_page
from prme.cli.main import program
from prme.cli.stores import writing_store

DATA = str(Path(__file__).parents[2] / "plans" / "demo")


@dataclass(frozen=True)
class Runs:
    """The demo run three times: twice in one store, as JSON and as a page, and once in another as a page."""

    first: dict[str, Any]
    second: dict[str, Any]
    first_page: str
    third_page: str


@pytest.fixture(scope="module")
def runs(metadata: Path, tmp_path_factory: pytest.TempPathFactory) -> Runs:
    folder = tmp_path_factory.mktemp("demo")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(metadata)
        patch.setenv("COLUMNS", "80")
        patch.chdir(folder)

        def demo(*options: str) -> str:
            result = CliRunner().invoke(program, ["demo", "--data", DATA, *options], catch_exceptions=False)
            assert (result.exit_code, result.stderr) == (0, "")
            return result.stdout

        return Runs(
            first=json.loads(demo("--json")),
            second=json.loads(demo("--json")),
            first_page=demo("--store", "other"),
            third_page=demo(),
        )


def without_heads(found: dict[str, Any]) -> dict[str, Any]:
    """The outcome without what differs from store to store: the journals' heads, which are keyed at random."""
    return {
        **found,
        "owners": [{**owner, "journal": None} for owner in found["owners"]],
        "conversations": [
            {**conversation, "summary": {**conversation["summary"], "journal": None}}
            for conversation in found["conversations"]
        ],
    }


def restraints(found: dict[str, Any]) -> list[dict[str, Any]]:
    return [restraint for conversation in found["conversations"] for restraint in conversation["restraints"]]


def test_the_whole_outcome_of_the_demo(runs: Runs, snapshot: SnapshotAssertion):
    assert without_heads(runs.first) == snapshot


def test_the_whole_page_of_the_demo(runs: Runs, snapshot: SnapshotAssertion):
    lines = runs.first_page.splitlines()

    assert [re.sub("head [0-9a-f]{16}", "head ...", text) for text in lines] == snapshot


def test_a_second_run_changes_nothing(runs: Runs):
    assert (runs.first["changed"], runs.second["changed"]) == (True, False)
    assert runs.second["owners"] == runs.first["owners"]
    assert [talk["claims"] for talk in runs.second["conversations"]] == [
        talk["claims"] for talk in runs.first["conversations"]
    ]


def test_a_later_run_says_that_nothing_changed(runs: Runs):
    assert "nothing changed: every message was known" in " ".join(runs.third_page.split())
    assert "nothing changed" not in " ".join(runs.first_page.split())


def test_a_page_has_no_line_longer_than_the_terminal(runs: Runs):
    assert [text for text in runs.first_page.splitlines() if len(text) > 80] == []


def test_the_demo_shows_each_kind_of_restraint(runs: Runs):
    reasons = {restraint["reason"] for restraint in restraints(runs.first)}

    assert {"ambiguous", "conditional"} <= reasons
    assert reasons & {"not_asserted", "report"}


def test_every_restraint_of_the_written_talk_names_what_stays(runs: Runs):
    written = next(talk for talk in runs.first["conversations"] if talk["name"] == "written")

    assert [restraint["sentence"] for restraint in written["restraints"] if not restraint["stays"]] == []


def corrections(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {correction["sentence"]: correction for talk in found["conversations"] for correction in talk["corrections"]}


def test_words_that_moved_a_correction_in_time_are_shown_with_the_day_they_mean(runs: Runs):
    moved = corrections(runs.first)["I switched from Trello to Plane last week."]

    assert (moved["said_at"][:10], moved["effective_at"][:10], moved["time_words"]) == (
        "2026-02-09",
        "2026-02-02",
        "last week",
    )
    assert 'from    2026-02-02, by its words "last week"' in runs.first_page


def test_a_correction_that_names_no_time_takes_effect_when_it_is_said(runs: Runs):
    plain = corrections(runs.first)["I moved from Leeds to York for work."]

    assert (plain["effective_at"], plain["time_words"]) == (plain["said_at"], None)
    assert "from    2026-04-20" not in runs.first_page


def test_the_page_says_how_to_look_further_into_the_store_it_wrote(runs: Runs):
    assert "  prme --store other claims --user-id demo-sam --all" in runs.first_page.splitlines()


@pytest.fixture
def mine(tmp_path: Path) -> str:
    """A folder with two conversations of one line."""
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("b", "a"):
        line = {"content": f"I use tool{name}.", "user_id": name, "first_person_owner": True}
        (folder / f"{name}.jsonl").write_text(json.dumps(line))
    return str(folder)


def test_conversations_of_ones_own_are_read_in_name_order(run, mine: str):
    found = json.loads(run("demo", "--data", mine, "--json").stdout)

    assert [conversation["name"] for conversation in found["conversations"]] == ["a", "b"]


def test_the_demo_keeps_to_its_own_store(run, mine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PRME_STORE", str(tmp_path / "real"))

    run("demo", "--data", mine)

    assert sorted(path.name for path in tmp_path.iterdir()) == [".demo", "mine"]


@pytest.mark.parametrize("options", [("--store", "named", "demo"), ("demo", "--store", "named")])
def test_a_store_that_is_named_is_used(run, mine: str, tmp_path: Path, options: tuple[str, ...]):
    run(*options, "--data", mine)

    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine", "named"]


def test_without_conversations_the_way_out_is_named(run):
    result = run("demo")

    assert result.exit_code == 2
    assert "no conversations (*.jsonl) in 'plans/demo'" in result.stderr
    assert "--data DIR" in " ".join(result.stderr.split())


def test_a_bad_line_in_a_conversation_is_a_failure(run, tmp_path):
    (tmp_path / "talk.jsonl").write_text('{"content": "I use Figma.", "user_id": "sam"}\nbad\n')

    result = run("demo", "--data", str(tmp_path))

    assert result.exit_code == 1
    assert "line 2: refused: not JSON (column 1)" in result.stdout


def test_a_claim_that_grounding_refuses_is_shown_with_its_reason(talk, run):

    talk.say("I drink coffee.", talk.states("drinks", "coffee"))
    talk.say("Ann said I don't drink coffee anymore.", talk.denies("drinks", "coffee"))
    talk.ingest()
    with writing_store(talk.store, f"recorded:{talk.recordings}") as service:
        found = run_demo(service, [talk.file])
    console = Console(width=100)
    with console.capture() as printed:
        console.print(demo_page(found, store="x"))

    assert [(r.gate, r.reason, r.stays[0].object) for r in found.conversations[0].restraints] == [
        ("grounding", "report", "coffee")
    ]
    assert "not taken as a claim: the sentence relays what somebody else says" in printed.get()

"""`prme test`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from prme.cli.main import program
from tests.testing.scenarios import ASKED, GONE, ROAD, SILENT, Fields

Run = Callable[..., Result]
PASSED = {"name": "a bike that is gone", "messages": [ROAD, GONE], "expect": {"retired": ["m1.c1"]}}
FAILED = {"name": "a bike that stays", "messages": [ROAD, GONE], "expect": {"current": ["m1.c1", "m2.c1"]}}
UNEXERCISED = {"name": "small talk", "messages": [SILENT], "expect": {"current": []}}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, metadata: Path) -> Run:
    """Run `prme test` on scenarios, which are written to chat.jsonl."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(metadata)
    monkeypatch.setenv("COLUMNS", "100")

    def invoke(*scenarios: Fields, options: tuple[str, ...] = ("chat.jsonl",)) -> Result:
        lines = (json.dumps({"first_person_owner": True, **one}) + "\n" for one in scenarios)
        Path("chat.jsonl").write_text("".join(lines), encoding="utf-8")
        return CliRunner().invoke(program, ["test", *options], prog_name="prme", catch_exceptions=False)

    return invoke


def test_scenarios_that_pass_end_with_status_0_and_a_line_each(run: Run):
    result = run(PASSED)

    assert (result.exit_code, result.stdout.splitlines()) == (
        0,
        ["passed       a bike that is gone  (chat.jsonl:1)", "1 scenario: 1 passed"],
    )


def test_a_failed_scenario_ends_with_status_1_and_shows_the_difference(run: Run):
    result = run(PASSED, FAILED)

    assert (result.exit_code, result.stdout.splitlines()) == (
        1,
        [
            "passed       a bike that is gone  (chat.jsonl:1)",
            "failed       a bike that stays  (chat.jsonl:2)",
            "  current",
            "    - m1.c1",
            "    + m1.c1 I | rides | road bike: retired by m2.c1",
            "2 scenarios: 1 passed, 1 failed",
        ],
    )


def test_an_unexercised_scenario_counts_as_a_failure_and_says_why(run: Run):
    result = run(UNEXERCISED)

    assert (result.exit_code, result.stdout.splitlines()) == (
        1,
        [
            "unexercised  small talk  (chat.jsonl:1)",
            "  the extractor found no claim in any message",
            "1 scenario: 1 unexercised",
        ],
    )


def test_unexercised_scenarios_may_be_allowed_and_failed_ones_not(run: Run):
    assert 0 == run(UNEXERCISED, PASSED, options=("chat.jsonl", "--allow-unexercised")).exit_code
    assert 1 == run(UNEXERCISED, FAILED, options=("chat.jsonl", "--allow-unexercised")).exit_code


def test_json_has_counts_places_and_findings(run: Run):
    result = run(PASSED, FAILED, options=("chat.jsonl", "--json"))

    assert (result.exit_code, json.loads(result.stdout)) == (
        1,
        {
            "counts": {"passed": 1, "failed": 1, "unexercised": 0},
            "scenarios": [
                {
                    "file": "chat.jsonl",
                    "line": 1,
                    "name": "a bike that is gone",
                    "verdict": "passed",
                    "findings": [],
                    "why": None,
                },
                {
                    "file": "chat.jsonl",
                    "line": 2,
                    "name": "a bike that stays",
                    "verdict": "failed",
                    "findings": [
                        {
                            "what": "current",
                            "expected": "m1.c1",
                            "found": "m1.c1 I | rides | road bike: retired by m2.c1",
                        }
                    ],
                    "why": None,
                },
            ],
        },
    )


@pytest.mark.parametrize(
    ("scenario", "fault"),
    [
        ({**PASSED, "expect": {"must_not": ["lost"]}}, "chat.jsonl line 1: must_not 'lost' cannot be checked"),
        ({**PASSED, "messages": ["x"], "extractor": "nobody"}, "chat.jsonl line 1: no extractor named 'nobody'"),
    ],
    ids=["unsound", "unknown extractor"],
)
def test_a_scenario_that_cannot_be_run_is_wrong_usage_with_its_place(run: Run, scenario: Fields, fault: str):
    result = run({**scenario, "expect": {**scenario["expect"], "retired": None}})

    assert (result.exit_code, fault in " ".join(result.stderr.split())) == (2, True)


@pytest.mark.parametrize(
    "options", [(), ("missing.jsonl",), ("chat.jsonl", "--extractor", "nobody")], ids=["none", "missing", "extractor"]
)
def test_wrong_usage_ends_with_status_2(run: Run, options: tuple[str, ...]):
    assert 2 == run({**PASSED, "messages": ["I ride a bike.", GONE]}, options=options).exit_code


def test_an_extractor_reads_messages_that_bring_no_extraction(run: Run):
    told = {"name": "vim", "messages": ["I use Vim.", "I don't use Vim anymore."], "expect": {"retired": ["m1.c1"]}}
    recording = {"content": "I use Vim.", "extraction": {}}
    Path("nothing.jsonl").write_text(
        "".join(json.dumps({**recording, "content": content}) + "\n" for content in told["messages"]), encoding="utf-8"
    )

    assert 0 == run(told).exit_code
    assert 0 == run({**told, "extractor": "lexical"}).exit_code
    assert 1 == run({**told, "extractor": "recorded:nothing.jsonl"}).exit_code
    assert (
        1
        == run(
            {**told, "extractor": "lexical"}, options=("chat.jsonl", "--extractor", "recorded:nothing.jsonl")
        ).exit_code
    )


def test_a_failed_extraction_fails_the_scenario(run: Run):
    result = run({"name": "vim", "messages": ["I use Vim."], "extractor": "recorded", "expect": {"current": []}})

    assert (result.exit_code, "+ m1: its extraction is failed: recorded_miss" in result.stdout) == (1, True)


def test_no_character_of_a_scenario_reaches_the_terminal_as_a_command(run: Run):
    result = run({**PASSED, "name": "\x1b[2J"})

    assert ("\x1b" in result.stdout, "\\x1b[2J" in result.stdout) == (False, True)


def test_several_files_are_run_in_the_order_given(run: Run):
    Path("more.json").write_text(json.dumps({**UNEXERCISED, "messages": [ASKED]}), encoding="utf-8")

    result = run(PASSED, options=("more.json", "chat.jsonl"))

    assert (result.exit_code, [line.split("(")[1] for line in result.stdout.splitlines()[:2]]) == (
        0,
        ["more.json:1)", "chat.jsonl:1)"],
    )

"""Every command line of the pages runs, ends as the page says, and prints what it shows."""

from __future__ import annotations

from pathlib import Path

import click
import pytest

from prme.cli.commands import FAILURE
from prme.cli.main import INTERRUPTED, program
from prme.cli.streams import READER_GONE
from tests.docs.pages import PAGES, ROOT, codes, name_of, plain, tables_of
from tests.docs.sessions import Ran, Shell, Step, is_as_shown, is_shown_by, renew_sessions, sessions_of, steps_of

CLI = ROOT / "docs" / "cli.md"
WITH_SESSIONS = [page for page in PAGES if sessions_of(page)]


@pytest.mark.slow
@pytest.mark.parametrize("page", WITH_SESSIONS, ids=name_of)
def test_the_sessions_of_a_page_run_as_shown(page: Path, tmp_path: Path, request: pytest.FixtureRequest):
    shell = Shell(tmp_path)
    ran = [[shell.run(step) for step in steps_of(block)] for block in sessions_of(page)]
    if request.config.option.update_snapshots:
        renew_sessions(page, ran)
    wrong = [
        "\n".join([step.command, f"exit status {result.status}", *result.lines])
        for block, results in zip(sessions_of(page), ran, strict=True)
        for step, result in zip(steps_of(block), results, strict=True)
        if result is not None and not is_as_shown(step, result)
    ]

    assert not wrong, "\n\n".join(wrong)


def test_the_readme_and_the_reference_are_among_the_pages():
    assert {"README.md", "docs/cli.md"} <= {name_of(page) for page in WITH_SESSIONS}


def test_an_exit_status_that_the_page_does_not_give_is_noticed():
    assert not is_as_shown(Step("false", ()), Ran(1, ()))


def test_an_exit_status_that_the_page_gives_is_right():
    assert is_as_shown(Step("false  # exit status 1", ()), Ran(1, ()))


def test_a_line_that_was_not_printed_is_noticed():
    assert not is_shown_by(["one", "three"], ["one", "two"])


def test_a_line_that_is_left_out_without_a_mark_is_noticed():
    assert not is_shown_by(["one", "three"], ["one", "two", "three"])


def test_a_mark_stands_for_any_number_of_lines():
    assert is_shown_by(["one", "…", "four"], ["one", "two", "three", "four"])


def test_digests_and_times_of_receipt_may_differ():
    assert is_shown_by(["at 2031-01-01 10:00:00 UTC", "a" * 64], ["at 2032-02-02 11:00:00 UTC", "b" * 64])


def test_ids_may_not_differ():
    ours, other = "9f271ecf-5129-50b3-9d04-4d3ead828b63", "9f271ecf-5129-50b3-9d04-4d3ead828b64"

    assert not is_shown_by([ours], [other])


def commands(group: click.Group, name: str = "prme") -> dict[str, click.Command]:
    found: dict[str, click.Command] = {}
    for child in group.commands.values():
        found[f"{name} {child.name}"] = child
        if isinstance(child, click.Group):
            found |= commands(child, f"{name} {child.name}")
    return found


COMMANDS = commands(program)


def parameters(command: click.Command) -> set[str]:
    return {
        name.upper() if isinstance(parameter, click.Argument) else name
        for parameter in command.params
        for name in ([parameter.name or ""] if isinstance(parameter, click.Argument) else parameter.opts)
    }


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_stands_in_the_reference_with_exactly_its_options(name: str):
    printed = {
        codes(row[0])[0].split()[0]
        for table in tables_of(CLI)
        if table.heading == name and table.columns[0] == "Option"
        for row in table.rows
    }

    assert parameters(COMMANDS[name]) == printed
    assert f"\n## {name}\n" in CLI.read_text(encoding="utf-8")


def test_the_reference_names_no_command_that_is_not_there():
    headings = {
        line.removeprefix("## ") for line in CLI.read_text(encoding="utf-8").splitlines() if line.startswith("## ")
    }

    assert set(COMMANDS) | {"All commands"} == headings


def test_the_reference_lists_every_exit_status():
    (table,) = [table for table in tables_of(CLI) if table.columns[0] == "Exit status"]

    assert [0, FAILURE, click.UsageError.exit_code, INTERRUPTED, READER_GONE] == [
        int(plain(row[0])) for row in table.rows
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_shown_in_a_session(name: str):
    typed_in = [step.command for block in sessions_of(CLI) for step in steps_of(block)]
    words = name.removeprefix("prme ")

    assert any("prme " in command and f" {words} " in f"{command} " for command in typed_in)


def test_the_global_options_stand_in_the_reference():
    missing = [o for p in program.params for o in p.opts if f"`{o}" not in CLI.read_text(encoding="utf-8")]

    assert [] == missing

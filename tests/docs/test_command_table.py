"""The table of all commands is made from the program."""

from __future__ import annotations

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from prme.cli.main import program
from tests.docs.pages import ROOT, anchors_of

CLI = ROOT / "docs" / "cli.md"


def commands(group: click.Group = program, path: tuple[str, ...] = ("prme",)) -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            if command.invoke_without_command:
                yield " ".join((*path, name)), command
            yield from commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def test_the_table_has_every_command(compare_part):
    rows = [
        f"| [`{path}`](#{path.replace(' ', '-')}) | {command.get_short_help_str(limit=200)} |\n"
        for path, command in sorted(commands())
    ]

    compare_part(CLI, "commands", "".join(["| Command | What it does |\n|---|---|\n", *rows]))


@pytest.mark.parametrize("path", [path for path, _ in commands()])
def test_a_command_has_a_section(path: str):
    assert path.replace(" ", "-") in anchors_of(CLI)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_program_prints_how_a_shell_completes_it(shell: str):
    result = CliRunner().invoke(program, [], prog_name="prme", env={"_PRME_COMPLETE": f"{shell}_source"})

    assert (result.exit_code, "_PRME_COMPLETE" in result.stdout) == (0, True)


def test_a_shell_is_told_commands_that_begin_alike():
    env = {"_PRME_COMPLETE": "bash_complete", "COMP_WORDS": "prme re", "COMP_CWORD": "1"}
    result = CliRunner().invoke(program, [], prog_name="prme", env=env)

    assert [line.split(",")[1] for line in result.stdout.splitlines()] == ["replay", "resolve", "retrieve"]

"""The program as a whole: help, options that are the same everywhere, and how errors end."""

from __future__ import annotations

import click
import pytest

import prme
from prme import MemoryClient
from prme.cli.main import program
from prme.errors import StoreError
from prme.service import MemoryService

# What they show is part of the program, or names its own sources.
WITHOUT_STORE = {("policies",), ("extractors", "lexical"), ("plans", "verify"), ("diff",), ("test",)}
# It reads nothing: what it prints belongs into a file.
WITHOUT_EITHER = {("serve", "token")}
# It prints nothing of its own.
WITHOUT_JSON = {("mcp",)}


def commands(group: click.Group = program, path: tuple[str, ...] = ()):
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*path, name))
        else:
            yield pytest.param((*path, name), command, id=" ".join((*path, name)))


def test_the_commands_are_those_that_exist():
    assert sorted(program.commands) == [
        "changes",
        "claims",
        "context",
        "contradict",
        "demo",
        "diff",
        "doctor",
        "extractors",
        "history",
        "index",
        "ingest",
        "mcp",
        "plans",
        "policies",
        "replay",
        "resolve",
        "retrieve",
        "serve",
        "state",
        "supersede",
        "test",
        "verify",
        "why",
    ]


@pytest.mark.parametrize(("path", "command"), list(commands()))
def test_every_command_has_help_and_json_and_each_that_needs_one_a_store(run, path, command: click.Command):
    result = run(*path, "--help")

    assert result.exit_code == 0
    assert command.help
    needed = {"--json"} if path in WITHOUT_STORE else {"--store", "--json"}
    needed = set() if path in WITHOUT_EITHER else needed
    needed -= {"--json"} if path in WITHOUT_JSON else set()
    assert needed <= {option for parameter in command.params for option in parameter.opts}


@pytest.mark.parametrize(("path", "command"), list(commands()))
def test_every_option_says_what_it_does(path, command: click.Command):
    options = [parameter for parameter in command.params if isinstance(parameter, click.Option)]

    assert [option.name for option in options if not option.help] == []


def test_the_version_is_printed(run):
    assert run("--version").stdout == f"prme, version {prme.__version__}\n"


@pytest.mark.parametrize("arguments", [("bogus",), ("claims", "--bogus"), ("why",), ("--store",), ("plans", "bogus")])
def test_wrong_usage_ends_with_2(run, arguments):
    assert run(*arguments).exit_code == 2


def test_a_blank_store_is_wrong_usage(run):
    assert run("--store", " ", "verify").exit_code == 2


def test_a_reading_command_makes_no_store(run, tmp_path):
    result = run("--store", "typo", "claims", "--user-id", "sam")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: there is no store in 'typo': name one with --store DIR")
    assert list(tmp_path.iterdir()) == []


def test_the_store_may_be_named_before_the_command_after_it_or_in_the_environment(pumps, run, monkeypatch):
    before = run("--store", pumps.store, "verify", "--json").stdout
    after = run("verify", "--json", "--store", pumps.store).stdout
    monkeypatch.setenv("PRME_STORE", pumps.store)

    assert before == after == run("verify", "--json").stdout


def test_the_store_named_last_counts(pumps, run):
    assert run("--store", "elsewhere", "verify", "--store", pumps.store).exit_code == 0


def test_the_default_store_is_memory(pumps, run, tmp_path):
    assert pumps.store == str(tmp_path / "memory")
    assert run("verify").exit_code == 0


def test_a_store_that_is_open_elsewhere_is_one_clear_line(pumps):
    with MemoryClient(pumps.store):
        result = pumps.run("verify")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def test_a_folder_that_cannot_be_made_is_one_clear_line(run, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "talk.jsonl").write_text('{"content": "x", "user_id": "u"}')

    result = run("--store", "file/memory", "ingest", "talk.jsonl")

    assert result.exit_code == 1
    assert result.stderr.startswith("Error: ")
    assert len(result.stderr.splitlines()) == 1


def fail_with(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def verify(*_: object) -> None:
        raise error

    monkeypatch.setattr(MemoryService, "verify", verify)


def test_an_error_prints_nothing_that_could_move_the_cursor(pumps, monkeypatch):
    fail_with(monkeypatch, StoreError("bad\x1b[2J\nthing"))

    assert pumps.run("verify").stderr == "Error: bad\\x1b[2J\\nthing\n"


def test_an_interrupt_ends_with_130(pumps, monkeypatch):
    fail_with(monkeypatch, KeyboardInterrupt())

    result = pumps.run("verify")

    assert (result.exit_code, result.stderr) == (130, "interrupted; what was acknowledged is stored\n")


def test_an_error_of_the_file_system_is_one_line(pumps, monkeypatch):
    fail_with(monkeypatch, OSError(28, "No space left on device"))

    result = pumps.run("verify")

    assert (result.exit_code, result.stderr) == (1, "Error: No space left on device\n")


def test_a_fault_of_our_own_is_not_hidden(pumps, monkeypatch):
    fail_with(monkeypatch, ZeroDivisionError())

    with pytest.raises(ZeroDivisionError):
        pumps.run("verify")

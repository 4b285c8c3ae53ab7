"""The program `prme`: global options, the list of commands, and how errors end."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import click

from prme import __version__
from prme.cli import (
    commands,
    context_commands,
    decision_commands,
    diff_commands,
    doctor_commands,
    extractor_commands,
    mcp_commands,
    replay_commands,
    retrieve_commands,
    scenario_commands,
    serve_commands,
    state_commands,
)
from prme.cli.safe_text import safe_text
from prme.cli.streams import READER_GONE, discard_output, open_closed_streams
from prme.errors import PrmeError

INTERRUPTED = 130


class _Program(click.Group):
    """Ends every error of prme, and every error of the file system, in one line without a traceback."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Read the arguments; `--help` and `--version` print and end here."""
        with _quiet_without_reader():
            return super().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        """Run the command. Exit status: 1 for an error, 2 for wrong usage, 130 when interrupted, 141 without reader."""
        try:
            with _quiet_without_reader():
                return super().invoke(context)
        except PrmeError as error:
            raise click.ClickException(safe_text(str(error))) from None
        except OSError as error:
            place = "" if error.filename is None else f": {error.filename}"
            raise click.ClickException(safe_text(f"{error.strerror or error}{place}")) from None
        except KeyboardInterrupt:
            click.echo("interrupted; what was acknowledged is stored", err=True)
            context.exit(INTERRUPTED)


@contextmanager
def _quiet_without_reader() -> Iterator[None]:
    """End as a program does that nobody listens to any more, so that it is not taken for a finding."""
    try:
        yield
    except BrokenPipeError:
        discard_output()
        raise click.exceptions.Exit(READER_GONE) from None


@click.group(cls=_Program, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--store",
    metavar="DIR",
    envvar="PRME_STORE",
    default=commands.DEFAULT_STORE,
    show_default=True,
    show_envvar=True,
    help="The store's directory.",
)
@click.version_option(__version__, prog_name="prme")
def program(store: str) -> None:
    """Conversation memory that stays true: every claim, every correction and the reason for it.

    Exit status: 0 ok, 1 found differences or failures, 2 wrong usage.
    """


for command in (
    commands.demo,
    commands.ingest,
    commands.claims,
    commands.history,
    commands.why,
    retrieve_commands.retrieve,
    context_commands.context,
    state_commands.state,
    state_commands.changes,
    decision_commands.supersede,
    decision_commands.contradict,
    decision_commands.resolve,
    commands.plans,
    replay_commands.replay,
    extractor_commands.extractors,
    commands.policies,
    commands.verify,
    diff_commands.diff,
    scenario_commands.test,
    retrieve_commands.index,
    serve_commands.serve,
    mcp_commands.mcp,
    doctor_commands.doctor,
):
    program.add_command(command)


def main() -> None:
    """Run the program on the arguments of the process."""
    open_closed_streams()
    program(prog_name="prme")

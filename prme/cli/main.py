"""The program `prme`: global options, the list of commands, and how errors end."""

from __future__ import annotations

import errno
from typing import Any

import click

from prme import __version__
from prme.cli import commands
from prme.cli.safe_text import safe_text
from prme.errors import PrmeError

INTERRUPTED = 130


class _Program(click.Group):
    """Ends every error of prme, and every error of the file system, in one line without a traceback."""

    def invoke(self, context: click.Context) -> Any:
        """Run the command. Exit status: 1 for an error, 2 for wrong usage, 130 when interrupted."""
        try:
            return super().invoke(context)
        except PrmeError as error:
            raise click.ClickException(safe_text(str(error))) from None
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise
            place = "" if error.filename is None else f": {error.filename}"
            raise click.ClickException(safe_text(f"{error.strerror or error}{place}")) from None
        except KeyboardInterrupt:
            click.echo("interrupted; what was acknowledged is stored", err=True)
            context.exit(INTERRUPTED)


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


for command in (commands.demo, commands.ingest, commands.claims, commands.why, commands.plans, commands.verify):
    program.add_command(command)


def main() -> None:
    """Run the program on the arguments of the process."""
    program(prog_name="prme")

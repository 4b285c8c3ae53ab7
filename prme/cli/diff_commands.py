"""The command that compares policies: `prme diff`."""

from __future__ import annotations

import click

from prme.cli.commands import FAILURE, as_json_option, user_option


@click.command(short_help="Compare what two policies would do.")
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True, type=click.Path(exists=True, allow_dash=True))
@click.option(
    "--policy",
    "policies",
    metavar="NAME",
    multiple=True,
    required=True,
    help="A rule set; give two.",
)
@user_option
@as_json_option
@click.pass_context
def diff(
    context: click.Context, sources: tuple[str, ...], policies: tuple[str, ...], user_id: str | None, as_json: bool
) -> None:
    """Show what each of two policies would admit and retire on the recorded extractions of SOURCE, claim by claim.

    SOURCE is a store's directory, a file of saved plans, one a line, gzipped or not, a folder of such files or of
    *.json files with one record each, or - for standard input. Nothing is stored, and no extractor is asked. Exit
    status 1 when something differs, or a record cannot be read.
    """
    from prme.cli.diff_output import DiffPrinter, JsonPrinter, PagePrinter
    from prme.cli.diff_view import unread_line
    from prme.cli.output import remarks
    from prme.comparison import compare_owners, gather, unread
    from prme.comparison.outcome import total
    from prme.records.spool import Spool

    chosen = _two_known(policies)
    with Spool() as spool:
        for found in gather(_usable(sources), spool, user_id=user_id):
            remarks().print(unread_line(found), soft_wrap=True)
        printer: DiffPrinter = JsonPrinter(chosen) if as_json else PagePrinter(chosen)
        summary = total((), *chosen)
        for comparison in compare_owners(spool, *chosen):
            printer.messages(comparison.messages)
            summary = total((summary, comparison.summary), *chosen)
        has_unread = printer.end(summary, unread(spool))
    context.exit(FAILURE if summary.differing_claims or has_unread else 0)


def _usable(sources: tuple[str, ...]) -> tuple[str, ...]:
    """Return the sources when each can be one: a folder of anything else is wrong usage, told before any work."""
    from prme.cli.safe_text import safe_text
    from prme.comparison.sources import is_source
    from prme.store.opening import DATABASE_FILE

    for source in sources:
        if not is_source(source):
            raise click.UsageError(
                f"there is neither a store ({DATABASE_FILE}) nor a record (*.json) in "
                f"{safe_text(repr(source))}: name a store, an export, or a file of saved plans"
            )
    return sources


def _two_known(policies: tuple[str, ...]) -> tuple[str, str]:
    from prme.cli.safe_text import safe_text
    from prme.errors import UnsupportedPlanError
    from prme.policy.registry import get_policy

    if len(policies) != 2:
        raise click.UsageError(f"two policies are compared, and {len(policies)} given: --policy NAME --policy NAME")
    try:
        first, second = (get_policy(name).name for name in policies)
    except UnsupportedPlanError as error:
        raise click.UsageError(safe_text(str(error))) from None
    return first, second

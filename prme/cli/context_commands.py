"""The command `context`: what a memory holds now, as text for a language model."""

from __future__ import annotations

import click

from prme.cli.commands import as_json_option, store_option

# Written out, because importing the limits loads the engine, which `prme --help` has no use for.
DEFAULT_BUDGET = 1_000
MOST_TOKENS = 1_000_000


@click.command(short_help="Print what holds, for a language model.")
@click.argument("query", default="")
@store_option
@click.option("--user-id", required=True, help="The owner.")
@click.option("--scope", help="Only this scope.")
@click.option(
    "--budget",
    type=click.IntRange(1, MOST_TOKENS),
    metavar="TOKENS",
    default=DEFAULT_BUDGET,
    show_default=True,
    help="How long it may be, by an estimate.",
)
@click.option("--notes", is_flag=True, help="Stored messages too; their words may state what was retired.")
@as_json_option
def context(query: str, store: str, user_id: str, scope: str | None, budget: int, notes: bool, as_json: bool) -> None:
    """Print an owner's current, uncontested claims that have words of QUERY, best first; without QUERY the newest.

    It is text to put before a language model: a line for each claim, with the date since when it holds and its id.
    Nothing closed is in it, and nothing is cut in half: what has no room is left out and counted.
    """
    from prme.cli.output import remarks, show_bytes, show_json
    from prme.cli.stores import reading_store
    from prme.context import checked_context_request

    try:
        request = checked_context_request(query, user_id, budget, scope=scope, notes=notes, count=None)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with reading_store(store) as service:
        made = service.context(request)
    if as_json:
        show_json({"text": str(made), "tokens": made.tokens, "node_ids": made.node_ids, "left_out": made.left_out})
    elif made:
        show_bytes(made.rstrip("\n").encode("utf-8"))
    elif made.left_out:
        remarks().print(f"{made.left_out:,} would fit into a larger --budget only")
    else:
        remarks().print("nothing that holds has words of the query" if query.strip() else "nothing holds")

"""The commands that search: `retrieve`, and `index rebuild` for the index behind it."""

from __future__ import annotations

from datetime import datetime

import click

from prme.cli.commands import as_json_option, known_at_option, store_option
from prme.cli.times import Time

# Written out, because importing the enumerations loads pydantic, which `prme --help` has no use for.
NODE_TYPES = ("NOTE", "ENTITY", "FACT", "PREFERENCE", "DECISION")
SOURCE_TYPES = ("USER_STATED", "SYSTEM_INFERRED", "TOOL_OUTPUT")


@click.command(short_help="Find notes and claims by their words.")
@click.argument("query")
@store_option
@click.option("--user-id", required=True, help="The owner.")
@click.option("--scope", help="Only this scope.")
@click.option("--limit", type=click.IntRange(1, 1_000), default=10, show_default=True, help="At most so many hits.")
@click.option(
    "--exclude-type",
    "exclude_types",
    type=click.Choice(NODE_TYPES, case_sensitive=False),
    multiple=True,
    help="Leave out nodes of this type, such as NOTE; may be repeated.",
)
@click.option(
    "--source-type",
    "source_types",
    type=click.Choice(SOURCE_TYPES, case_sensitive=False),
    multiple=True,
    help="Only what comes from this source; may be repeated.",
)
@click.option("--valid-at", type=Time(), help="What was in effect at that time.")
@known_at_option
@click.option("--all", "include_closed", is_flag=True, help="Also what is closed, and what replaced it.")
@click.option("--no-contested", "leave_contested", is_flag=True, help="Leave out what a contradiction names.")
@as_json_option
def retrieve(
    query: str,
    store: str,
    user_id: str,
    scope: str | None,
    limit: int,
    exclude_types: tuple[str, ...],
    source_types: tuple[str, ...],
    valid_at: datetime | None,
    known_at: datetime | None,
    include_closed: bool,
    leave_contested: bool,
    as_json: bool,
) -> None:
    """Find what an owner's notes and claims say in the words of QUERY, best first; only what holds, unless asked.

    Words are compared without case, accents and English endings; their meaning is not. No character is syntax.
    """
    from prme.cli.output import show, show_json, width
    from prme.cli.retrieve_view import retrieve_data, retrieve_page
    from prme.cli.stores import reading_store
    from prme.retrieval import checked_request

    try:
        request = checked_request(
            query,
            user_id=user_id,
            scope=scope,
            limit=limit,
            exclude_node_types=exclude_types,
            source_types=source_types or None,
            valid_at=valid_at,
            known_at=known_at,
            include_superseded=include_closed,
            include_contested=not leave_contested,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    with reading_store(store) as service:
        found = service.retrieve(request)
    if as_json:
        show_json(retrieve_data(found))
    else:
        show(retrieve_page(found, width=width()))


@click.group()
def index() -> None:
    """Look after the text index that retrieve uses."""


@index.command("rebuild")
@store_option
@as_json_option
def rebuild_index(store: str, as_json: bool) -> None:
    """Make the text index again from the store. It is never needed: a damaged index is made again when it is used."""
    from prme.cli.output import show, show_json
    from prme.cli.retrieve_view import index_page
    from prme.cli.stores import reading_store

    with reading_store(store) as service:
        report = service.rebuild_index()
    if as_json:
        show_json(report)
    else:
        show(index_page(report))

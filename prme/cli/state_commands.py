"""The commands that ask for a state: what holds of one subject, and what changed since a cursor."""

from __future__ import annotations

from datetime import datetime

import click

from prme.cli.commands import as_json_option, known_at_option, store_option, user_option
from prme.cli.times import Time


@click.command(short_help="Show what holds of a subject.")
@click.argument("subject")
@click.argument("predicate")
@store_option
@click.option("--user-id", required=True, help="The owner.")
@click.option("--scope", default="personal", show_default=True, help="The scope to look in.")
@click.option("--valid-at", type=Time(), help="What was in effect at that time.")
@known_at_option
@as_json_option
def state(
    subject: str,
    predicate: str,
    store: str,
    user_id: str,
    scope: str,
    valid_at: datetime | None,
    known_at: datetime | None,
    as_json: bool,
) -> None:
    """Show what holds of SUBJECT and PREDICATE, such as I uses: the open values, what is denied, and what was closed.

    SUBJECT is I for the declared owner, or a name. PREDICATE stands for its family: works_at also finds employed_by.
    """
    from prme.cli.output import show, show_json
    from prme.cli.state_view import state_page
    from prme.cli.stores import reading_store

    with reading_store(store) as service:
        try:
            found = service.get_assertion_state(
                user_id=user_id,
                subject=subject,
                predicate=predicate,
                scope=scope,
                valid_at=valid_at,
                known_at=known_at,
            )
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    if as_json:
        show_json(found)
    else:
        show(state_page(found))


@click.command(short_help="List what changed since a cursor.")
@store_option
@user_option
@click.option("--after", metavar="CURSOR", help="Only what follows the change with this cursor.")
@click.option("--limit", type=click.IntRange(1, 10_000), default=100, show_default=True, help="At most so many.")
@as_json_option
def changes(store: str, user_id: str | None, after: str | None, limit: int, as_json: bool) -> None:
    """List journal entries, oldest first, so that a cache or a view can follow the store."""
    from prme.cli.output import show, show_json
    from prme.cli.state_view import changes_page
    from prme.cli.stores import reading_store

    with reading_store(store) as service:
        try:
            found = service.changes(user_id, after=after, limit=limit)
        except ValueError as error:
            raise click.UsageError(str(error)) from None
    if as_json:
        show_json(found)
    else:
        show(changes_page(found))

"""The command `doctor`: what prme runs on, and the state of a store."""

from __future__ import annotations

import click

from prme.cli.commands import FAILURE, as_json_option, store_option


@click.command(short_help="Say what prme runs on, and how a store is.")
@store_option
@as_json_option
@click.pass_context
def doctor(context: click.Context, store: str, as_json: bool) -> None:
    """Say which versions are in use, who holds the store, and how its anchor, its index and its pending work are.

    It changes nothing and computes nothing again: prme verify does that. Exit status 1 when something is wrong.
    """
    from prme.cli.doctor import diagnose
    from prme.cli.doctor_view import doctor_page
    from prme.cli.output import show, show_json

    found = diagnose(store)
    if as_json:
        show_json(found)
    else:
        show(doctor_page(found))
    context.exit(0 if found.ok else FAILURE)

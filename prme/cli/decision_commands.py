"""The commands by which a caller decides: supersede, contradict and resolve."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

import click

from prme.cli.commands import as_json_option, store_option

if TYPE_CHECKING:
    from prme.model.receipt import DecisionReceipt

bound_option = click.option("--user-id", help="Decide for this owner only; what is another's reads as missing.")
evidence_option = click.option("--evidence", "evidence_id", metavar="EVENT_ID", help="The message it rests on.")
actor_option = click.option("--actor", "actor_id", help="Who decides; the owner when left out, else operator.")


def _options(command: Callable[..., None]) -> Callable[..., None]:
    for option in (as_json_option, actor_option, evidence_option, bound_option, store_option):
        command = option(command)
    return command


@click.command(short_help="Let one claim or note replace another.")
@click.argument("old_id", metavar="OLD_ID")
@click.argument("new_id", metavar="NEW_ID")
@_options
def supersede(old_id: str, new_id: str, store: str, as_json: bool, **asked: str | None) -> None:
    """Close the claim or note OLD_ID, with NEW_ID as its successor.

    Both belong to the same owner and scope. Nothing is deleted; the same call again changes nothing.
    """
    _decide(store, lambda service: service.supersede(old_id, new_id, **asked), as_json=as_json)


@click.command(short_help="Say that two claims or notes contradict each other.")
@click.argument("a_id", metavar="A_ID")
@click.argument("b_id", metavar="B_ID")
@_options
def contradict(a_id: str, b_id: str, store: str, as_json: bool, **asked: str | None) -> None:
    """Mark A_ID and B_ID as contested until prme resolve decides between them; both stay open."""
    _decide(store, lambda service: service.contradict(a_id, b_id, **asked), as_json=as_json)


@click.command(short_help="Decide a contradiction.")
@click.argument("winner_id", metavar="WINNER_ID")
@click.argument("loser_id", metavar="LOSER_ID")
@_options
def resolve(winner_id: str, loser_id: str, store: str, as_json: bool, **asked: str | None) -> None:
    """Close LOSER_ID, without a successor, and let WINNER_ID stand."""
    _decide(store, lambda service: service.resolve_contradiction(winner_id, loser_id, **asked), as_json=as_json)


def _decide(store: str, call: Callable[[Any], Coroutine[Any, Any, DecisionReceipt]], *, as_json: bool) -> None:
    import asyncio

    from prme.cli.decision_view import decision_page
    from prme.cli.output import show, show_json
    from prme.cli.stores import reading_store
    from prme.errors import PrmeError

    with reading_store(store) as service:
        try:
            receipt = asyncio.run(call(service))
        except ValueError as error:
            if isinstance(error, PrmeError):
                raise
            raise click.ClickException(str(error)) from None
        named = (
            service.get_node(node_id, None, include_superseded=True) for node_id in (receipt.old_id, receipt.new_id)
        )
        nodes = {node.id: node for node in named if node is not None}
    if as_json:
        show_json(receipt)
    else:
        show(decision_page(receipt, nodes))

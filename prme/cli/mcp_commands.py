"""The command `mcp`: a store as tools for agents."""

from __future__ import annotations

import importlib.util

import click

from prme.cli.commands import store_option

DEFAULT_PORT = 8771


@click.command(short_help="Serve a store to agents over MCP.")
@store_option
@click.option("--user-id", help="Bind all tools to this owner; without it each takes a user_id.")
@click.option("--extractor", default="lexical", show_default=True, help="NAME or NAME:MODEL of an installed extractor.")
@click.option("--policy", default="speech_act_v14", show_default=True, help="The rule set for new messages.")
@click.option("--http", "over_http", is_flag=True, help="Streamable HTTP for this machine, not standard streams.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), metavar="NUMBER", help="For --http; 0: any free one.  [default: 8771]"
)
def mcp(store: str, user_id: str | None, extractor: str, policy: str, over_http: bool, port: int | None) -> None:
    r"""Give agents the memory as tools of the Model Context Protocol, until the client ends.

    A client starts it and speaks over its standard input and output. With --http it listens on 127.0.0.1 alone; a page
    of another origin is refused. Decisions are journaled under the name of the client, as mcp:NAME.

    \b
      prme --store ./memory mcp --user-id sam
      prme --store ./memory mcp --user-id sam --http

    Without --user-id whoever connects is a trusted operator, who names an owner with each call. Needs the extra: pip
    install 'prme[mcp]'.
    """
    if importlib.util.find_spec("mcp") is None:
        raise click.ClickException("the MCP server needs more packages: pip install 'prme[mcp]'")
    if port is not None and not over_http:
        raise click.UsageError("--port goes with --http")
    _check_owner(user_id)
    from prme import MemoryEngine
    from prme.mcp.running import local_socket, serve_http, serve_streams

    if over_http:
        with local_socket(DEFAULT_PORT if port is None else port) as listener:
            serve_http(MemoryEngine(store, extractor=extractor, policy=policy), user_id, listener)
    else:
        serve_streams(MemoryEngine(store, extractor=extractor, policy=policy), user_id)


def _check_owner(user_id: str | None) -> None:
    from prme.message import checked_owner

    try:
        if user_id is not None:
            checked_owner(user_id)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint="--user-id") from None

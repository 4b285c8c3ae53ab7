"""The commands of the HTTP service: `serve`, and `serve token` for those who may call it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from prme.cli.commands import store_option

if TYPE_CHECKING:
    from prme.http.settings import HttpSettings
    from prme.http.tokens import Token

DEFAULT_PORT = 8770
ADMIN_VARIABLE = "PRME_TOKEN"
# What the extra `http` brings, by the names under which it is imported.
_NEEDED = ("fastapi", "jinja2", "prometheus_client", "pythonjsonlogger", "uvicorn")


@click.group(invoke_without_command=True, short_help="Serve a store over HTTP.")
@store_option
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", type=click.IntRange(0, 65_535), default=DEFAULT_PORT, show_default=True, help="0: any free one."
)
@click.option("--user-id", help="Bind the whole service to this owner.")
@click.option(
    "--tokens", "tokens_file", metavar="FILE", type=click.Path(exists=True, dir_okay=False), help="Who may call; TOML."
)
@click.option("--extractor", default="lexical", show_default=True, help="NAME or NAME:MODEL of an installed extractor.")
@click.option("--policy", default="speech_act_v14", show_default=True, help="The rule set for new messages.")
@click.option("--max-body", type=click.IntRange(1_024), metavar="BYTES", help="The largest body.  [default: 2097152]")
@click.option("--max-requests", type=click.IntRange(1), metavar="NUMBER", help="How many at once.  [default: 256]")
@click.option(
    "--shutdown-seconds",
    type=click.IntRange(0, 3_600),
    default=30,
    show_default=True,
    help="How long requests in flight may take once it ends.",
)
@click.pass_context
def serve(
    context: click.Context,
    store: str,
    host: str,
    port: int,
    user_id: str | None,
    tokens_file: str | None,
    extractor: str,
    policy: str,
    max_body: int | None,
    max_requests: int | None,
    shutdown_seconds: int,
) -> None:
    """Serve the store over HTTP until the process is told to end. The reference is at /docs.

    Without tokens only this machine is answered, and every caller is a trusted operator, or the owner of --user-id.
    With tokens, each request needs one as Authorization: Bearer TOKEN. A token of the file given with --tokens acts
    for one owner, or is an operator's; the token in the variable PRME_TOKEN is an operator's. Any other address than a
    loopback one needs tokens.

    \b
      prme serve                                    this machine, all owners
      prme serve --user-id sam                      this machine, one owner
      prme serve token --user-id sam >> tokens.toml
      prme serve --host 0.0.0.0 --tokens tokens.toml

    SIGTERM and Ctrl-C end it: nothing new is accepted, what is being written is finished. Standard error has one line
    of JSON for each request, without any text of a message. Needs the extra: pip install 'prme[http]'.
    """  # noqa: D301 - click wants a real backspace before lines that it must not fill
    if context.invoked_subcommand is not None:
        return
    _refuse_missing_extra()
    import sys

    from prme.http.door import is_loopback
    from prme.http.log import log_to
    from prme.http.server import listening_socket, serve

    settings = _settings(user_id, _tokens(tokens_file), most_body_bytes=max_body, most_requests=max_requests)
    if not settings.tokens and not is_loopback(host):
        raise click.UsageError(
            f"{host} can be reached from other machines: name who may call with --tokens FILE, or set {ADMIN_VARIABLE}"
            "; prme serve token makes one"
        )
    with listening_socket(host, port) as listener:
        from prme import MemoryEngine

        engine = MemoryEngine(store, extractor=extractor, policy=policy)
        log_to(sys.stderr)
        serve(engine, settings, listener, shutdown_seconds=shutdown_seconds)


@serve.command("token", short_help="Make a token.")
@click.option("--user-id", help="The owner that it acts for.")
@click.option("--admin", is_flag=True, help="Make an operator's token instead.")
def make_token(user_id: str | None, admin: bool) -> None:
    """Make a random token: its entry for the tokens file on standard output, the token itself on standard error.

    The entry holds a digest, so the token is shown this once only.
    """
    _refuse_missing_extra()
    import secrets

    from pydantic import ValidationError

    from prme.http.tokens import TOKEN_BYTES, Token, token_digest, token_entry

    if admin == (user_id is not None):
        raise click.UsageError("name one owner with --user-id, or make an operator's token with --admin")
    token = secrets.token_hex(TOKEN_BYTES)
    try:
        entry = token_entry(Token(digest=token_digest(token), user_id=user_id, admin=admin))
    except ValidationError as error:
        raise click.UsageError(f"--user-id: {error.errors()[0]['ctx']['error']}") from None
    click.echo(entry, nl=False)
    click.echo(f"the token, shown this once: {token}", err=True)


def _refuse_missing_extra() -> None:
    if any(importlib.util.find_spec(name) is None for name in _NEEDED):
        raise click.ClickException("the HTTP service needs more packages: pip install 'prme[http]'")


def _settings(user_id: str | None, tokens: tuple[Token, ...], **limits: int | None) -> HttpSettings:
    from prme.http.settings import HttpSettings
    from prme.message import checked_owner

    if user_id is not None:
        try:
            checked_owner(user_id)
        except ValueError as error:
            raise click.BadParameter(str(error), param_hint="--user-id") from None
    if user_id is not None and any(token.user_id not in (None, user_id) for token in tokens):
        raise click.UsageError("--tokens names another owner than --user-id: such a token could never be used")
    given = {name: limit for name, limit in limits.items() if limit is not None}
    return HttpSettings.model_validate({"user_id": user_id, "tokens": tokens, **given})


def _tokens(file: str | None) -> tuple[Token, ...]:
    from prme.http.tokens import TokensRefusedError, admin_token, read_tokens

    tokens: tuple[Token, ...] = ()
    try:
        if file is not None:
            tokens = read_tokens(Path(file))
    except TokensRefusedError as error:
        raise click.BadParameter(f"{file}: {error}", param_hint="--tokens") from None
    if file is not None and not tokens:
        raise click.BadParameter(f"{file} names no token", param_hint="--tokens")
    try:
        given = os.environ.get(ADMIN_VARIABLE)
        return tokens if given is None else (*tokens, admin_token(given))
    except TokensRefusedError as error:
        raise click.UsageError(f"{ADMIN_VARIABLE}: {error}") from None

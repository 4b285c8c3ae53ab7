"""The commands about extractors: which there are, what they cost, and what the embedded one reads."""

from __future__ import annotations

import click

from prme.cli.commands import STANDARD_INPUT, as_json_option, store_option


@click.group(invoke_without_command=True, short_help="See which extractors there are and what they cost.")
@as_json_option
@click.pass_context
def extractors(context: click.Context, as_json: bool) -> None:
    """List the installed extractors and the package that each comes from.

    Their names are what `prme ingest --extractor` takes. It needs no store.
    """
    if context.invoked_subcommand is not None:
        return
    from prme.cli.extractors_view import extractors_page
    from prme.cli.output import show, show_json
    from prme.extraction.registry import extractor_homes

    homes = extractor_homes()
    if as_json:
        show_json([{"name": name, "package": package} for name, package in homes])
    else:
        show(extractors_page(homes))


@extractors.command("stats", short_help="Show what models were asked and what they cost.")
@store_option
@as_json_option
def stats(store: str, as_json: bool) -> None:
    """Show how often each model was asked about the messages of a store, how long it took, and the tokens.

    It reads the store's log of runs only, so another process may have the store open. Extractors without a model cost
    nothing and are not in it.
    """
    from prme.cli.extractors_view import stats_page
    from prme.cli.output import show, show_json
    from prme.service.run_log import read_extractor_stats

    found = read_extractor_stats(store)
    if as_json:
        show_json(found)
    else:
        show(stats_page(found))


@extractors.command("lexical", short_help="Show what the embedded extractor reads in a message.")
@click.option("--explain", "text", metavar="TEXT", required=True, help="The message to read; - for standard input.")
@as_json_option
def lexical(text: str, as_json: bool) -> None:
    """Show what the embedded extractor reads in a message: clause by clause, which pattern, and which claims.

    Nothing is stored. The claims are proposals; grounding may still reject or change them, and says so in prme why.
    """
    from prme.cli.output import show, show_json
    from prme.cli.reading_view import reading_page
    from prme_extractors.lexical import explain

    reading = explain(click.open_file(STANDARD_INPUT, encoding="utf-8").read() if text == STANDARD_INPUT else text)
    if as_json:
        show_json(reading)
    else:
        show(reading_page(reading))

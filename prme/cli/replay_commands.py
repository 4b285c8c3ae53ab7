"""The commands for saved plans: write them out, check them, and publish them into a store."""

from __future__ import annotations

import click

from prme.cli.commands import FAILURE, as_json_option, plans, store_option, user_option

_sources = click.argument(
    "sources", metavar="SOURCES...", nargs=-1, required=True, type=click.Path(exists=True, allow_dash=True)
)


@plans.command("export")
@click.argument("target", type=click.Path())
@store_option
@user_option
@as_json_option
def export_plans(target: str, store: str, user_id: str | None, as_json: bool) -> None:
    """Write every message, its plan, and every decision made by hand to TARGET.

    A TARGET that ends in .jsonl or .gz is a file with one record a line, any other name a directory with a file for
    each message. It must not be there yet. The same content gives the same bytes.
    """
    from prme.cli.output import show, show_json
    from prme.cli.replay_view import export_page
    from prme.cli.stores import reading_store

    with reading_store(store) as service:
        manifest = service.export_plans(target, user_id)
    if as_json:
        show_json(manifest)
    else:
        show(export_page(manifest, user_id, target=target))


@plans.command("verify")
@_sources
@as_json_option
@click.pass_context
def verify_plans(context: click.Context, sources: tuple[str, ...], as_json: bool) -> None:
    """Check the records of all SOURCES and the manifest, without a store.

    A source is what prme plans export wrote, some of its files, or - for standard input. Every checksum and derived id
    is computed again, and the state that the records lead to. Exit status 1 when something is wrong or missing.
    """
    from prme.cli.output import remarks, show, show_json
    from prme.cli.replay_progress import ReplayProgress
    from prme.cli.replay_view import check_page, is_complete
    from prme.records.sources import source_bytes
    from prme.replay.replay import check_sources

    with ReplayProgress(remarks(), total_bytes=source_bytes(sources), doing="checked") as progress:
        report = check_sources(sources, watch=progress)
    if as_json:
        show_json({**report.model_dump(), "ok": is_complete(report)})
    else:
        show(check_page(report))
    context.exit(0 if is_complete(report) else FAILURE)


@click.command(short_help="Publish saved plans into a store.")
@_sources
@store_option
@click.option("--jobs", type=click.IntRange(min=1), default=1, show_default=True, help="Read and fold in N processes.")
@click.option("--verify", is_flag=True, help="Compare the resulting states with the manifest's.")
@click.option("--against", metavar="DIR", help="Compare them with those of the store in this directory.")
@as_json_option
@click.pass_context
def replay(
    context: click.Context,
    sources: tuple[str, ...],
    store: str,
    jobs: int,
    verify: bool,
    against: str | None,
    as_json: bool,
) -> None:
    """Publish the records of all SOURCES into a store, without an extractor, whatever their order.

    A source is what prme plans export wrote, some of its files, or - for standard input. What is stored already changes
    nothing, so a replay that was cut short is run again. A record that cannot be used is reported and the rest goes on.
    Exit status 1 when there was one, or when states differ.
    """
    from prme.cli.output import remarks, show, show_json
    from prme.cli.replay_progress import ReplayProgress
    from prme.cli.replay_verdict import verdict_of
    from prme.cli.replay_view import replay_page
    from prme.cli.stores import replaying_store
    from prme.records.sources import source_bytes

    with replaying_store(store) as service:
        with ReplayProgress(remarks(), total_bytes=source_bytes(sources), doing="published") as progress:
            report = service.replay(sources, jobs=jobs, watch=progress)
        verdict = verdict_of(service, report, with_manifest=verify, against=against)
    if as_json:
        told = None if verdict is None else {**verdict.model_dump(), "ok": verdict.ok}
        show_json({**report.model_dump(), "ok": report.ok, "verification": told})
    else:
        show(replay_page(report, verdict))
    context.exit(0 if report.ok and (verdict is None or verdict.ok) else FAILURE)

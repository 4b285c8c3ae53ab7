"""The command `prme test`: runs scenario files and says which conversations no longer do what they should."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click

from prme.cli.commands import FAILURE, as_json_option

if TYPE_CHECKING:
    from prme.extraction.protocol import Extractor
    from prme.testing.scenario_files import PlacedScenario
    from prme.testing.scenario_verdict import Judgement


@click.command(short_help="Run scenario files against memory.")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option(
    "--extractor", help="NAME or NAME:MODEL for messages without an extraction; else the scenario's, or lexical."
)
@click.option("--allow-unexercised", is_flag=True, help="Count scenarios that could not have failed as passed.")
@as_json_option
@click.pass_context
def test(
    context: click.Context, files: Sequence[Path], extractor: str | None, allow_unexercised: bool, as_json: bool
) -> None:
    """Run the scenarios of FILES, each in an empty memory, and compare what memory says with what they expect.

    A scenario is passed, failed, or unexercised when nothing in it could have failed; that counts as a failure. Exit
    status 1 when one failed, 2 when a file cannot be read.
    """
    from prme.cli.output import show, show_json
    from prme.cli.scenario_view import judged_document, scenarios_page
    from prme.extraction.registry import resolve_extractor

    resolve = cache(resolve_extractor)
    judged = [(one, _judge(one, extractor, resolve)) for one in _read(files)]
    if as_json:
        show_json(judged_document(judged))
    else:
        show(scenarios_page(judged))
    accepted = {"passed", "unexercised"} if allow_unexercised else {"passed"}
    context.exit(0 if all(judgement.verdict in accepted for _, judgement in judged) else FAILURE)


def _read(files: Sequence[Path]) -> list[PlacedScenario]:
    from prme.cli.safe_text import safe_text
    from prme.testing.scenario_files import ScenarioFileError, read_scenarios

    try:
        return [one for file in files for one in read_scenarios(file)]
    except ScenarioFileError as error:
        raise click.UsageError(safe_text(str(error))) from None


def _judge(placed: PlacedScenario, named: str | None, resolve: Callable[[str], Extractor]) -> Judgement:
    from prme.cli.safe_text import safe_text
    from prme.errors import UnknownExtractorError
    from prme.testing.scenario_verdict import judge

    name = named or placed.scenario.extractor or "lexical"
    try:
        return judge(placed.scenario, lambda: resolve(name))
    except UnknownExtractorError as error:
        place = "--extractor" if named is not None else f"{placed.file} line {placed.line}"
        raise click.UsageError(safe_text(f"{place}: {error}")) from None

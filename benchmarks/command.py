"""The command of the benchmarks: measure, show and write down."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path

import click
from rich.console import Console

from benchmarks import plots
from benchmarks.run import BENCHMARKS, run
from benchmarks.sizes import SIZES

WIDE = 200  # what a log shows without folding lines


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(BENCHMARKS)))
@click.option("--size", type=click.Choice(list(SIZES)), default="small", show_default=True, help="How much to measure.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".bench"),
    show_default=True,
    help="Where the report goes; the stores lie there too while they are measured.",
)
def main(names: tuple[str, ...], size: str, out: Path) -> None:
    """Measure NAMES, or everything, each against a floor taken in the same run.

    A budget that is missed is reported and is no error.
    """
    report = run(names or BENCHMARKS, SIZES[size], out, tell=partial(click.echo, err=True))
    files = report.write(out)
    if plots.can_plot():
        files += plots.draw(report.curves, out, size)
    elif report.curves:
        click.echo(plots.HOW_TO_INSTALL, err=True)
    report.show(Console(width=None if sys.stdout.isatty() else WIDE))
    click.echo(f"written: {', '.join(str(file) for file in files)}")

"""Plots of cost against stored claims, as PNG files."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from benchmarks.result import Curve

HOW_TO_INSTALL = "no plots: matplotlib is missing; `make bench` installs it (the dependency group `bench`)"


def can_plot() -> bool:
    """Whether what draws is installed."""
    return find_spec("matplotlib") is not None


def draw(curves: Iterable[Curve], directory: Path, size: str) -> list[Path]:
    """Draw the curves that count the same claims into one file each, and return the files."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    curves = list(curves)
    files: list[Path] = []
    for plot in dict.fromkeys(curve.plot for curve in curves):
        figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
        for curve in (curve for curve in curves if curve.plot == plot):
            claims = [point.claims for point in curve.points]
            (line,) = axes.plot(claims, [point.cost.median for point in curve.points], marker="o", label=curve.name)
            low, high = [point.cost.p10 for point in curve.points], [point.cost.p90 for point in curve.points]
            axes.fill_between(claims, low, high, alpha=0.2, color=line.get_color())
        ticks = sorted({point.claims for curve in curves if curve.plot == plot for point in curve.points})
        axes.set(xscale="log", xlabel=plot, ylabel="ms for one ingest: median, p10 to p90")
        axes.set_xticks(ticks, [f"{claims:,}" for claims in ticks])
        axes.minorticks_off()
        axes.set_ylim(bottom=0)
        axes.set_title("One message in ten is a correction")
        axes.legend()
        file = directory / f"{size}-{plot.replace(' ', '-')}.png"
        figure.savefig(file, dpi=120)
        pyplot.close(figure)
        files.append(file)
    return files

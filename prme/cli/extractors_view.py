"""The pages of extractors: the list of them, and what they were asked and cost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, table
from prme.cli.phrasing import counted
from prme.model.extractor_run import ExtractorStats


def extractors_page(homes: Iterable[tuple[str, str]]) -> RenderableType:
    """Return the names of extractors, each with the package that it comes from."""
    return table(["Name", "Package"], homes, whole=["Name"])


def stats_page(stats: Sequence[ExtractorStats]) -> RenderableType:
    """Return the totals of each model."""
    if not stats:
        return line("no model was asked about the messages of this store", level=0)
    parts: list[RenderableType] = []
    for one in stats:
        parts += [heading(f"{one.extractor}, {one.model}"), *_lines(one)]
    return page(parts)


def _lines(stats: ExtractorStats) -> list[RenderableType]:
    failures = ", ".join(f"{count} {reason}" for reason, count in stats.failures.items())
    tokens = f"{stats.input_tokens:,} tokens in, {stats.cached_tokens:,} of them cached, {stats.output_tokens:,} out"
    return [
        line(f"{counted(stats.runs, 'message')}: {stats.answered} answered, {stats.failed} failed"),
        *([line(f"failed: {failures}")] if failures else []),
        line(f"{counted(stats.calls, 'call')}, {tokens}"),
        line(f"{stats.median_milliseconds:,} ms for half of them, {stats.p95_milliseconds:,} ms for 95 of 100"),
    ]

"""The page of `prme test`: a line for each scenario, and what a failed one has in place of what it expects."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from rich.console import RenderableType

from prme.cli.layout import line, page
from prme.cli.phrasing import counted
from prme.cli.safe_text import safe_text
from prme.testing.scenario_files import PlacedScenario
from prme.testing.scenario_verdict import Finding, Judgement, Verdict

Judged = tuple[PlacedScenario, Judgement]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
_WIDEST = max(map(len, VERDICTS))


def scenarios_page(judged: Sequence[Judged]) -> RenderableType:
    """Return a line for each scenario, with differences below, and the counts at the end."""
    parts = [part for placed, judgement in judged for part in _scenario(placed, judgement)]
    return page([*parts, line(_counts(judged), level=0)])


def judged_document(judged: Sequence[Judged]) -> dict[str, Any]:
    """Return the same as JSON: counts, and each scenario with its place, verdict, findings and reason."""
    counts = Counter(judgement.verdict for _, judgement in judged)
    return {
        "counts": {verdict: counts[verdict] for verdict in VERDICTS},
        "scenarios": [
            {"file": placed.file, "line": placed.line, **judgement.model_dump(mode="json")}
            for placed, judgement in judged
        ],
    }


def _scenario(placed: PlacedScenario, judgement: Judgement) -> Iterator[RenderableType]:
    place = f"{placed.file}:{placed.line}"
    yield line(safe_text(f"{judgement.verdict:<{_WIDEST}}  {judgement.name}  ({place})"), level=0)
    if judgement.why is not None:
        yield line(safe_text(judgement.why))
    what = None
    for finding in judgement.findings:
        if finding.what != what:
            what = finding.what
            yield line(what)
        yield from (line(text, level=2) for text in _difference(finding))


def _difference(finding: Finding) -> Iterator[str]:
    if finding.expected is not None:
        yield safe_text(f"- {finding.expected}")
    if finding.found is not None:
        yield safe_text(f"+ {finding.found}")


def _counts(judged: Sequence[Judged]) -> str:
    counts = Counter(judgement.verdict for _, judgement in judged)
    listed = ", ".join(f"{counts[verdict]} {verdict}" for verdict in VERDICTS if counts[verdict])
    return f"{counted(len(judged), 'scenario')}: {listed}"

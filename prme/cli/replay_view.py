"""The pages of exports and replays: counts, what could not be used, and how states compare."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from prme.cli.layout import heading, line, page, section
from prme.cli.phrasing import counted
from prme.cli.replay_verdict import Verdict
from prme.cli.safe_text import quoted, safe_text
from prme.model.export import ExportManifest, ReplayProblem, ReplayReport, StateDifference
from prme.replay.tally import NO_MANIFEST

MOST_OWNERS_SHOWN = 5


def export_page(manifest: ExportManifest, user_id: str | None, *, target: str) -> RenderableType:
    """Return what was exported, and the state of the first owners."""
    held = _held(len(manifest.owners), manifest.events, manifest.plans, manifest.decisions)
    parts: list[RenderableType] = [line(f"exported to {safe_text(target)}: {held}", level=0)]
    for owner in manifest.owners[:MOST_OWNERS_SHOWN]:
        parts += [line(safe_text(owner.user_id)), line(f"state {owner.state_digest}")]
    if len(manifest.owners) > MOST_OWNERS_SHOWN:
        parts.append(line(f"and {counted(len(manifest.owners) - MOST_OWNERS_SHOWN, 'more owner')}"))
    if user_id is not None and not manifest.owners:
        parts.append(line(f"nothing is stored here for the owner {safe_text(repr(user_id))}"))
    return page(parts)


def is_complete(report: ReplayReport) -> bool:
    """Whether an export is sound, and is known to be whole."""
    return report.ok and NO_MANIFEST not in report.notes


def check_page(report: ReplayReport) -> RenderableType:
    """Return the verdict on an export, and everything that is wrong with it."""
    verdict = "ok" if is_complete(report) else "NOT OK"
    held = _held(report.owners, report.events, report.plans, report.decisions)
    parts: list[RenderableType] = [heading(f"{verdict}: {held}"), *(line(safe_text(note)) for note in report.notes)]
    return page([*parts, *_problems(report)])


def replay_page(report: ReplayReport, verdict: Verdict | None) -> RenderableType:
    """Return what a replay published, what it could not use, and how the states compare."""
    held = _held(report.owners, report.events, report.plans, report.decisions)
    parts: list[RenderableType] = [line(f"published {held}", level=0)]
    if report.already_there or report.duplicates:
        there, twice = counted(report.already_there, "record"), counted(report.duplicates, "record")
        parts.append(line(f"{there} there already, {twice} in the source more than once", level=0))
    parts += [line(safe_text(note), level=0) for note in report.notes]
    parts += _problems(report)
    if verdict is not None:
        parts += section("Verification", _verdict(verdict))
    return page(parts)


def problem_line(problem: ReplayProblem) -> str:
    """Return where something is that could not be used, and why."""
    if problem.file is None:
        return safe_text(problem.reason)
    where = problem.file if problem.line is None else f"{problem.file}, line {problem.line}"
    return safe_text(f"{where}: {problem.reason}")


def _held(owners: int, events: int, plans: int, decisions: int) -> str:
    return (
        f"{counted(events, 'message')}, {counted(plans, 'plan')} and {counted(decisions, 'decision')} "
        f"of {counted(owners, 'owner')}"
    )


def _problems(report: ReplayReport) -> list[RenderableType]:
    found = [line(problem_line(problem)) for problem in report.problems]
    if report.unlisted_problems:
        found.append(line(f"and {report.unlisted_problems:,} more"))
    return section("Not used, or missing", found)


def _verdict(verdict: Verdict) -> Iterator[RenderableType]:
    if verdict.compared_with is None:
        yield line("NOT OK: the source has no manifest, so there is nothing to compare with")
    elif verdict.difference is None:
        verb = "is" if verdict.owners == 1 else "are"
        yield line(
            f"{counted(verdict.owners, 'owner')} {verb} in the state that {safe_text(verdict.compared_with)} gives"
        )
    else:
        yield from _difference(verdict.difference, verdict.compared_with)
    if verdict.differences:
        yield line(f"NOT OK: verify finds {counted(len(verdict.differences), 'difference')} in the store itself")
    else:
        yield line("verify: everything computed again is as stored")


def _difference(found: StateDifference, other: str) -> Iterator[RenderableType]:
    yield line(f"NOT OK: {safe_text(found.user_id)} is in another state than {safe_text(other)} gives")
    if found.node_id is None:
        yield line(f"here  {found.here or 'nothing'}", level=2)
        yield line(f"there {found.there or 'nothing'}", level=2)
        return
    lacking = next((field for field in found.fields if field.field == "id"), None)
    if lacking is not None:
        yield line(f"first difference: {found.node_id} is only {'there' if lacking.here is None else 'here'}", level=2)
        return
    yield line(f"first difference: {found.node_id}", level=2)
    for field in found.fields:
        yield line(f"{field.field}: here {quoted(str(field.here))}, there {quoted(str(field.there))}", level=2)

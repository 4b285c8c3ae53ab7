"""The page of a diagnosis."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from prme.cli.doctor import Contents, Diagnosis
from prme.cli.layout import heading, line, page, section
from prme.cli.phrasing import counted
from prme.cli.safe_text import safe_text

KILOBYTE = 1_024


def doctor_page(found: Diagnosis) -> RenderableType:
    """Return the verdict, what is wrong, and what was found of the store and of what prme runs on."""
    parts: list[RenderableType] = [heading("ok" if found.ok else f"NOT OK: {counted(len(found.problems), 'problem')}")]
    parts += [line(safe_text(problem)) for problem in (*found.problems, *found.remarks)]
    parts += section("Store", (line(text) for text in _store(found)))
    parts += section("Versions", (line(f"{name} {version}") for name, version in found.versions.items()))
    parts += section("Extractors", (line(f"{name}, of {home}") for name, home in found.extractors.items()))
    parts += section("Extras", (line(text) for text in _extras(found)))
    return page(parts)


def _store(found: Diagnosis) -> Iterator[str]:
    yield safe_text(found.store)
    if found.is_locked:
        yield "open in another process: what it holds was not looked at"
    if found.contents is not None:
        yield from _contents(found.contents)
    for name, size in found.bytes.items():
        yield f"{name}: {-(-size // KILOBYTE):,} KiB"


def _contents(contents: Contents) -> Iterator[str]:
    yield f"format {contents.format}"
    yield (
        f"{counted(contents.owners, 'owner')}, {counted(contents.messages, 'message')}, "
        f"{counted(contents.claims, 'claim')}, {counted(contents.commits, 'commit')}"
    )
    yield f"extractions: {contents.pending:,} pending, {contents.failed:,} failed"
    yield f"anchor: {contents.anchor}"
    yield f"text index: {contents.index}"


def _extras(found: Diagnosis) -> Iterator[str]:
    for name, is_complete in found.extras.items():
        yield f"{name}: {'installed' if is_complete else 'not installed'}"

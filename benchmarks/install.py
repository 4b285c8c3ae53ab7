"""How much disk the library takes with everything it needs, without extras."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path

from benchmarks.measure import Spread
from benchmarks.result import Outcome, Result
from benchmarks.stores import Workshop

BYTES_IN_MEGABYTE = 1_000_000
OWN_PACKAGES = ("prme", "prme_pytest", "prme_extractors")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def measure(workshop: Workshop) -> Outcome:
    """Add up the files of each distribution that the library reaches; the floor is DuckDB alone."""
    sizes = {name: sum(map(_size, _files(found))) for name, found in sorted(reachable("prme").items())}
    sizes["prme"] = sum(map(_size, _own_files()))
    largest = sorted(sizes, key=lambda name: sizes[name], reverse=True)
    told = ", ".join(f"{name} {sizes[name] / BYTES_IN_MEGABYTE:.1f}" for name in largest)
    value, floor = (Spread.of([size / BYTES_IN_MEGABYTE]) for size in (sum(sizes.values()), sizes["duckdb"]))
    return Outcome(
        (Result("installed size without extras", "MB", value, "duckdb alone", floor, "install", (f"MB: {told}",)),)
    )


def reachable(name: str) -> dict[str, Distribution]:
    """Return the installed distributions that one needs without its extras, itself included."""
    found: dict[str, Distribution] = {}
    waiting = [name]
    while waiting:
        key = re.sub(r"[-_.]+", "-", waiting.pop()).lower()
        if key in found:
            continue
        try:
            found[key] = distribution(key)
        except PackageNotFoundError:
            continue  # what this system or version of Python does not need is not installed
        waiting += [match[0] for line in found[key].requires or () if (match := _needed(line)) is not None]
    return found


def _needed(requirement: str) -> re.Match[str] | None:
    _, _, condition = requirement.partition(";")
    return None if re.search(r"\bextra\b", condition) else _NAME.match(requirement)


def _files(found: Distribution) -> Iterator[Path]:
    return (Path(str(found.locate_file(file))) for file in found.files or ())


def _own_files() -> Iterator[Path]:
    """Yield the library's own files, also where it runs from its repository."""
    for name in OWN_PACKAGES:
        spec = find_spec(name)
        for place in (spec.submodule_search_locations or ()) if spec is not None else ():
            yield from Path(place).rglob("*.*")


def _size(path: Path) -> int:
    return path.stat().st_size if path.is_file() else 0

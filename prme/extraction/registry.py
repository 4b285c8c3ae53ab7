"""Finds extractors by name, so that the engine never imports one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from prme.errors import UnknownExtractorError
from prme.extraction.protocol import Extractor, faults

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

ENTRY_POINT_GROUP = "prme.extractors"


def installed_extractors() -> tuple[str, ...]:
    """Return the names of all installed extractors, sorted."""
    return tuple(sorted({entry_point.name for entry_point in _entry_points()}))


def extractor_homes() -> list[tuple[str, str]]:
    """Return the name of each installed extractor and of the distribution that it comes from, sorted."""
    return sorted({(point.name, "" if point.dist is None else point.dist.name) for point in _entry_points()})


def resolve_extractor(value: str | Extractor) -> Extractor:
    """Return the extractor of a name, of `name:model`, or the object itself.

    Everything after the first colon is the model, so the path in `recorded:PATH` may hold colons. Raises
    `UnknownExtractorError` when nothing of that name is installed, when it cannot be made, or when the object lacks a
    member of `Extractor`.
    """
    if isinstance(value, str):
        name, colon, model = value.partition(":")
        if colon and not model.strip():
            raise UnknownExtractorError(f"extractor {value!r} has no model after the colon; write {name!r} alone")
        extractor = _make(_entry_point(name), *([model] if colon else []))
        subject = f"extractor {name!r}"
    else:
        extractor, subject = value, f"the {type(value).__name__} passed as extractor"
    wrong = faults(extractor)
    if wrong:
        raise UnknownExtractorError(f"{subject} cannot be used: {'; '.join(wrong)}")
    return extractor


def _entry_points() -> tuple[EntryPoint, ...]:
    # Imported here: it is slow to load, and an extractor passed as an object never needs it.
    from importlib.metadata import entry_points

    return tuple(entry_points(group=ENTRY_POINT_GROUP))


def _entry_point(name: str) -> EntryPoint:
    # One distribution can be on the path twice (a wheel beside a checkout): the same target is no conflict.
    found = {entry_point.value: entry_point for entry_point in _entry_points() if entry_point.name == name}
    if not found:
        installed = ", ".join(installed_extractors()) or "none"
        raise UnknownExtractorError(f"no extractor named {name!r} is installed; installed are: {installed}")
    if len(found) > 1:
        raise UnknownExtractorError(
            f"several distributions offer an extractor {name!r}: {', '.join(sorted(found))}; uninstall all but one"
        )
    return next(iter(found.values()))


def _make(entry_point: EntryPoint, *model: str) -> Extractor:
    name = entry_point.name
    try:
        factory: Any = entry_point.load()
        made = factory(*model)
    except (ImportError, ValueError, OSError) as error:
        # These three say what the user can do: a missing extra, an unknown model, an unreadable file.
        raise UnknownExtractorError(f"extractor {name!r} cannot be made: {error}") from error
    except Exception as error:
        raise UnknownExtractorError(f"extractor {name!r} cannot be made: {type(error).__name__}") from error
    return cast("Extractor", made)
